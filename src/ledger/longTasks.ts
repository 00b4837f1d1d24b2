import { Worker } from 'node:worker_threads';
import { minuteMs } from '../base/time.ts';
import { analyseFile } from './analysis/analyse.ts';
import { errorOf, LedgerError } from './ledgerError.ts';
import type { CallAnswer } from './ledgerMessages.ts';
import { assertUndamaged, withFile } from './storage/ledgerFile.ts';
import { asLedgerError } from './storage/storageErrors.ts';
import { reconcileFile } from './storage/storedReader.ts';

/** What takes long on the file of a ledger, which may be in use. */
export const longTasks = { isUndamaged, reconcile: reconcileFile, analyse: analyseFile };

type Tasks = typeof longTasks;

/** What a thread is asked to do. */
export type LongTask = { readonly kind: keyof Tasks; readonly args: readonly unknown[] };

/** To start a thread takes longer than most analyses: it waits that long for another task. */
const idleMs = minuteMs;

/** Gives each task that runs a thread of its own: the ledger keeps answering. */
export class LongTasks {
  private readonly workerFile: string;
  private readonly threads = new Set<Worker>();
  private readonly idle = new Map<Worker, NodeJS.Timeout>();

  constructor(workerFile: string) {
    this.workerFile = workerFile;
  }

  /** Rejects with LedgerError, of `ended` if the thread ended without an answer. */
  run<Kind extends keyof Tasks>(
    kind: Kind,
    ...args: Parameters<Tasks[Kind]>
  ): Promise<ReturnType<Tasks[Kind]>> {
    const task: LongTask = { kind, args };
    const worker = this.thread();
    return new Promise((resolve, reject) => {
      const ended = (): void => reject(new LedgerError('ended'));
      worker.once('exit', ended);
      worker.once('message', (answer: CallAnswer) => {
        worker.off('exit', ended);
        const stop = setTimeout(() => void worker.terminate(), idleMs);
        this.idle.set(worker, stop.unref());
        if ('failure' in answer) reject(errorOf(answer.failure));
        else resolve(answer.value as ReturnType<Tasks[Kind]>);
      });
      worker.postMessage(task);
    });
  }

  /** Resolves once none uses the file. */
  async end(): Promise<void> {
    await Promise.all([...this.threads].map((worker) => worker.terminate()));
  }

  private thread(): Worker {
    const [waiting] = this.idle;
    if (waiting) {
      const [worker, stop] = waiting;
      clearTimeout(stop);
      this.idle.delete(worker);
      return worker;
    }
    const worker = new Worker(this.workerFile, { workerData: { kind: 'tasks' } });
    this.threads.add(worker);
    // It exits after an error.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      this.threads.delete(worker);
      this.idle.delete(worker);
    });
    return worker;
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
