import { always, type Interval } from '../../src/base/interval.ts';
import type { HistoryRecord } from '../../src/exchange/history/records.ts';
import type {
  Analysis,
  AnalysisOf,
  AnalysisRequest,
  AnalysisView,
} from '../../src/ledger/analysis/analysis.ts';
import type { Checkpoint, LedgerHistory } from '../../src/ledger/ledger.ts';
import type { LedgerCalls } from '../../src/ledger/storedLedger.ts';
import { addCheckpoint } from '../../src/ledger/storage/checkpointStore.ts';
import { openDatabase } from '../../src/ledger/storage/ledgerFile.ts';
import { recordJson } from '../../src/ledger/storage/recordLines.ts';
import { inTransaction } from '../../src/ledger/storage/sql.ts';
import { ledgerInThisThread } from './ledgerUnderTest.ts';

export type LedgerContent = {
  readonly records?: Partial<Readonly<Record<LedgerHistory, readonly HistoryRecord[]>>>;
  readonly checkpoints?: readonly Checkpoint[];
  /** Where a history was read completely, and when; everything unless it is named. */
  readonly complete?: Partial<Readonly<Record<LedgerHistory, readonly CompleteRead[]>>>;
};

type CompleteRead = Interval & { readonly asOf?: number };

const everything: readonly CompleteRead[] = [{ from: 0, to: 4e12 }];
/** After all times of tests. */
const asOf = 4e12;

/** A new ledger in a file. A history without records was not read. */
export function writeLedger(
  file: string,
  { records = {}, checkpoints = [], complete = {} }: LedgerContent,
): LedgerCalls {
  const ledger = ledgerInThisThread({ file });
  // Creates its tables.
  ledger.versions();
  for (const [name, rows] of Object.entries(records)) {
    const history = name as LedgerHistory;
    const [first, ...others] = complete[history] ?? everything;
    const read = first ?? { from: 0, to: 1 };
    const walk = ledger.beginWalk({ history, asOf, ...read, purpose: 'download' });
    ledger.saveStep(walk.id, rows.map(recordJson), null);
    if (first) ledger.endWalk(walk.id, { completeness: 'complete', reason: null });
    else ledger.dropWalk(walk.id);
    for (const interval of others) {
      const { id } = ledger.beginWalk({ history, asOf, ...interval, purpose: 'download' });
      ledger.endWalk(id, { completeness: 'complete', reason: null });
    }
  }
  addCheckpoints(file, checkpoints);
  return ledger;
}

/** All in one transaction: each of its own waits for the disk. */
function addCheckpoints(file: string, checkpoints: readonly Checkpoint[]): void {
  const database = openDatabase(file, false);
  inTransaction(database, () => checkpoints.forEach((each) => addCheckpoint(database, each)));
  database.close();
}

/** By day in UTC, of everything in FUTURE, unless `request` says otherwise. */
export async function analysisOf<View extends AnalysisView>(
  ledger: { readonly analyse: (request: AnalysisRequest) => Promise<Analysis> },
  view: View,
  request: Partial<AnalysisRequest> = {},
): Promise<AnalysisOf<View>> {
  const asked: AnalysisRequest = {
    period: always,
    now: 1_763_632_800_000,
    zone: 'UTC',
    groupBy: 'day',
    splitBy: 'asset',
    account: 'FUTURE',
    ...request,
    view,
  };
  return (await ledger.analyse(asked)) as AnalysisOf<View>;
}
