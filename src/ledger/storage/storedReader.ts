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

/** So many records are parsed at a time: a few megabytes. */
const sliceSize = 1000;

/** What a reconciliation reads of an open file. */
export function storedReader({ database, walks, checkpoints }: ReadStores): ReconciliationReader {
  return {
    checkpoints: () => checkpoints.within({ from: 0, to: Number.MAX_SAFE_INTEGER }),
    coverage: (history) => walks.coverage(history),
    records: (history, interval) => recordsIn(database, history, interval),
  };
}

/** The records that the exchange still lists. The file is not locked while a record is used: that may take longer than other windows wait to write. */
function* recordsIn<History extends LedgerHistory>(
  database: DatabaseSync,
  history: History,
  { from, to }: Interval,
): Generator<LedgerRecord<History>> {
  const rows = database
    .prepare(`SELECT row FROM ${history} WHERE time >= ? AND time < ? AND unlistedSince IS NULL`)
    .all(from, to)
    .map(({ row }) => Number(row));
  const find = database.prepare(
    `SELECT json FROM ${history}Json WHERE row IN (SELECT value FROM json_each(?))`,
  );
  for (let start = 0; start < rows.length; start += sliceSize)
    for (const { json } of find.all(JSON.stringify(rows.slice(start, start + sliceSize))))
      yield parseRecord(String(json)) as LedgerRecord<History>;
}
