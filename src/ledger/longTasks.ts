import type { Events } from '../base/rpc.ts';
import { minuteMs } from '../base/time.ts';
import { analyseFile } from './analysis/analyse.ts';
import { previewBotFile } from './comparison/botFile.ts';
import { compareFile } from './comparison/compareFile.ts';
import { LedgerError } from './ledgerError.ts';
import { assertUndamaged, withFile } from './storage/ledgerFile.ts';
import { asLedgerError } from './storage/storageErrors.ts';
import { reconcileFile } from './reconciliation/storedReader.ts';
import { startThread, type MethodsOfCalls, type WorkerThread } from './workerThread.ts';

/** What takes long on the file of a ledger, or of a bot, which may be in use. */
export const longTasks = {
  isUndamaged,
  reconcile: reconcileFile,
  analyse: analyseFile,
  previewBotFile,
  compare: compareFile,
};

export type TaskMethods = MethodsOfCalls<typeof longTasks>;
type TaskThread = WorkerThread<TaskMethods, Events>;

/** To start a thread takes longer than most analyses: it waits that long for another task. */
const idleMs = minuteMs;

/** Gives each task that runs a thread of its own: the ledger keeps answering. */
export class LongTasks {
  private readonly workerFile: string;
  private readonly threads = new Set<TaskThread>();
  private readonly idle = new Map<TaskThread, NodeJS.Timeout>();

  constructor(workerFile: string) {
    this.workerFile = workerFile;
  }

  /** Rejects with LedgerError, of `ended` if the thread ended without an answer. */
  async run<Kind extends keyof TaskMethods>(
    kind: Kind,
    ...args: TaskMethods[Kind]['params']
  ): Promise<TaskMethods[Kind]['result']> {
    const thread = this.thread();
    try {
      return await thread.client.request(kind, args);
    } finally {
      if (this.threads.has(thread)) this.keep(thread);
    }
  }

  /** Resolves once none uses the file. */
  async end(): Promise<void> {
    await Promise.all([...this.threads].map(({ worker }) => worker.terminate()));
  }

  private keep(thread: TaskThread): void {
    const stop = setTimeout(() => void thread.worker.terminate(), idleMs);
    this.idle.set(thread, stop.unref());
  }

  private thread(): TaskThread {
    const [waiting] = this.idle;
    if (waiting) {
      const [thread, stop] = waiting;
      clearTimeout(stop);
      this.idle.delete(thread);
      return thread;
    }
    const started: TaskThread = startThread(this.workerFile, { kind: 'tasks' }, {}, () => {
      this.threads.delete(started);
      this.idle.delete(started);
    });
    this.threads.add(started);
    return started;
  }
}

/** Throws if it cannot look: that says nothing about the file. */
function isUndamaged(file: string): boolean {
  try {
    withFile(file, assertUndamaged);
    return true;
  } catch (cause) {
    const error = asLedgerError(cause);
    if (error instanceof LedgerError && error.problem === 'damaged') return false;
    throw error;
  }
}
