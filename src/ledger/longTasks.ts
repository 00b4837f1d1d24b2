import { Worker } from 'node:worker_threads';
import { analyseFile } from './analysis/analyse.ts';
import { errorOf, LedgerError } from './ledgerError.ts';
import type { CallAnswer } from './ledgerMessages.ts';
import { assertUndamaged, withFile } from './storage/ledgerFile.ts';
import { asLedgerError } from './storage/storageErrors.ts';
import { reconcileFile } from './storage/storedReader.ts';

/** What takes long on the file of a ledger, which may be in use. */
export const longTasks = { isUndamaged, reconcile: reconcileFile, analyse: analyseFile };

type Tasks = typeof longTasks;

/** What a thread is started for. */
export type LongTask = { readonly kind: keyof Tasks; readonly args: readonly unknown[] };

/** Gives each task a thread of its own: the ledger keeps answering. */
export class LongTasks {
  private readonly workerFile: string;
  private readonly running = new Set<Worker>();

  constructor(workerFile: string) {
    this.workerFile = workerFile;
  }

  /** Rejects with LedgerError, of `ended` if the thread ended without an answer. */
  run<Kind extends keyof Tasks>(
    kind: Kind,
    ...args: Parameters<Tasks[Kind]>
  ): Promise<ReturnType<Tasks[Kind]>> {
    const task: LongTask = { kind, args };
    const worker = new Worker(this.workerFile, { workerData: task });
    this.running.add(worker);
    return new Promise((resolve, reject) => {
      worker.once('message', (answer: CallAnswer) => {
        if ('failure' in answer) reject(errorOf(answer.failure));
        else resolve(answer.value as ReturnType<Tasks[Kind]>);
      });
      worker.once('error', () => reject(new LedgerError('ended')));
      worker.once('exit', () => {
        this.running.delete(worker);
        reject(new LedgerError('ended'));
      });
    });
  }

  /** Resolves once none uses the file. */
  async end(): Promise<void> {
    await Promise.all([...this.running].map((worker) => worker.terminate()));
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
