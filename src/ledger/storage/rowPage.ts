import type { DatabaseSync } from 'node:sqlite';
import type { LedgerHistory } from '../ledger.ts';
import type { SqlValue } from './columns.ts';
import type { Condition } from './conditions.ts';
import { orderBy, type RowOrder } from './rowOrder.ts';
import { lastRow, numberOf } from './sql.ts';

type PageOfRows = {
  readonly history: LedgerHistory;
  readonly condition: Condition;
  readonly order: RowOrder;
  /** How many rows match. */
  readonly total: number;
  readonly offset: number;
  readonly count: number;
};

/** SQLite sorts all rows before a page with it: more than these take longer than to find a row near its start. */
const mostSorted = 20_000;
const sampleSize = 10_000;
const goldenRatio = (1 + Math.sqrt(5)) / 2;
/** How far before its place, in parts of the sample, a page's begin is looked for: the sample is not exact. */
const sampleMargin = 0.01;
/** If fewer than one row in this many matches, finding and sorting the rows is faster than following an index. */
const sparseRatio = 5;

/** A part of the order that has a page. */
type Span = {
  /** The values of a row a little before the page. */
  readonly begin: readonly SqlValue[];
  /** How many rows are before `begin`. */
  readonly offset: number;
  /** The values of a row that is probably after the page; undefined near the last row. */
  readonly end: readonly SqlValue[] | undefined;
};

/** The rows of a page, by their number. */
export function rowsOfPage(database: DatabaseSync, page: PageOfRows): number[] {
  const { history, offset, count } = page;
  const last = lastRow(database, history);
  const span = offset > mostSorted ? spanOf(database, page, last) : undefined;
  // A sign keeps SQLite from following the index of the order.
  const sign = page.total * sparseRatio < last ? '+' : '';
  const rowsWithin = (end: Span['end']): number[] => {
    const { sql, values } = within(page, span?.begin, end);
    const statement = database.prepare(
      `SELECT row FROM ${history} WHERE ${sql} ORDER BY ${sign}${orderBy(page.order)} LIMIT ? OFFSET ?`,
    );
    const rows = statement.all(...values, count, offset - (span?.offset ?? 0));
    return rows.map(({ row }) => Number(row));
  };
  const rows = rowsWithin(span?.end);
  return rows.length < count && span?.end ? rowsWithin(undefined) : rows;
}

/** Undefined for the first rows. */
function spanOf(database: DatabaseSync, page: PageOfRows, last: number): Span | undefined {
  const { history, condition, order, total, offset, count } = page;
  const sample = sampleRows(database, history, condition, order, last);
  for (let margin = sampleMargin; margin < 1; margin *= 2) {
    const begin = sample[Math.floor((offset / total - margin) * sample.length)];
    if (!begin) return undefined;
    const before = and(condition, compared(order, order.isDescending ? '>' : '<', begin));
    const rank = numberOf(
      database,
      `SELECT count(*) FROM ${history} WHERE ${before.sql}`,
      ...before.values,
    );
    const end = sample[Math.ceil(((offset + count) / total + margin) * sample.length)];
    if (rank <= offset) return { begin, offset: rank, end };
  }
  return undefined;
}

/** What rows spread over all of them are sorted by, in their order. */
function sampleRows(
  database: DatabaseSync,
  history: LedgerHistory,
  { sql, values }: Condition,
  order: RowOrder,
  last: number,
): SqlValue[][] {
  const rows = Array.from(
    { length: sampleSize },
    // Multiples of the golden ratio spread evenly, and have no period that the rows might have as well.
    (_none, index) => 1 + Math.floor(((index * goldenRatio) % 1) * last),
  );
  const statement = database.prepare(
    `SELECT ${order.terms.join(', ')} FROM ${history}
     WHERE row IN (SELECT value FROM json_each(?)) AND ${sql} ORDER BY ${orderBy(order)}`,
  );
  statement.setReadBigInts(true);
  const found = statement.all(JSON.stringify(rows), ...values);
  return found.map((row) => Object.values(row) as SqlValue[]);
}

function within(
  { condition, order }: PageOfRows,
  begin: readonly SqlValue[] | undefined,
  end: readonly SqlValue[] | undefined,
): Condition {
  const [after, before] = order.isDescending ? ['<=', '>='] : ['>=', '<='];
  const from = begin ? and(condition, compared(order, after, begin)) : condition;
  return end ? and(from, compared(order, before, end)) : from;
}

function compared({ terms }: RowOrder, operator: string, values: readonly SqlValue[]): Condition {
  const sql = `(${terms.join(', ')}) ${operator} (${terms.map(() => '?').join(', ')})`;
  return { sql, values };
}

function and(one: Condition, other: Condition): Condition {
  return { sql: `${one.sql} AND ${other.sql}`, values: [...one.values, ...other.values] };
}
