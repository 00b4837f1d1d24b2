import type { DatabaseSync } from 'node:sqlite';
import { always, type Interval } from '../../base/interval.ts';
import { reconcile } from './reconciliation.ts';
import { reportJson } from './reportJson.ts';
import type { LedgerHistory, LedgerRecord } from '../ledger.ts';
import type { ReconciliationReader, TimedRecord } from './reconciliationReader.ts';
import { checkpointsIn } from '../storage/checkpointStore.ts';
import { idColumn } from '../storage/columns.ts';
import { withFile } from '../storage/ledgerFile.ts';
import { parseRecord } from '../storage/recordLines.ts';
import { SymbolAssets } from '../storage/symbolAssets.ts';
import { timeParts } from '../storage/timeParts.ts';
import { WalkStore } from '../storage/walkStore.ts';

/** How many records are parsed at a time: a few megabytes. */
const sliceSize = 1000;

/** Compares everything that a file has; returns the report as JSON. The file may be in use. */
export function reconcileFile(file: string): string {
  return withFile(file, (database) => reportJson(reconcile(storedReader(database))));
}

export function storedReader(database: DatabaseSync): ReconciliationReader {
  const walks = new WalkStore(database);
  const symbols = new SymbolAssets(database);
  return {
    checkpoints: () => checkpointsIn(database, always),
    marginAssetOf: (symbol) => {
      const { asset, assetBasis } = symbols.assetOf(symbol, 'marginAsset');
      return assetBasis === 'unknown' ? null : asset;
    },
    coverage: (history) => walks.coverage(history),
    records: (history, interval) => recordsIn(database, history, interval),
  };
}

/** The records that the exchange still lists, oldest first. The file is not locked while a record is used: that may take longer than other windows wait to write. */
function* recordsIn<History extends LedgerHistory>(
  database: DatabaseSync,
  history: History,
  interval: Interval,
): Generator<TimedRecord<History>> {
  for (const part of timeParts(database, history, interval))
    yield* recordsOfPart(database, history, part);
}

function* recordsOfPart<History extends LedgerHistory>(
  database: DatabaseSync,
  history: History,
  { from, to }: Interval,
): Generator<TimedRecord<History>> {
  const [rows, times]: [number[], number[]] = [[], []];
  const listed = database.prepare(
    `SELECT row, time FROM ${history}
     WHERE time >= ? AND time < ? AND unlistedSince IS NULL ORDER BY time, ${idColumn(history)}`,
  );
  // A list of a million objects would take a hundred megabytes.
  for (const { row, time } of listed.iterate(from, to)) {
    rows.push(Number(row));
    times.push(Number(time));
  }
  const find = database.prepare(
    `SELECT lines.json FROM json_each(?) r CROSS JOIN ${history}Json lines ON lines.row = r.value ORDER BY r.key`,
  );
  for (let start = 0; start < rows.length; start += sliceSize) {
    const lines = find.all(JSON.stringify(rows.slice(start, start + sliceSize)));
    for (const [index, { json }] of lines.entries())
      yield {
        time: times[start + index] ?? 0,
        record: parseRecord(String(json)) as LedgerRecord<History>,
      };
  }
}
