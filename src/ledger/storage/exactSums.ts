import type { DatabaseSync } from 'node:sqlite';
import { compare, plain, sum, type NumberText } from '../../base/decimal.ts';
import type { FieldSum, LedgerHistory, LedgerQuery } from '../ledger.ts';
import { columnsOf } from './columns.ts';
import { conditionOf, type Condition } from './conditions.ts';
import { keySum } from './numberKey.ts';
import { countText } from './rowQuery.ts';

const limb = '1000000000';

/**
 * The exact sum of a number's column as a result of SQL. The whole part is added in two halves, so that no
 * column can overflow; `sumOfRow` puts them together.
 */
export function sumColumns(field: string): string {
  return [
    `sum(${field} / ${limb}) AS ${field}Sum3`,
    `sum(${field} % ${limb}) AS ${field}Sum2`,
    `sum(${field}Nano) AS ${field}Sum1`,
    `sum(${field}Atto) AS ${field}Sum0`,
  ].join(', ');
}

type SumRow = Readonly<Record<string, unknown>>;

/** The sum of a row that `sumColumns` gave, read with integers as bigint; `0` for no numbers. */
export function sumOfRow(row: SumRow, field: string): NumberText {
  const part = (index: number): bigint =>
    BigInt((row[`${field}Sum${index}`] as bigint | null) ?? 0);
  return keySum(part(3) * 10n ** 9n + part(2), part(1), part(0));
}

/** Exact figures of all rows that match, by field and unit. */
export function exactSums(
  database: DatabaseSync,
  query: LedgerQuery,
  fields: readonly string[],
): FieldSum[] {
  const numbers = columnsOf(query.history).filter(({ kind }) => kind === 'number');
  const known = fields.filter((name) => numbers.some(({ field }) => field === name));
  const condition = conditionOf(database, query);
  const byUnit = Map.groupBy(known, (field) => unitColumn(query.history, field));
  return [...byUnit].flatMap(([unit, group]) =>
    sumsByUnit(database, query.history, condition, unit, group),
  );
}

/** The column that names what a field is counted in. */
function unitColumn(history: LedgerHistory, field: string): string {
  const columns = columnsOf(history).map((column) => column.field);
  if (field === 'fee') return 'feeAsset';
  return columns.includes('asset') ? 'asset' : 'symbol';
}

function sumsByUnit(
  database: DatabaseSync,
  history: LedgerHistory,
  { sql, values }: Condition,
  unit: string,
  fields: readonly string[],
): FieldSum[] {
  return fields.flatMap((field) => {
    const long = longNumbers(database, history, { sql, values }, unit, field);
    const figures = `${unit} AS unit, count(*) AS count, ${sumColumns(field)}`;
    const range = `min(${field}) AS least, max(${field}) AS greatest`;
    const statement = database.prepare(
      `WITH matching AS (SELECT ${unit}, ${field}, ${field}Nano, ${field}Atto FROM ${history}
         WHERE ${sql} AND typeof(${field}) = 'integer'),
       figures AS (SELECT ${figures}, ${range} FROM matching GROUP BY ${unit})
       SELECT figures.*,
         min(fraction) FILTER (WHERE ${field} = least) AS leastFraction,
         max(fraction) FILTER (WHERE ${field} = greatest) AS greatestFraction
       FROM (SELECT ${unit}, ${field}, ${field}Nano * ${limb} + ${field}Atto AS fraction FROM matching) AS m
         JOIN figures ON m.${unit} IS figures.unit GROUP BY figures.unit`,
    );
    statement.setReadBigInts(true);
    const sums = (statement.all(...values) as SumRow[]).map((row) => fieldSum(row, field));
    return withLong(sums, field, long);
  });
}

function fieldSum(row: SumRow, field: string): FieldSum {
  const value = (whole: unknown, fraction: unknown): NumberText =>
    keySum(whole as bigint, 0n, fraction as bigint);
  return {
    field,
    unit: row.unit as string | null,
    count: Number(row.count),
    sum: sumOfRow(row, field),
    min: value(row.least, row.leastFraction),
    max: value(row.greatest, row.greatestFraction),
  };
}

type LongNumber = { readonly unit: string | null; readonly text: NumberText };

/** Numbers with too many digits for SQLite's integers. */
function longNumbers(
  database: DatabaseSync,
  history: LedgerHistory,
  condition: Condition,
  unit: string,
  field: string,
): LongNumber[] {
  if (countText(database, history, field, condition) === 0) return [];
  const statement = database.prepare(
    `SELECT r.${unit} AS unit, j.json FROM ${history} r JOIN ${history}Json j USING (row)
     WHERE typeof(r.${field}) = 'blob' AND r.row IN (SELECT row FROM ${history} WHERE ${condition.sql})`,
  );
  return statement.all(...condition.values).map((row) => ({
    unit: row.unit as string | null,
    text: String((JSON.parse(String(row.json)) as SumRow)[field]),
  }));
}

function withLong(
  sums: readonly FieldSum[],
  field: string,
  numbers: readonly LongNumber[],
): FieldSum[] {
  const byUnit = new Map(sums.map((each) => [each.unit, each]));
  for (const { unit, text } of numbers) {
    const before = byUnit.get(unit);
    const number = plain(text);
    byUnit.set(unit, {
      field,
      unit,
      count: (before?.count ?? 0) + 1,
      sum: sum([before?.sum ?? '0', number]),
      min: before && compare(before.min, number) <= 0 ? before.min : number,
      max: before && compare(before.max, number) >= 0 ? before.max : number,
    });
  }
  return [...byUnit.values()];
}
