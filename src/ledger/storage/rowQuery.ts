import type { DatabaseSync } from 'node:sqlite';
import type { Interval, LedgerHistory, LedgerQuery } from '../ledger.ts';
import { columnsOf, idColumn, sqlColumns } from './columns.ts';
import { conditionOf, type Condition } from './conditions.ts';
import type { RecordJson } from './recordLines.ts';
import { numberOf } from './sql.ts';

export type FoundRows = {
  readonly lines: readonly RecordJson[];
  readonly total: number;
  readonly sortedAsText: number;
};

/** If fewer than one in so many rows match, finding and sorting them is faster than following an index. */
const sparseRatio = 5;

/** Finds the rows of a page. It counts the rows of a query once, until something is written. */
export class RowQuery {
  private readonly database: DatabaseSync;
  private counted: { readonly key: string; readonly total: number } | undefined;

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  /** `version` tells apart what the ledger had before and after a write. */
  page(query: LedgerQuery, offset: number, limit: number, version: string): FoundRows {
    const { history } = query;
    const condition = conditionOf(this.database, query);
    const total = this.count(history, condition, version);
    const rows = this.rowsOf(query, condition, total, offset, limit);
    return {
      lines: linesOf(this.database, history, rows),
      total,
      sortedAsText: this.textCount(query, condition),
    };
  }

  /** The rows of an interval, newest first. */
  newest(history: LedgerHistory, { from, to }: Interval, limit: number): readonly number[] {
    const statement = this.database.prepare(
      `SELECT row FROM ${history} WHERE time >= ? AND time < ?
       ORDER BY time DESC, ${idColumn(history)} DESC, row DESC LIMIT ?`,
    );
    return statement.all(from, to, limit).map(({ row }) => Number(row));
  }

  /** How many rows have more digits in the sorted field than can be sorted as a number. */
  private textCount({ history, sort }: LedgerQuery, condition: Condition): number {
    const column = columnsOf(history).find(({ field }) => field === sort?.field);
    if (column?.kind !== 'number') return 0;
    return countText(this.database, history, column.field, condition);
  }

  private count(history: LedgerHistory, { sql, values }: Condition, version: string): number {
    const statement = `SELECT count(*) FROM ${history} WHERE ${sql}`;
    const key = `${version} ${statement} ${values.join()}`;
    if (this.counted?.key !== key)
      this.counted = { key, total: numberOf(this.database, statement, ...values) };
    return this.counted.total;
  }

  private rowsOf(
    query: LedgerQuery,
    { sql, values }: Condition,
    total: number,
    offset: number,
    limit: number,
  ): readonly number[] {
    const count = Math.max(0, Math.min(limit, total - offset));
    if (count === 0) return [];
    // From the end, if that is nearer.
    const isReversed = offset + count / 2 > total / 2;
    const skipped = isReversed ? total - offset - count : offset;
    const order = orderOf(query, isReversed);
    const all = numberOf(this.database, `SELECT max(row) FROM ${query.history}`);
    // A sign keeps SQLite from following the index of the order.
    const sign = total * sparseRatio < all ? '+' : '';
    const statement = this.database.prepare(
      `SELECT row FROM ${query.history} WHERE ${sql} ORDER BY ${sign}${order} LIMIT ${count} OFFSET ${skipped}`,
    );
    const rows = statement.all(...values).map(({ row }) => Number(row));
    return isReversed ? rows.reverse() : rows;
  }
}

/** The records of rows, in their order. */
export function linesOf(
  database: DatabaseSync,
  history: LedgerHistory,
  rows: readonly number[],
): RecordJson[] {
  const find = database.prepare(`SELECT json FROM ${history}Json WHERE row = ?`);
  return rows.map((row) => String(find.get(row)?.json));
}

/** How many of the rows have a number in this field that is stored as its text. */
export function countText(
  database: DatabaseSync,
  history: LedgerHistory,
  field: string,
  { sql, values }: Condition,
): number {
  const has = `FROM ${history} INDEXED BY ${history}By${field}Text WHERE typeof(${field}) = 'blob'`;
  if (numberOf(database, `SELECT EXISTS (SELECT 1 ${has})`) === 0) return 0;
  return numberOf(database, `SELECT count(*) ${has} AND ${sql}`, ...values);
}

/** Ties are in the order of time and id, in the direction of the sort. */
function orderOf({ history, sort }: LedgerQuery, isReversed: boolean): string {
  const column = columnsOf(history).find(({ field }) => field === sort?.field);
  const isDescending = (column && sort ? sort.isDescending : true) !== isReversed;
  const names = [...(column ? sqlColumns(column) : []), 'time', idColumn(history), 'row'];
  const direction = isDescending ? 'DESC' : 'ASC';
  return [...new Set(names)].map((name) => `${name} ${direction}`).join(', ');
}
