import { Worker } from 'node:worker_threads';
import type { WorkerTask } from './ledgerMessages.ts';

/** What takes long on the file of a ledger: each has a thread of its own, and the ledger goes on answering. */
export class LongTasks {
  private readonly workerFile: string;
  private readonly file: string;
  private readonly running = new Set<Worker>();

  constructor(workerFile: string, file: string) {
    this.workerFile = workerFile;
    this.file = file;
  }

  /** Undefined if it ended without an answer. */
  run(kind: Exclude<WorkerTask['kind'], 'ledger'>): Promise<unknown> {
    const task: WorkerTask = { kind, file: this.file };
    const worker = new Worker(this.workerFile, { workerData: task });
    this.running.add(worker);
    return new Promise((resolve) => {
      worker.once('message', resolve);
      worker.once('error', () => resolve(undefined));
      worker.once('exit', () => {
        this.running.delete(worker);
        resolve(undefined);
      });
    });
  }

  /** Resolves once none uses the file. */
  async end(): Promise<void> {
    await Promise.all([...this.running].map((worker) => worker.terminate()));
  }
}
