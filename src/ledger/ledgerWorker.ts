import { parentPort, workerData } from 'node:worker_threads';
import { LedgerError } from './ledgerError.ts';
import type {
  CallFailure,
  CallRequest,
  ReconcileAnswer,
  WorkerMessage,
  WorkerTask,
} from './ledgerMessages.ts';
import { LongTasks } from './longTasks.ts';
import { assertUndamaged, openDatabase } from './storage/ledgerFile.ts';
import { asLedgerError } from './storage/storageErrors.ts';
import { reconcileFile } from './storage/storedReader.ts';
import { storedLedger } from './storage/storedLedger.ts';

/** The worker thread of a ledger. Its parent sends a `CallRequest` and gets a `WorkerMessage` for each. */

type LedgerTask = Extract<WorkerTask, { kind: 'ledger' }>;

function serveLedger({ file, readOnly, workerFile }: LedgerTask): void {
  const post = (message: WorkerMessage): void => parentPort?.postMessage(message);
  const tasks = new LongTasks(workerFile, file);
  const ledger = storedLedger({
    ...{ file, readOnly, now: Date.now },
    // A check that could not be made says nothing about the file.
    isUndamaged: async () => ((await tasks.run('check')) as boolean | undefined) ?? true,
    reconcile: async () => reportOf((await tasks.run('reconcile')) as ReconcileAnswer | undefined),
    onSetAside: (aside) => post({ kind: 'setAside', file: aside }),
  });
  const answer = async ({ id, name, args }: CallRequest): Promise<void> => {
    try {
      const call = ledger[name] as (...args: readonly unknown[]) => unknown;
      const result = call(...args);
      if (name === 'close') await tasks.end();
      post({ kind: 'result', id, value: result instanceof Promise ? await result : result });
    } catch (error) {
      post({ kind: 'failure', id, failure: failureOf(error) });
    }
    if (name === 'close') parentPort?.close();
  };
  parentPort?.on('message', (request: CallRequest) => void answer(request));
}

function reportOf(answer: ReconcileAnswer | undefined): string {
  if (!answer) throw new LedgerError('ended');
  if ('report' in answer) return answer.report;
  const { problem, code, message } = answer.failure;
  throw problem === undefined ? new Error(message) : new LedgerError(problem, code);
}

function failureOf(error: unknown): CallFailure {
  if (error instanceof LedgerError)
    return { problem: error.problem, code: error.code, message: error.message };
  return { problem: undefined, code: '', message: String(error) };
}

function check(file: string): boolean {
  try {
    const database = openDatabase(file, true);
    try {
      assertUndamaged(database);
      return true;
    } finally {
      database.close();
    }
  } catch (cause) {
    const error = asLedgerError(cause);
    return !(error instanceof LedgerError && error.problem === 'damaged');
  }
}

function reconcile(file: string): ReconcileAnswer {
  try {
    return { report: reconcileFile(file) };
  } catch (cause) {
    return { failure: failureOf(asLedgerError(cause)) };
  }
}

const task = workerData as WorkerTask;
if (task.kind === 'ledger') serveLedger(task);
else parentPort?.postMessage(task.kind === 'check' ? check(task.file) : reconcile(task.file));
