import type { DatabaseSync } from 'node:sqlite';
import type { Interval } from '../../base/interval.ts';
import type { LedgerHistory, LedgerQuery, LedgerRows, RowPiece, RowPlace } from '../ledger.ts';
import { columnsOf, idColumn, type SqlValue, sqlColumns, type StoredColumn } from './columns.ts';
import { everyRow, conditionOf, type Condition } from './conditions.ts';
import { changesOf } from './fileState.ts';
import type { RecordJson } from './recordLines.ts';
import { lastRow, numberOf } from './sql.ts';
import { newestTimeParts, timeParts } from './timeParts.ts';

type FoundRows = Omit<LedgerRows, 'rows'> & { readonly lines: readonly RecordJson[] };
type FoundPiece = Omit<RowPiece, 'rows'> & { readonly lines: readonly RecordJson[] };

/** Finds the records of queries. It counts the rows of a query once, until its history changes. */
export class RowQuery {
  private readonly database: DatabaseSync;
  private counted: { readonly key: string; readonly total: number } | undefined;

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  page(query: LedgerQuery, offset: number, limit: number): FoundRows {
    const condition = conditionOf(this.database, query);
    const total = this.count(query.history, condition);
    const rows = this.rowsFrom(query, condition, total, offset, limit);
    const unlisted = this.unlistedRows(query.history);
    return {
      lines: this.linesOf(query.history, rows),
      unlisted: rows.flatMap((row, index) => {
        const since = unlisted.get(row);
        return since === undefined ? [] : [{ index, since }];
      }),
      total,
      listed: total - this.countAmong([...unlisted.keys()], query.history, condition),
      sortedAsText: this.textCount(query, condition),
    };
  }

  /** Continues from the values that the last row is sorted by: no row comes twice, and none is counted or skipped. */
  piece(query: LedgerQuery, place: RowPlace | null, limit: number): FoundPiece {
    const { history } = query;
    const order = rowOrder(query);
    const start = { last: place?.last ?? lastRow(this.database, history), after: null };
    const after = place?.after;
    const left = after ? { ...query, period: periodAfter(query.period, order, after) } : query;
    // With the sign, SQLite follows the index of the order.
    const known = { sql: '+row <= ?', values: [start.last] };
    const following = after
      ? and(known, compared(order, order.isDescending ? '<' : '>', after))
      : known;
    const found: Record<string, unknown>[] = [];
    for (const period of this.partsOf(left, order)) {
      const { sql, values } = and(conditionOf(this.database, { ...left, period }), following);
      const statement = this.database.prepare(
        `SELECT row, json FROM ${history} JOIN ${history}Json USING (row)
         WHERE ${sql} ORDER BY ${orderBy(order)} LIMIT ?`,
      );
      found.push(...statement.all(...values, limit - found.length));
      if (found.length === limit) break;
    }
    const lines = found.map(({ json }) => String(json));
    if (found.length < limit) return { lines, start, next: null };
    const last = this.database.prepare(
      `SELECT ${order.terms.join(', ')} FROM ${history} WHERE row = ?`,
    );
    last.setReadBigInts(true);
    const next = Object.values(last.get(Number(found.at(-1)?.row)) ?? {}) as SqlValue[];
    return { lines, start, next: { ...start, after: next } };
  }

  /** Parts that are short to read: SQLite may have to look at many rows for few that match a filter. */
  private partsOf(
    { history, period, filters }: LedgerQuery,
    { terms, isDescending }: RowOrder,
  ): Iterable<Interval> {
    if (terms[0] !== 'time' || Object.keys(filters).length === 0) return [period];
    const parts = isDescending ? newestTimeParts : timeParts;
    return parts(this.database, history, period);
  }

  /** The records of an interval that the exchange still lists, newest first. */
  newest(history: LedgerHistory, { from, to }: Interval, limit: number): RecordJson[] {
    const statement = this.database.prepare(
      `SELECT json FROM ${history} r JOIN ${history}Json j USING (row) WHERE time >= ? AND time < ?
       AND unlistedSince IS NULL ORDER BY time DESC, ${idColumn(history)} DESC, r.row DESC LIMIT ?`,
    );
    return statement.all(from, to, limit).map(({ json }) => String(json));
  }

  private count(history: LedgerHistory, condition: Condition): number {
    if (condition === everyRow) return lastRow(this.database, history);
    const { sql, values } = condition;
    const statement = `SELECT count(*) FROM ${history} WHERE ${sql}`;
    const key = `${changesOf(this.database, history)} ${statement} ${values.join()}`;
    if (this.counted?.key !== key)
      this.counted = { key, total: numberOf(this.database, statement, ...values) };
    return this.counted.total;
  }

