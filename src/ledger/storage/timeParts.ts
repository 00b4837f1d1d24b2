import type { DatabaseSync } from 'node:sqlite';
import type { Interval } from '../../base/interval.ts';
import type { LedgerHistory } from '../ledger.ts';

/** To read so many rows takes less than others notice who wait to write. */
const mostRows = 20_000;

/** An interval in parts of so few rows that nobody waits long to write while one of them is read. */
export function* timeParts(
  database: DatabaseSync,
  history: LedgerHistory,
  { from, to }: Interval,
): Generator<Interval> {
  const find = database.prepare(
    `SELECT time FROM ${history} WHERE time >= ? AND time < ? ORDER BY time LIMIT 1 OFFSET ${mostRows}`,
  );
  for (let start = from; start < to;) {
    const { time = to } = (find.get(start, to) ?? {}) as { readonly time?: number };
    // Rows of one time are not told apart.
    const end = Math.max(time, start + 1);
    yield { from: start, to: end };
    start = end;
  }
}
