import type { DatabaseSync } from 'node:sqlite';
import {
  added,
  amountOf,
  extremes,
  plain,
  signOf,
  sum,
  textOf,
  zeroAmount,
  type Amount,
  type NumberText,
} from '../../base/decimal.ts';
import type { Interval } from '../../base/interval.ts';
import type { FieldSum, LedgerHistory, LedgerQuery } from '../ledger.ts';
import { columnsOf } from './columns.ts';
import { conditionOf, type Condition } from './conditions.ts';
import { amountOfKey, textOfKey } from './numberKey.ts';

const limb = '1000000000';
const base = 10n ** 9n;

type SumRow = Readonly<Record<string, unknown>>;

/** The rows of a history, in groups of those with equal values of these SQL expressions. */
type RowGroups<Key extends string = string> = {
  readonly history: LedgerHistory;
  readonly condition: Condition;
  readonly groups: Readonly<Record<Key, string>>;
};

/** The exact sum of a number's columns. The whole part is added in two halves, so that no sum can overflow. */
export function sumColumns(field: string): string {
  return [
    `sum(${field} / ${limb}) AS ${field}Sum3`,
    `sum(${field} % ${limb}) AS ${field}Sum2`,
    `sum(${field}Nano) AS ${field}Sum1`,
    `sum(${field}Atto) AS ${field}Sum0`,
  ].join(', ');
}

/** Reads what `sumColumns` gave, with integers as bigint; 0 for no numbers. */
function sumOfRow(row: SumRow, field: string): Amount {
  const part = (index: number): bigint => (row[`${field}Sum${index}`] as bigint | null) ?? 0n;
  return amountOfKey(part(3) * base + part(2), part(1), part(0));
}

/** A result of SQL for each group, over the rows whose numbers SQLite can add. */
function groupRows(
  database: DatabaseSync,
  { history, condition, groups }: RowGroups,
  columns: readonly string[],
): Iterable<SumRow> {
  const statement = database.prepare(
    `SELECT ${[...selected(groups), ...columns].join()} FROM ${history}
     WHERE hasText IS NULL AND ${condition.sql} GROUP BY ${Object.keys(groups).join()}`,
  );
  statement.setReadBigInts(true);
  return statement.iterate(...condition.values);
}

/** The other rows, with the record of each: it has a number of too many digits for SQLite's integers. */
function* textRows(
  database: DatabaseSync,
  { history, condition, groups }: RowGroups,
): Generator<{ readonly row: SumRow; readonly record: SumRow }> {
  const statement = database.prepare(
    `SELECT * FROM (SELECT row, ${selected(groups).join()} FROM ${history} WHERE hasText = 1 AND ${condition.sql})
       JOIN ${history}Json USING (row)`,
  );
  statement.setReadBigInts(true);
  for (const row of statement.iterate(...condition.values) as Iterable<SumRow>)
    yield { row, record: JSON.parse(String(row.json)) as SumRow };
}

function selected(groups: RowGroups['groups']): string[] {
  return Object.entries(groups).map(([name, sql]) => (name === sql ? name : `${sql} AS ${name}`));
}

/** Exact figures of all rows that match and that the exchange still lists, by field and unit. */
export function fieldSums(
  database: DatabaseSync,
  query: LedgerQuery,
  fields: readonly string[],
): FieldSum[] {
  const { history } = query;
  const numbers = columnsOf(history).filter(({ kind }) => kind === 'number');
  const known = fields.filter((name) => numbers.some(({ field }) => field === name));
  const condition = conditionOf(database, { ...query, isListed: true });
  const byUnit = Map.groupBy(known, (field) => unitColumn(history, field));
  return [...byUnit].flatMap(([unit, group]) =>
    sumsByUnit(database, { history, condition, groups: { unit } }, group),
  );
}

/** The column that names what a field is counted in. */
function unitColumn(history: LedgerHistory, field: string): string {
  if (field === 'fee') return 'feeAsset';
  return columnsOf(history).some((column) => column.field === 'asset') ? 'asset' : 'symbol';
}

