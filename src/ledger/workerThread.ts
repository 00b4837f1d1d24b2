import { parentPort, Worker, type MessagePort } from 'node:worker_threads';
import { RpcClient, RpcServer, type Events, type Methods, type Port } from '../base/rpc.ts';
import { systemClock } from '../base/time.ts';
import { errorOf, failureOf, LedgerError } from './ledgerError.ts';
import { asLedgerError } from './storage/storageErrors.ts';

/** What a thread of a ledger is started for: `tasks` are those that take long. */
export type ThreadTask =
  | {
      readonly kind: 'ledger';
      readonly file: string;
      readonly readOnly: boolean;
      readonly isTemporary: boolean;
      /** Of the worker itself, which starts others for its tasks. */
      readonly workerFile: string;
    }
  | { readonly kind: 'tasks' };

/** Functions of a thread, as another one calls them. */
export type MethodsOfCalls<Calls extends Record<string, (...args: never[]) => unknown>> = {
  [Name in keyof Calls]: {
    params: Parameters<Calls[Name]>;
    result: Awaited<ReturnType<Calls[Name]>>;
  };
};

export type WorkerThread<Served extends Methods, Sent extends Events> = {
  readonly worker: Worker;
  readonly client: RpcClient<Served, Sent>;
};

/** Starts a thread. What waits for it is rejected with a LedgerError of `ended` if it ends. */
export function startThread<Served extends Methods, Sent extends Events>(
  workerFile: string,
  task: ThreadTask,
  listeners: { [Name in keyof Sent]: (value: Sent[Name]) => void },
  onEnd: () => void,
): WorkerThread<Served, Sent> {
  const execArgv = ['--disable-warning=ExperimentalWarning'];
  const worker = new Worker(workerFile, { workerData: task, execArgv });
  const client = new RpcClient<Served, Sent>({
    port: portOf(worker),
    clock: systemClock,
    idPrefix: '',
    deadlineMs: () => null,
    toError: (failure) => errorOf(failure as ReturnType<typeof failureOf>),
    listeners,
  });
  const end = (cause?: unknown): void => {
    onEnd();
    client.rejectAll(new LedgerError('ended', '', { cause }));
  };
  worker.on('error', end);
  worker.once('exit', () => end());
  return { worker, client };
}

/** Serves the thread that started this one. */
export function serveParent<Served extends Methods, Sent extends Events>(
  serve: (name: keyof Served, args: readonly unknown[]) => unknown,
): RpcServer<Served, Sent> {
  if (!parentPort) throw new Error('This is no worker.');
  return new RpcServer({
    port: portOf(parentPort),
    serve: (name, args) => serve(name, args as readonly unknown[]),
    toFailure: (error) => failureOf(asLedgerError(error)),
  });
}

function portOf(end: Worker | MessagePort): Port {
  return {
    postMessage: (message) => end.postMessage(message),
    onMessage: (listener) => {
      end.on('message', listener);
      return { dispose: () => end.off('message', listener) };
    },
  };
}
