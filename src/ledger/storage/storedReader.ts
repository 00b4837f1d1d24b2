import type { DatabaseSync } from 'node:sqlite';
import type { Interval, LedgerHistory, LedgerRecord } from '../ledger.ts';
import type { ReconciliationReader } from '../reconciliation/reconciliationReader.ts';
import type { CheckpointStore } from './checkpointStore.ts';
import { parseRecord } from './recordLines.ts';
import type { WalkStore } from './walkStore.ts';

type ReadStores = {
  readonly database: DatabaseSync;
  readonly walks: WalkStore;
  readonly checkpoints: CheckpointStore;
};

/** What a reconciliation reads of an open file. Records are parsed one by one: they may be too many for the memory. */
export function storedReader({ database, walks, checkpoints }: ReadStores): ReconciliationReader {
  return {
    checkpoints: () => checkpoints.within({ from: 0, to: Number.MAX_SAFE_INTEGER }),
    coverage: (history) => walks.coverage(history),
    records: (history, interval) => recordsIn(database, history, interval),
  };
}

function* recordsIn<History extends LedgerHistory>(
  database: DatabaseSync,
  history: History,
  { from, to }: Interval,
): Generator<LedgerRecord<History>> {
  const statement = database.prepare(
    `SELECT json FROM ${history} JOIN ${history}Json USING (row) WHERE time >= ? AND time < ?`,
  );
  for (const { json } of statement.iterate(from, to))
    yield parseRecord(String(json)) as LedgerRecord<History>;
}
