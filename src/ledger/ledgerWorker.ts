import { parentPort, workerData } from 'node:worker_threads';
import { failureOf } from './ledgerError.ts';
import type { CallAnswer, CallRequest, LedgerTask, WorkerMessage } from './ledgerMessages.ts';
import { LongTasks, longTasks, type LongTask } from './longTasks.ts';
import { asLedgerError } from './storage/storageErrors.ts';
import { storedLedger } from './storage/storedLedger.ts';
import { whileBusy } from './whileBusy.ts';

/** The worker thread of a ledger, which answers each `CallRequest` of its parent, or one of its long tasks. */

type AnyCall = (...args: readonly unknown[]) => unknown;

function serveLedger({ file, readOnly, workerFile }: LedgerTask): void {
  const post = (message: WorkerMessage): void => parentPort?.postMessage(message);
  const tasks = new LongTasks(workerFile);
  const ledger = storedLedger({
    file,
    readOnly,
    now: Date.now,
    isUndamaged: () => tasks.run('isUndamaged', file),
    reconcile: () => tasks.run('reconcile', file),
    analyse: (request) => tasks.run('analyse', file, request),
    onSetAside: (aside, reason) => post({ kind: 'setAside', file: aside, reason }),
  });
  let isClosed = false;
  const answer = async ({ id, name, args }: CallRequest): Promise<void> => {
    isClosed ||= name === 'close';
    const call = ledger[name] as AnyCall;
    const answered = await answerOf(() =>
      whileBusy(
        () => call(...args),
        () => isClosed,
      ),
    );
    if (name === 'close') await tasks.end();
    post({ kind: 'answer', id, ...answered });
    if (name === 'close') parentPort?.close();
  };
  parentPort?.on('message', (request: CallRequest) => void answer(request));
}

async function answerOf(work: () => unknown): Promise<CallAnswer> {
  try {
    return { value: await work() };
  } catch (error) {
    return { failure: failureOf(asLedgerError(error)) };
  }
}

function serveTasks(): void {
  parentPort?.on('message', ({ kind, args }: LongTask) => {
    const run = longTasks[kind] as AnyCall;
    void answerOf(() => run(...args)).then((answer) => parentPort?.postMessage(answer));
  });
}

const served = workerData as LedgerTask | { readonly kind: 'tasks' };
if (served.kind === 'ledger') serveLedger(served);
else serveTasks();
