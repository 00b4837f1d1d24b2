import type { DatabaseSync } from 'node:sqlite';
import type { Interval, LedgerHistory, LedgerQuery, LedgerRows } from '../ledger.ts';
import { columnsOf, idColumn } from './columns.ts';
import { everyRow, conditionOf, type Condition } from './conditions.ts';
import type { RecordJson } from './recordLines.ts';
import { reversed, rowOrder } from './rowOrder.ts';
import { rowsOfPage } from './rowPage.ts';
import { lastRow, numberOf } from './sql.ts';

type FoundRows = Omit<LedgerRows, 'rows'> & { readonly lines: readonly RecordJson[] };

/** Finds the records of queries. It counts the rows of a query once, until something is written. */
export class RowQuery {
  private readonly database: DatabaseSync;
  private counted: { readonly key: string; readonly total: number } | undefined;

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  /** `writes` tells apart what the ledger had before and after a write. */
  page(query: LedgerQuery, offset: number, limit: number, writes: string): FoundRows {
    const condition = conditionOf(this.database, query);
    const total = this.count(query.history, condition, writes);
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

  /** The records of an interval that the exchange still lists, newest first. */
  newest(history: LedgerHistory, { from, to }: Interval, limit: number): RecordJson[] {
    const statement = this.database.prepare(
      `SELECT json FROM ${history} r JOIN ${history}Json j USING (row) WHERE time >= ? AND time < ?
       AND unlistedSince IS NULL ORDER BY time DESC, ${idColumn(history)} DESC, r.row DESC LIMIT ?`,
    );
    return statement.all(from, to, limit).map(({ json }) => String(json));
  }

  private count(history: LedgerHistory, condition: Condition, writes: string): number {
    if (condition === everyRow) return lastRow(this.database, history);
    const { sql, values } = condition;
    const statement = `SELECT count(*) FROM ${history} WHERE ${sql}`;
    const key = `${writes} ${statement} ${values.join()}`;
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
    const find = this.database.prepare(`SELECT json FROM ${history}Json WHERE row = ?`);
    return rows.map((row) => String(find.get(row)?.json));
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
