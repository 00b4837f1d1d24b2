import { existsSync } from 'node:fs';
import path from 'node:path';
import { always } from '../../src/base/interval.ts';
import type { HistoryRecord } from '../../src/exchange/history/records.ts';
import { LedgerClient, type LedgerMethods } from '../../src/ledger/ledgerClient.ts';
import { Ledgers } from '../../src/ledger/ledgers.ts';
import type { LedgerHistory, LedgerQuery, SavedWalk } from '../../src/ledger/ledger.ts';
import { previewBotFile } from '../../src/ledger/comparison/botFile.ts';
import { compareFile } from '../../src/ledger/comparison/compare.ts';
import { analyseFile } from '../../src/ledger/analysis/analyse.ts';
import type { LedgerCalls } from '../../src/ledger/storedLedger.ts';
import { createEmptyFile } from '../../src/ledger/storage/emptyFile.ts';
import type { ConnectionOptions } from '../../src/ledger/storage/ledgerConnection.ts';
import { recordJson } from '../../src/ledger/storage/recordLines.ts';
import { reconcileFile } from '../../src/ledger/reconciliation/storedReader.ts';
import { storedLedger } from '../../src/ledger/storedLedger.ts';
import { folderOfEachTest, projectRoot } from './project.ts';

export const ledgerWorkerFile =
  process.env.MARGIN_DESK_LEDGER_WORKER ?? path.join(projectRoot, 'src/ledger/ledgerWorker.ts');

/** A folder of ledgers, and the windows that have one open. */
export type LedgersUnderTest = {
  readonly folder: string;
  readonly ledgers: Ledgers;
  /** What was set aside, in order. */
  readonly setAside: readonly string[];
  readonly fileOf: (id: string) => string;
  /** A window; the test closes none of them. */
  open(id: string): LedgerClient;
};

/** Called in a `describe`: each test has ledgers of its own. */
export function ledgersOfEachTest(): LedgersUnderTest {
  const clients: LedgerClient[] = [];
  const setAside: string[] = [];
  beforeEach(() => void setAside.splice(0));
  // Before their folder is removed.
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
  });
  const folder = folderOfEachTest();
  const ledgers = (): Ledgers =>
    new Ledgers({
      folder: folder.path,
      workerFile: ledgerWorkerFile,
      onSetAside: (file) => setAside.push(file),
    });
  return {
    get folder() {
      return folder.path;
    },
    get ledgers() {
      return ledgers();
    },
    setAside,
    fileOf: (id) => path.join(folder.path, `${id}.sqlite`),
    open: (id) => {
      const client = ledgers().open(id);
      clients.push(client);
      return client;
    },
  };
}

/** Begins a walk over everything. */
export function beginWalk(client: LedgerClient, history: LedgerHistory): Promise<SavedWalk> {
  return client.beginWalk({ history, from: 0, to: 4e12, asOf: 4e12, purpose: 'download' });
}

/** All rows of a history, newest first, unless `query` says otherwise. */
export function aQuery(history: LedgerHistory, query: Partial<LedgerQuery> = {}): LedgerQuery {
  return { history, period: always, filters: {}, search: '', sort: null, ...query };
}

/** A ledger without its worker: its calls block, and need no thread of their own. */
export function ledgerInThisThread(
  options: Partial<ConnectionOptions> & { file: string },
): LedgerCalls {
  if (!existsSync(options.file)) createEmptyFile(options.file);
  return storedLedger({
    readOnly: false,
    onWrite: () => undefined,
    now: () => 1_763_632_800_000,
    isUndamaged: () => Promise.resolve(true),
    reconcile: () => Promise.resolve(reconcileFile(options.file)),
    analyse: (request) => Promise.resolve(analyseFile(options.file, request)),
    compare: (...of) => Promise.resolve(compareFile(options.file, ...of)),
    previewBotFile: (file) => Promise.resolve(previewBotFile(file)),
    onSetAside: () => undefined,
    ...options,
  });
}

/** A new ledger of these records. */
export function ledgerOf(
  file: string,
  history: LedgerHistory,
  records: readonly HistoryRecord[],
): LedgerCalls {
  const ledger = ledgerInThisThread({ file });
  const { id } = ledger.beginWalk({ history, from: 0, to: 4e12, asOf: 4e12, purpose: 'download' });
  ledger.saveStep(id, records.map(recordJson), null);
  return ledger;
}

/** Stores records as a complete read of everything shows them. */
export function saveRecords(
  ledger: LedgerCalls,
  history: LedgerHistory,
  records: readonly HistoryRecord[],
): void {
  const everything = { from: 0, to: 4e12, asOf: 4e12, purpose: 'download' } as const;
  const { id } = ledger.beginWalk({ history, ...everything });
  ledger.saveStep(id, records.map(recordJson), null);
  ledger.endWalk(id, { completeness: 'complete', reason: null });
}

/** The calls that store something. */
export const ledgerWrites: ReadonlySet<keyof LedgerCalls> = new Set([
  ...(['beginWalk', 'pauseWalk', 'saveStep', 'endWalk', 'dropWalk'] as const),
  ...(['storeRows', 'addCheckpoint', 'noteOldestRow'] as const),
]);

/** A window's client of a ledger in this thread; a test may have its calls fail. */
export class ClientInThisThread extends LedgerClient {
  private readonly calls: Partial<LedgerCalls>;
  /** Called before each call: what it throws, the call rejects with, and nothing is done. */
  beforeCall: (name: keyof LedgerCalls) => void = () => undefined;

  constructor(calls: Partial<LedgerCalls>) {
    super({ workerFile: '', file: '' });
    this.calls = calls;
  }

  protected override async request<Name extends keyof LedgerCalls>(
    name: Name,
    args: LedgerMethods[Name]['params'],
  ): Promise<LedgerMethods[Name]['result']> {
    this.beforeCall(name);
    const call = this.calls[name] as (...of: unknown[]) => LedgerMethods[Name]['result'];
    return Promise.resolve(call(...args));
  }
}