  private rowsFrom(
    query: LedgerQuery,
    condition: Condition,
    total: number,
    offset: number,
    limit: number,
  ): readonly number[] {
    const { history } = query;
    const count = Math.max(0, Math.min(limit, total - offset));
    const order = rowOrder(query);
    // From the end, if that is nearer.
    if (offset <= total / 2)
      return rowsOfPage(this.database, { history, condition, order, total, offset, count });
    const backwards = { order: reversed(order), offset: total - offset - count };
    return rowsOfPage(this.database, { history, condition, total, count, ...backwards }).reverse();
  }

  private linesOf(history: LedgerHistory, rows: readonly number[]): RecordJson[] {
    // One statement for all rows takes a tenth of one for each.
    const found = this.database
      .prepare(
        `SELECT lines.json FROM json_each(?) r CROSS JOIN ${history}Json lines ON lines.row = r.value
         ORDER BY r.key`,
      )
      .all(JSON.stringify(rows));
    return found.map(({ json }) => String(json));
  }

  /** The few rows that the exchange no longer lists, with since when. */
  private unlistedRows(history: LedgerHistory): ReadonlyMap<number, number> {
    const found = this.database
      .prepare(`SELECT row, unlistedSince FROM ${history} WHERE unlistedSince IS NOT NULL`)
      .all();
    return new Map(found.map(({ row, unlistedSince }) => [Number(row), Number(unlistedSince)]));
  }

  /** How many of these rows match. */
  private countAmong(
    rows: readonly number[],
    history: LedgerHistory,
    { sql, values }: Condition,
  ): number {
    if (rows.length === 0) return 0;
    return numberOf(
      this.database,
      `SELECT count(*) FROM ${history} WHERE row IN (SELECT value FROM json_each(?)) AND ${sql}`,
      JSON.stringify(rows),
      ...values,
    );
  }

  /** How many rows have more digits in the sorted field than can be sorted as a number. */
  private textCount({ history, sort }: LedgerQuery, { sql, values }: Condition): number {
    const column = columnsOf(history).find(({ field }) => field === sort?.field);
    if (column?.kind !== 'number') return 0;
    return numberOf(
      this.database,
      `SELECT count(*) FROM ${history} INDEXED BY ${history}WithText
       WHERE hasText = 1 AND typeof(${column.field}) = 'blob' AND ${sql}`,
      ...values,
    );
  }
}

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
function rowsOfPage(database: DatabaseSync, page: PageOfRows): number[] {
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

/** The order of rows, as SQL. All terms have one direction, so that rows can be compared as a whole. */
type RowOrder = { readonly terms: readonly string[]; readonly isDescending: boolean };

/** What is left of a period after a row in order of time. SQLite looks for it in the index; rows it would compare one by one. */
function periodAfter(
  { from, to }: Interval,
  { terms, isDescending }: RowOrder,
  [first]: readonly SqlValue[],
): Interval {
  if (terms[0] !== 'time') return { from, to };
  const time = Number(first);
  return isDescending ? { from, to: Math.min(to, time + 1) } : { from: Math.max(from, time), to };
}

/** Ties are in the order of time and id. No two rows are equal. */
function rowOrder({ history, sort }: LedgerQuery): RowOrder {
  const column = columnsOf(history).find(({ field }) => field === sort?.field);
  const ties = ['time', idColumn(history), 'row'];
  if (!column || !sort) return { terms: ties, isDescending: true };
  const terms = new Set([...sortedTerms(column), ...ties]);
  return { terms: [...terms], isDescending: sort.isDescending };
}

function reversed({ terms, isDescending }: RowOrder): RowOrder {
  return { terms, isDescending: !isDescending };
}

function orderBy({ terms, isDescending }: RowOrder): string {
  return terms.map((term) => `${term} ${isDescending ? 'DESC' : 'ASC'}`).join(', ');
}

/** Nothing can be compared with null: it is what sorts before all values, where SQLite has it as well. */
function sortedTerms(column: StoredColumn): string[] {
  switch (column.kind) {
    case 'number': {
      const [whole, ...fraction] = sqlColumns(column);
      return [`ifnull(${whole}, -1 << 63)`, ...fraction.map((part) => `ifnull(${part}, 0)`)];
    }
    case 'reference':
    case 'word':
      return [`ifnull(${column.field}, '')`];
    case 'flag':
      return [column.field];
    case 'id':
    case 'time':
      return [...sqlColumns(column)];
  }
}
