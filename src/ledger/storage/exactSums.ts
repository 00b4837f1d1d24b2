import type { DatabaseSync } from 'node:sqlite';
import { extremes, plain, sum, type NumberText } from '../../base/decimal.ts';
import type { FieldSum, LedgerHistory, LedgerQuery } from '../ledger.ts';
import { columnsOf } from './columns.ts';
import { conditionOf, type Condition } from './conditions.ts';
import { keySum } from './numberKey.ts';

const limb = '1000000000';
const base = 10n ** 9n;

type SumRow = Readonly<Record<string, unknown>>;

/**
 * The exact sum of a number's columns as a result of SQL, which `sumOfRow` puts together. The whole part is added
 * in two halves, so that no sum can overflow.
 */
export function sumColumns(field: string): string {
  return [
    `sum(${field} / ${limb}) AS ${field}Sum3`,
    `sum(${field} % ${limb}) AS ${field}Sum2`,
    `sum(${field}Nano) AS ${field}Sum1`,
    `sum(${field}Atto) AS ${field}Sum0`,
  ].join(', ');
}

/** Reads what `sumColumns` gave, with integers as bigint; `0` for no numbers. */
function sumOfRow(row: SumRow, field: string): NumberText {
  return keySum(0n, 0n, scaledSumOfRow(row, field));
}

/** The same times 10 to the power of 18. */
export function scaledSumOfRow(row: SumRow, field: string): bigint {
  const part = (index: number): bigint => (row[`${field}Sum${index}`] as bigint | null) ?? 0n;
  return ((part(3) * base + part(2)) * base + part(1)) * base + part(0);
}

/** Exact figures of all rows that match and that the exchange still lists, by field and unit. */
export function exactSums(
  database: DatabaseSync,
  query: LedgerQuery,
  fields: readonly string[],
): FieldSum[] {
  const { history } = query;
  const numbers = columnsOf(history).filter(({ kind }) => kind === 'number');
  const known = fields.filter((name) => numbers.some(({ field }) => field === name));
  const condition = conditionOf(database, { ...query, isListed: true });
  const byUnit = Map.groupBy(known, (field) => unitColumn(history, field));
  return [...byUnit].flatMap(([unit, group]) => {
    const inSql = storedSums(database, history, condition, unit, group);
    return withTexts(inSql, textNumbers(database, history, condition, unit, group));
  });
}

/** The column that names what a field is counted in. */
function unitColumn(history: LedgerHistory, field: string): string {
  if (field === 'fee') return 'feeAsset';
  return columnsOf(history).some((column) => column.field === 'asset') ? 'asset' : 'symbol';
}

/**
 * The extremes are those of the whole part and nine decimals, which fit into one integer of SQLite. A number with
 * more digits needs a read of its own.
 */
function storedSums(
  database: DatabaseSync,
  history: LedgerHistory,
  { sql, values }: Condition,
  unit: string,
  fields: readonly string[],
): FieldSum[] {
  const where = `hasText IS NULL AND ${sql}`;
  const statement = database.prepare(
    `SELECT ${unit} AS unit, ${fields.map(figureColumns).join()} FROM ${history} WHERE ${where} GROUP BY ${unit}`,
  );
  statement.setReadBigInts(true);
  const found = statement.all(...values) as SumRow[];
  return fields.flatMap((field) =>
    found.map((row) => {
      const ofUnit = {
        sql: `${where} AND ${unit} IS ?`,
        values: [...values, row.unit as string | null],
      };
      return fieldSum(row, field, (order) => extremeOf(database, history, ofUnit, field, order));
    }),
  );
}

function figureColumns(field: string): string {
  const short = `${field} * ${limb} + ${field}Nano`;
  return `count(${field}) AS ${field}Count, count(*) - count(${field}) AS ${field}Lacking, ${sumColumns(field)},
    min(${short}) AS ${field}Min, max(${short}) AS ${field}Max,
    max(abs(${field}) >= ${limb} OR ${field}Atto <> 0) AS ${field}IsLong`;
}

function fieldSum(
  row: SumRow,
  field: string,
  extreme: (order: 'ASC' | 'DESC') => NumberText,
): FieldSum {
  const isLong = row[`${field}IsLong`] === 1n;
  const end = (name: string, order: 'ASC' | 'DESC'): NumberText =>
    isLong ? extreme(order) : keySum(0n, (row[`${field}${name}`] as bigint | null) ?? 0n, 0n);
  return {
    field,
    unit: row.unit as string | null,
    count: Number(row[`${field}Count`]),
    lacking: Number(row[`${field}Lacking`]),
    sum: sumOfRow(row, field),
    min: end('Min', 'ASC'),
    max: end('Max', 'DESC'),
  };
}

function extremeOf(
  database: DatabaseSync,
  history: LedgerHistory,
  { sql, values }: Condition,
  field: string,
  order: 'ASC' | 'DESC',
): NumberText {
  const parts = [field, `${field}Nano`, `${field}Atto`];
  const statement = database.prepare(
    `SELECT ${field} AS whole, ${field}Nano AS nano, ${field}Atto AS atto FROM ${history}
     WHERE ${field} IS NOT NULL AND ${sql} ORDER BY ${parts.map((part) => `${part} ${order}`).join()} LIMIT 1`,
  );
  statement.setReadBigInts(true);
  const { whole, nano, atto } = statement.get(...values) as Record<string, bigint>;
  return keySum(whole ?? 0n, nano ?? 0n, atto ?? 0n);
}

type UnitNumber = Pick<FieldSum, 'field' | 'unit'> & { readonly text: NumberText | null };

/** The numbers of rows that have one of too many digits for SQLite's integers. */
function textNumbers(
  database: DatabaseSync,
  history: LedgerHistory,
  { sql, values }: Condition,
  unit: string,
  fields: readonly string[],
): UnitNumber[] {
  const statement = database.prepare(
    `SELECT ${unit} AS unit, json FROM (SELECT row, ${unit} FROM ${history} WHERE hasText = 1 AND ${sql})
       JOIN ${history}Json USING (row)`,
  );
  return statement.all(...values).flatMap((row) => {
    const record = JSON.parse(String(row.json)) as SumRow;
    return fields.flatMap((field): UnitNumber[] => {
      const text = record[field];
      const unit = row.unit as string | null;
      return [{ field, unit, text: typeof text === 'string' ? text : null }];
    });
  });
}

function withTexts(sums: readonly FieldSum[], numbers: readonly UnitNumber[]): FieldSum[] {
  const keyOf = ({ field, unit }: Pick<FieldSum, 'field' | 'unit'>) =>
    JSON.stringify([field, unit]);
  const all = new Map(sums.map((each) => [keyOf(each), each]));
  for (const number of numbers) all.set(keyOf(number), withText(all.get(keyOf(number)), number));
  return [...all.values()];
}

function withText(known: FieldSum | undefined, { field, unit, text }: UnitNumber): FieldSum {
  const none = { field, unit, count: 0, lacking: 0, sum: '0', min: '0', max: '0' };
  const before = known ?? none;
  if (text === null) return { ...before, lacking: before.lacking + 1 };
  const number = plain(text);
  const ends = extremes(before.count === 0 ? [number] : [before.min, before.max, number]);
  return { ...before, ...ends, count: before.count + 1, sum: sum([before.sum, number]) };
}