function sumsByUnit(
  database: DatabaseSync,
  rows: RowGroups<'unit'>,
  fields: readonly string[],
): FieldSum[] {
  const sums = new Map<string, FieldSum>();
  const keyOf = (field: string, { unit }: SumRow): string => JSON.stringify([field, unit]);
  const found = [...groupRows(database, rows, fields.map(figureColumns))];
  for (const field of fields)
    for (const row of found) {
      const extreme = (order: 'ASC' | 'DESC') => extremeOf(database, rows, row, field, order);
      sums.set(keyOf(field, row), fieldSum(row, field, extreme));
    }
  for (const { row, record } of textRows(database, rows))
    for (const field of fields) {
      const key = keyOf(field, row);
      sums.set(key, withText(sums.get(key), { field, unit: unitOf(row) }, record[field]));
    }
  return [...sums.values()];
}

function unitOf({ unit }: SumRow): string | null {
  return unit as string | null;
}

/**
 * The extremes are those of the whole part and nine decimals, which fit into one integer of SQLite. A number with
 * more digits needs a read of its own.
 */
function figureColumns(field: string): string {
  const short = `${field} * ${limb} + ${field}Nano`;
  return `count(${field}) AS ${field}Count, count(*) - count(${field}) AS ${field}Lacking, ${sumColumns(field)},
    min(${short}) AS ${field}Min, max(${short}) AS ${field}Max,
    max(abs(${field}) >= ${limb} OR ${field}Atto <> 0) AS ${field}IsLong`;
}

function fieldSum(
  row: SumRow,
  field: string,
  extreme: (order: 'ASC' | 'DESC') => Amount,
): FieldSum {
  const isLong = row[`${field}IsLong`] === 1n;
  const end = (name: string, order: 'ASC' | 'DESC'): NumberText =>
    textOf(isLong ? extreme(order) : shortAmount(row[`${field}${name}`]));
  return {
    field,
    unit: unitOf(row),
    count: Number(row[`${field}Count`]),
    lacking: Number(row[`${field}Lacking`]),
    sum: textOf(sumOfRow(row, field)),
    min: end('Min', 'ASC'),
    max: end('Max', 'DESC'),
  };
}

function shortAmount(value: unknown): Amount {
  return amountOfKey(0n, (value as bigint | null) ?? 0n, 0n);
}

function extremeOf(
  database: DatabaseSync,
  { history, condition, groups: { unit } }: RowGroups<'unit'>,
  row: SumRow,
  field: string,
  order: 'ASC' | 'DESC',
): Amount {
  const parts = [field, `${field}Nano`, `${field}Atto`];
  const statement = database.prepare(
    `SELECT ${field} AS whole, ${field}Nano AS nano, ${field}Atto AS atto FROM ${history}
     WHERE hasText IS NULL AND ${condition.sql} AND ${unit} IS ? AND ${field} IS NOT NULL
     ORDER BY ${parts.map((part) => `${part} ${order}`).join()} LIMIT 1`,
  );
  statement.setReadBigInts(true);
  const found = statement.get(...condition.values, unitOf(row)) as Record<string, bigint>;
  return amountOfKey(found.whole ?? 0n, found.nano ?? 0n, found.atto ?? 0n);
}

function withText(
  known: FieldSum | undefined,
  of: Pick<FieldSum, 'field' | 'unit'>,
  text: unknown,
): FieldSum {
  const before = known ?? { ...of, count: 0, lacking: 0, sum: '0', min: '0', max: '0' };
  if (typeof text !== 'string') return { ...before, lacking: before.lacking + 1 };
  const number = plain(text);
  const ends = extremes(before.count === 0 ? [number] : [before.min, before.max, number]);
  return { ...before, ...ends, count: before.count + 1, sum: sum([before.sum, number]) };
}

/** Which rows are added, and how they are grouped. */
export type SumQuery<Key extends string> = Pick<RowGroups<Key>, 'history' | 'groups'> & {
  readonly interval: Interval;
  readonly field: 'rpnl' | 'fee' | 'amount';
  /** Rows below 0 apart from the others. */
  readonly bySign?: boolean;
  /** An SQL condition. */
  readonly where?: string;
};

type GroupedSum<Key extends string> = {
  /** What a record does not say is empty. */
  readonly keys: Readonly<Record<Key, string>>;
  readonly isNegative: boolean;
  readonly amount: Amount;
  readonly count: number;
};

