import { parentPort, workerData } from 'node:worker_threads';
import { analyseFile } from './analysis/analyse.ts';
import { failureOf } from './callFailure.ts';
import { LedgerError } from './ledgerError.ts';
import type {
  CallRequest,
  LongTask,
  TaskAnswer,
  TaskResults,
  WorkerMessage,
  WorkerTask,
} from './ledgerMessages.ts';
import { LongTasks } from './longTasks.ts';
import { assertUndamaged, openDatabase } from './storage/ledgerFile.ts';
import { asLedgerError } from './storage/storageErrors.ts';
import { reconcileFile } from './storage/storedReader.ts';
import { storedLedger } from './storage/storedLedger.ts';
import { whileBusy } from './whileBusy.ts';

/** The worker thread of a ledger. Its parent sends a `CallRequest` and gets a `WorkerMessage` for each. */

type LedgerTask = Extract<WorkerTask, { kind: 'ledger' }>;

function serveLedger({ file, readOnly, workerFile }: LedgerTask): void {
  const post = (message: WorkerMessage): void => parentPort?.postMessage(message);
  const tasks = new LongTasks(workerFile, file);
  const ledger = storedLedger({
    file,
    readOnly,
    now: Date.now,
    isUndamaged: () => tasks.run({ kind: 'check' }),
    reconcile: () => tasks.run({ kind: 'reconcile' }),
    analyse: (request) => tasks.run({ kind: 'analyse', request }),
    onSetAside: (aside, reason) => post({ kind: 'setAside', file: aside, reason }),
  });
  let isClosed = false;
  const answer = async ({ id, name, args }: CallRequest): Promise<void> => {
    try {
      const call = ledger[name] as (...args: readonly unknown[]) => unknown;
      isClosed ||= name === 'close';
      const value = await whileBusy(
        () => call(...args),
        () => isClosed,
      );
      if (name === 'close') await tasks.end();
      post({ kind: 'result', id, value });
    } catch (error) {
      post({ kind: 'failure', id, failure: failureOf(error) });
    }
    if (name === 'close') parentPort?.close();
  };
  parentPort?.on('message', (request: CallRequest) => void answer(request));
}

/** Throws if it cannot look: that says nothing about the file. */
function isUndamaged(file: string): boolean {
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
    if (error instanceof LedgerError && error.problem === 'damaged') return false;
    throw error;
  }
}

function resultOf(task: LongTask & { readonly file: string }): TaskResults[LongTask['kind']] {
  switch (task.kind) {
    case 'check':
      return isUndamaged(task.file);
    case 'reconcile':
      return reconcileFile(task.file);
    case 'analyse':
      return analyseFile(task.file, task.request);
  }
}

function answerOf(task: LongTask & { readonly file: string }): TaskAnswer<LongTask['kind']> {
  try {
    return { result: resultOf(task) };
  } catch (cause) {
    return { failure: failureOf(asLedgerError(cause)) };
  }
}

const task = workerData as WorkerTask;
if (task.kind === 'ledger') serveLedger(task);
else parentPort?.postMessage(answerOf(task));
