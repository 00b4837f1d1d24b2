import { parentPort, workerData, Worker } from 'node:worker_threads';
import { LedgerError } from './ledgerError.ts';
import type { CallFailure, CallRequest, WorkerMessage, WorkerTask } from './ledgerMessages.ts';
import { assertUndamaged, openDatabase } from './storage/ledgerFile.ts';
import { asLedgerError } from './storage/storageErrors.ts';
import { storedLedger } from './storage/storedLedger.ts';

/** The worker thread of a ledger. Its parent sends a `CallRequest` and gets a `WorkerMessage` for each. */

type LedgerTask = Extract<WorkerTask, { kind: 'ledger' }>;

function serveLedger({ file, readOnly, workerFile }: LedgerTask): void {
  const post = (message: WorkerMessage): void => parentPort?.postMessage(message);
  const ledger = storedLedger({
    file,
    readOnly,
    now: Date.now,
    isUndamaged: () => checkInWorker(workerFile, file),
    onSetAside: (aside) => post({ kind: 'setAside', file: aside }),
  });
  const answer = async ({ id, name, args }: CallRequest): Promise<void> => {
    try {
      const call = ledger[name] as (...args: readonly unknown[]) => unknown;
      const result = call(...args);
      post({ kind: 'result', id, value: result instanceof Promise ? await result : result });
    } catch (error) {
      post({ kind: 'failure', id, failure: failureOf(error) });
    }
    if (name === 'close') parentPort?.close();
  };
  parentPort?.on('message', (request: CallRequest) => void answer(request));
}

function failureOf(error: unknown): CallFailure {
  if (error instanceof LedgerError)
    return { problem: error.problem, code: error.code, message: error.message };
  return { problem: undefined, code: '', message: String(error) };
}

/** Reads the whole file in a thread of its own, so that the ledger goes on answering. */
function checkInWorker(workerFile: string, file: string): Promise<boolean> {
  const task: WorkerTask = { kind: 'check', file };
  const worker = new Worker(workerFile, { workerData: task });
  return new Promise((resolve) => {
    worker.once('message', (isUndamaged: boolean) => resolve(isUndamaged));
    // A check that could not be made says nothing about the file.
    worker.once('error', () => resolve(true));
    worker.once('exit', () => resolve(true));
  });
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

const task = workerData as WorkerTask;
if (task.kind === 'check') parentPort?.postMessage(check(task.file));
else serveLedger(task);
