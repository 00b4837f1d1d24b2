import '../base/withoutNetwork.ts';
import { parentPort, workerData } from 'node:worker_threads';
import type { Events, RpcServer } from '../base/rpc.ts';
import { minuteMs } from '../base/time.ts';
import { rebuildsPositions, type Analysis, type AnalysisRequest } from './analysis/analysis.ts';
import type { LedgerEvents, LedgerMethods } from './ledgerClient.ts';
import { LedgerError } from './ledgerError.ts';
import { LongTasks, longTasks, type TaskMethods } from './longTasks.ts';
import { storedLedger } from './storedLedger.ts';
import { whileBusy } from './whileBusy.ts';
import { serveParent, type ThreadTask } from './workerThread.ts';

/** The worker thread of a ledger, which answers the calls of its parent, or one of its long tasks. */

type AnyCall = (...args: readonly unknown[]) => unknown;

function serveLedger({ workerFile, ...task }: ThreadTask & { kind: 'ledger' }): void {
  const tasks = new LongTasks(workerFile);
  const rebuilds = new LongTasks(workerFile, 10 * minuteMs);
  let lastRebuild: Promise<unknown> = Promise.resolve();
  const { file } = task;
  /** Those of positions wait for one another: one thread keeps the positions, and reads newer trades only. */
  const analyse = async (request: AnalysisRequest): Promise<Analysis> => {
    if (!rebuildsPositions(request)) return tasks.run('analyse', file, request);
    const rebuild = lastRebuild.then(() => {
      if (isClosed) throw new LedgerError('ended');
      return rebuilds.run('analyse', file, request);
    });
    lastRebuild = rebuild.catch(() => undefined);
    return rebuild;
  };
  const ledger = storedLedger({
    ...task,
    now: Date.now,
    isUndamaged: () => tasks.run('isUndamaged', file),
    reconcile: () => tasks.run('reconcile', file),
    analyse,
    compare: (source, choices) => tasks.run('compare', file, source, choices),
    previewBotFile: (bot) => tasks.run('previewBotFile', bot),
    onSetAside: (aside) => server.notify('setAside', aside),
    onWrite: () => server.notify('wrote', null),
  });
  let isClosed = false;
  const server: RpcServer<LedgerMethods, LedgerEvents> = serveParent(async (name, args) => {
    if (isClosed) throw new LedgerError('ended');
    if (name === 'close') return close();
    const call = ledger[name] as AnyCall;
    return whileBusy(
      () => call(...args),
      () => isClosed,
    );
  });
  const close = async (): Promise<void> => {
    isClosed = true;
    try {
      ledger.close();
    } finally {
      await Promise.all([tasks.end(), rebuilds.end()]);
      // After the answer.
      setImmediate(() => parentPort?.close());
    }
  };
}

const task = workerData as ThreadTask;
if (task.kind === 'ledger') serveLedger(task);
else {
  const tasks = longTasks();
  serveParent<TaskMethods, Events>((kind, args) => (tasks[kind] as AnyCall)(...args));
}
