import type { DatabaseSync } from 'node:sqlite';
import type { Interval } from '../../base/interval.ts';
import type { LedgerHistory } from '../ledger.ts';

/** Reading so many rows holds up a writer too briefly to be noticed. */
const mostRows = 20_000;

/** An interval in parts that are short to read, because a writer waits while one of them is read. */
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
    // All rows of one time are in one part.
    const end = Math.max(time, start + 1);
    yield { from: start, to: end };
    start = end;
  }
}
