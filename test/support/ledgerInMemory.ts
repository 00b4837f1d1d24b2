import type { Interval } from '../../src/base/interval.ts';
import { timeOf } from '../../src/exchange/history/records.ts';
import type { HistoryRecord } from '../../src/exchange/history/records.ts';
import {
  ledgerHistoryNames,
  type Checkpoint,
  type Coverage,
  type LedgerHistory,
  type LedgerRecord,
} from '../../src/ledger/ledger.ts';
import type { ReconciliationReader } from '../../src/ledger/reconciliation/reconciliationReader.ts';

export type LedgerRecords = Readonly<Record<LedgerHistory, readonly HistoryRecord[]>>;

/** Read long after the period ended. */
export function completeCoverage({ from, to }: Interval): Coverage {
  return { from, to, completeness: 'complete', reason: null, asOf: to + 86_400_000 };
}

type LedgerData = {
  readonly checkpoints: readonly Checkpoint[];
  readonly records: Partial<LedgerRecords>;
  readonly coverage: Partial<Readonly<Record<LedgerHistory, readonly Coverage[]>>>;
};

/** A ledger whose records are looked up by time. */
export function ledgerInMemory({
  checkpoints,
  records,
  coverage,
}: LedgerData): ReconciliationReader {
  const byTime = new Map(
    ledgerHistoryNames.map((history) => [
      history,
      (records[history] ?? [])
        .map((record) => ({ record, time: timeOf(record) ?? 0 }))
        .sort((one, other) => one.time - other.time),
    ]),
  );
  return {
    checkpoints: () => checkpoints,
    marginAssetOf: (symbol) => symbol.slice(symbol.lastIndexOf('_') + 1),
    coverage: (history) => coverage[history] ?? [],
    records: <History extends LedgerHistory>(history: History, { from, to }: Interval) =>
      (byTime.get(history) ?? [])
        .filter(({ time }) => from <= time && time < to)
        .map(({ time, record }) => ({ time, record: record as LedgerRecord<History> })),
  };
}

/** Every history complete over the interval. */
export function everythingCovered(interval: Interval): LedgerData['coverage'] {
  return Object.fromEntries(
    ledgerHistoryNames.map((history) => [history, [completeCoverage(interval)]]),
  );
}