/** Exact sums of one field, by the groups of a query, of rows that the exchange still lists. */
export function* groupedSums<Key extends string>(
  database: DatabaseSync,
  query: SumQuery<Key>,
): Generator<GroupedSum<Key>> {
  const { field, bySign = false } = query;
  const ofTexts = textSums(database, query);
  const rows = rowsOf(query);
  const signed = bySign ? { ...rows.groups, isNegative: below(field) } : rows.groups;
  const columns = ['count(*) AS count', sumColumns(field)];
  for (const row of groupRows(database, { ...rows, groups: signed }, columns)) {
    const keys = keysOf(row, query.groups);
    const isNegative = row.isNegative === 1n;
    const stored = { keys, isNegative, amount: sumOfRow(row, field), count: Number(row.count) };
    const id = ofTexts.size === 0 ? '' : idOf(stored);
    yield together(stored, ofTexts.get(id));
    ofTexts.delete(id);
  }
  yield* ofTexts.values();
}

/** The same of the rows that SQLite cannot add, by the id of their group. */
function textSums<Key extends string>(
  database: DatabaseSync,
  query: SumQuery<Key>,
): Map<string, GroupedSum<Key>> {
  const { field, bySign = false, groups } = query;
  const sums = new Map<string, GroupedSum<Key>>();
  for (const { row, record } of textRows(database, rowsOf(query))) {
    const text = record[field];
    const amount = typeof text === 'string' ? amountOf(text) : zeroAmount;
    const isNegative = bySign && signOf(amount) < 0;
    const own = { keys: keysOf(row, groups), isNegative, amount, count: 1 };
    sums.set(idOf(own), together(own, sums.get(idOf(own))));
  }
  return sums;
}

function rowsOf<Key extends string>({
  history,
  groups,
  interval: { from, to },
  where = '1',
}: SumQuery<Key>): RowGroups<Key> {
  const sql = `time >= ? AND time < ? AND unlistedSince IS NULL AND ${where}`;
  return { history, groups, condition: { sql, values: [from, to] } };
}

function keysOf<Key extends string>(
  row: SumRow,
  groups: Readonly<Record<Key, string>>,
): Readonly<Record<Key, string>> {
  const keys = Object.keys(groups).map((name) => [name, keyText(row[name])]);
  return Object.fromEntries(keys) as Record<Key, string>;
}

/** An id of more than 18 digits is stored as text. */
function keyText(value: unknown): string {
  const text = value instanceof Uint8Array ? textOfKey(value) : String(value);
  return value === null ? '' : text;
}

function idOf({ keys, isNegative }: GroupedSum<string>): string {
  return JSON.stringify([isNegative, keys]);
}

function together<Sum extends GroupedSum<string>>(one: Sum, other: Sum | undefined): Sum {
  if (!other) return one;
  return { ...one, amount: added(one.amount, other.amount), count: one.count + other.count };
}

/** Exact sums by name; that of nothing is 0. */
export class Totals {
  private readonly sums = new Map<string, Amount>();

  add(name: string, amount: Amount): void {
    this.sums.set(name, added(this.of(name), amount));
  }

  of(name: string): Amount {
    return this.sums.get(name) ?? zeroAmount;
  }

  get names(): readonly string[] {
    return [...this.sums.keys()];
  }
}

/** The exact sums of the amounts of transactions, of all types or of one. */
export function sumsByAsset(
  database: DatabaseSync,
  history: LedgerHistory,
  intervals: readonly Interval[],
  type?: string,
): Totals {
  const sums = new Totals();
  const rows = { history, field: 'amount', groups: { asset: 'asset' } } as const;
  const ofType = type === undefined ? {} : { where: `type = '${type}'` };
  for (const interval of intervals)
    for (const { keys, amount } of groupedSums(database, { ...rows, ...ofType, interval }))
      sums.add(keys.asset, amount);
  return sums;
}

export function notZero(field: string): string {
  return `(${field} <> 0 OR ${field}Nano <> 0 OR ${field}Atto <> 0)`;
}

function below(field: string): string {
  return `${field} < 0 OR ${field}Nano < 0 OR ${field}Atto < 0`;
}
