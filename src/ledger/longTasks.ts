import { Worker } from 'node:worker_threads';
import { errorOf } from './callFailure.ts';
import { LedgerError } from './ledgerError.ts';
import type { LongTask, TaskAnswer, TaskResults, WorkerTask } from './ledgerMessages.ts';

/** What takes long on the ledger file: each has a thread of its own, and the ledger keeps answering. */
export class LongTasks {
  private readonly workerFile: string;
  private readonly file: string;
  private readonly running = new Set<Worker>();

  constructor(workerFile: string, file: string) {
    this.workerFile = workerFile;
    this.file = file;
  }

  /** Rejects with LedgerError, of `ended` if the thread ended without an answer. */
  async run<Task extends LongTask>(task: Task): Promise<TaskResults[Task['kind']]> {
    const answer = (await this.answerOf({ ...task, file: this.file })) as
      | TaskAnswer<Task['kind']>
      | undefined;
    if (!answer) throw new LedgerError('ended');
    if ('failure' in answer) throw errorOf(answer.failure);
    return answer.result;
  }

  /** Resolves once none uses the file. */
  async end(): Promise<void> {
    await Promise.all([...this.running].map((worker) => worker.terminate()));
  }

  private answerOf(task: WorkerTask): Promise<unknown> {
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
}
