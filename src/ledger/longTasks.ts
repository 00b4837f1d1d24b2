import type { Events } from '../base/rpc.ts';
import { minuteMs } from '../base/time.ts';
import { analyseFile } from './analysis/analyse.ts';
import type { AnalysisRequest } from './analysis/analysis.ts';
import { BookReader } from './analysis/bookReader.ts';
import { previewBotFile } from './comparison/botFile.ts';
import { compareFile } from './comparison/compare.ts';
import { LedgerError } from './ledgerError.ts';
import { assertUndamaged, withFile } from './storage/ledgerFile.ts';
import { asLedgerError } from './storage/storageErrors.ts';
import { reconcileFile } from './reconciliation/storedReader.ts';
import { startThread, type MethodsOfCalls, type WorkerThread } from './workerThread.ts';

/** What takes long on the file of a ledger, or of a bot, which may be in use. A thread keeps the positions that it rebuilt. */
export function longTasks() {
  const books = new BookReader();
  return {
    isUndamaged,
    reconcile: reconcileFile,
    analyse: (file: string, request: AnalysisRequest) => analyseFile(file, request, books),
    previewBotFile,
    compare: compareFile,
  };
}

export type TaskMethods = MethodsOfCalls<ReturnType<typeof longTasks>>;
type TaskThread = WorkerThread<TaskMethods, Events>;

/** Gives each task that runs a thread of its own: the ledger keeps answering. */
export class LongTasks {
  private readonly workerFile: string;
  private readonly idleMs: number;
  private readonly threads = new Set<TaskThread>();
  private readonly idle = new Map<TaskThread, NodeJS.Timeout>();

  /** To start a thread takes longer than most analyses: it waits `idleMs` for another task. */
  constructor(workerFile: string, idleMs = minuteMs) {
    this.workerFile = workerFile;
    this.idleMs = idleMs;
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
    const stop = setTimeout(() => void thread.worker.terminate(), this.idleMs);
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
