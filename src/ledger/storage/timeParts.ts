import type { DatabaseSync } from 'node:sqlite';
import type { Interval } from '../../base/interval.ts';
import type { LedgerHistory } from '../ledger.ts';

/** Reading so many rows holds up a writer too briefly to be noticed. */
const mostRows = 10_000;

/** An interval in parts that are short to read, because a writer waits while one of them is read. */
export function* timeParts(
  database: DatabaseSync,
  history: LedgerHistory,
  { from, to }: Interval,
): Generator<Interval> {
  const find = timeAfterPart(database, history, 'ASC');
  for (let start = from; start < to;) {
    const { time = to } = (find.get(start, to) ?? {}) as FoundTime;
    // All rows of one time are in one part.
    const end = Math.max(time, start + 1);
    yield { from: start, to: end };
    start = end;
  }
}

/** The same, the newest part first. */
export function* newestTimeParts(
  database: DatabaseSync,
  history: LedgerHistory,
  { from, to }: Interval,
): Generator<Interval> {
  const find = timeAfterPart(database, history, 'DESC');
  for (let end = to; from < end;) {
    const { time: start = from } = (find.get(from, end) ?? {}) as FoundTime;
    yield { from: start, to: end };
    end = start;
  }
}

type FoundTime = { readonly time?: number };

function timeAfterPart(database: DatabaseSync, history: LedgerHistory, order: 'ASC' | 'DESC') {
  return database.prepare(
    `SELECT time FROM ${history} WHERE time >= ? AND time < ? ORDER BY time ${order} LIMIT 1 OFFSET ${mostRows}`,
  );
}
