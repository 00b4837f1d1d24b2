import type { DatabaseSync } from 'node:sqlite';
import type { Interval } from '../../base/interval.ts';
import { sign } from '../../base/decimal.ts';
import type { LedgerHistory } from '../ledger.ts';
import { scaledSumOfRow, sumColumns } from '../storage/exactSums.ts';
import { textOfKey } from '../storage/numberKey.ts';
import { added, amountOf, keyFraction, Totals, type ExactAmount } from './exactAmount.ts';
import { dayOfTime } from './calendarBuckets.ts';

/** Which rows are added, and how they are grouped. */
export type GroupedQuery<Key extends string> = {
  readonly history: LedgerHistory;
  readonly interval: Interval;
  readonly field: 'rpnl' | 'fee' | 'amount';
  /** The days that rows are grouped by; none: all together. */
  readonly days?: readonly Interval[];
  /** Columns that rows are grouped by. */
  readonly keys: readonly Key[];
  /** Each row that lacks this column is a group of its own. */
  readonly apartWithout?: Key;
  /** Rows below 0 apart from the others. */
  readonly bySign?: boolean;
  /** Without rows of 0. */
  readonly isNotZero?: boolean;
  /** An SQL condition on the type of transactions. */
  readonly where?: string;
};

/** The rows of a day with the same keys. */
type GroupedSum<Key extends string> = {
  readonly day: number;
  readonly keys: Readonly<Record<Key, string>>;
  readonly isNegative: boolean;
  readonly amount: ExactAmount;
  readonly count: number;
};

type Row = Readonly<Record<string, unknown>>;

/** Exact sums of rows that the exchange still lists, by day and keys. */
export function* groupedSums<Key extends string>(
  database: DatabaseSync,
  query: GroupedQuery<Key>,
): Generator<GroupedSum<Key>> {
  const rare = textSums(database, query);
  for (const sum of storedSums(database, query)) {
    const others = rare.size === 0 ? undefined : rare.get(idOf(query, sum));
    if (others) rare.delete(idOf(query, sum));
    yield others ? together(sum, others) : sum;
  }
  yield* rare.values();
}

/** The exact sums of the amounts of transactions, of all types or of one. */
export function sumsByAsset(
  database: DatabaseSync,
  history: LedgerHistory,
  intervals: readonly Interval[],
  type?: string,
): Totals {
  const sums = new Totals();
  const rows = { history, field: 'amount', keys: ['asset'] } as const;
  const ofType = type === undefined ? {} : { where: `type = '${type}'` };
  for (const interval of intervals)
    for (const { keys, amount } of groupedSums(database, { ...rows, ...ofType, interval }))
      sums.add(keys.asset, amount);
  return sums;
}

/** The sum of each group, over the rows whose numbers SQLite can add. */
function* storedSums<Key extends string>(
  database: DatabaseSync,
  query: GroupedQuery<Key>,
): Generator<GroupedSum<Key>> {
  const { history, field, bySign, isNotZero, apartWithout } = query;
  const { from, to } = query.interval;
  const others = isNotZero ? ` AND (${notZero(field)})` : '';
  const columns = [
    `${dayOfTime(query.days ?? [])} AS day`,
    `${bySign ? below(field) : '0'} AS isNegative`,
    `${apartWithout ? `CASE WHEN ${apartWithout} IS NULL THEN row END` : 'NULL'} AS ownRow`,
    ...query.keys,
  ];
  const groups = ['day', 'isNegative', 'ownRow', ...query.keys];
  const statement = database.prepare(
    `SELECT ${columns.join()}, count(*) AS count, ${sumColumns(field)} FROM ${history}
     WHERE hasText IS NULL AND ${conditionOf(query)}${others} GROUP BY ${groups.join()}`,
  );
  statement.setReadBigInts(true);
  for (const row of statement.iterate(from, to) as Iterable<Row>)
    yield {
      day: Number(row.day),
      keys: keysOf(row, query.keys),
      isNegative: row.isNegative === 1n,
      amount: { integer: scaledSumOfRow(row, field), fraction: keyFraction },
      count: Number(row.count),
    };
}

/** Of the rows with a number of too many digits for SQLite's integers, by the id of their group. */
function textSums<Key extends string>(
  database: DatabaseSync,
  query: GroupedQuery<Key>,
): Map<string, GroupedSum<Key>> {
  const { history, field, bySign = false, isNotZero = false, keys, apartWithout } = query;
  const { from, to } = query.interval;
  const columns = [`${dayOfTime(query.days ?? [])} AS day`, 'row', ...keys];
  const statement = database.prepare(
    `SELECT * FROM (SELECT ${columns.join()} FROM ${history} WHERE hasText = 1 AND ${conditionOf(query)})
       JOIN ${history}Json USING (row)`,
  );
  statement.setReadBigInts(true);
  const sums = new Map<string, GroupedSum<Key>>();
  for (const row of statement.iterate(from, to) as Iterable<Row>) {
    const text = (JSON.parse(String(row.json)) as Row)[field];
    if (typeof text !== 'string' || (isNotZero && sign(text) === 0)) continue;
    const sum: GroupedSum<Key> = {
      day: Number(row.day),
      keys: keysOf(row, keys),
      isNegative: bySign && sign(text) < 0,
      amount: amountOf(text),
      count: 1,
    };
    const isApart = apartWithout && row[apartWithout] === null;
    const id = isApart ? `row ${String(row.row)}` : idOf(query, sum);
    const others = sums.get(id);
    sums.set(id, others ? together(sum, others) : sum);
  }
  return sums;
}

function idOf<Key extends string>(
  query: GroupedQuery<Key>,
  { day, isNegative, keys }: GroupedSum<Key>,
): string {
  return JSON.stringify([day, isNegative, ...query.keys.map((key) => keys[key])]);
}

function together<Key extends string>(
  one: GroupedSum<Key>,
  other: GroupedSum<Key>,
): GroupedSum<Key> {
  return { ...one, amount: added(one.amount, other.amount), count: one.count + other.count };
}

function keysOf<Key extends string>(row: Row, keys: readonly Key[]): Readonly<Record<Key, string>> {
  return Object.fromEntries(keys.map((key) => [key, keyText(row[key])])) as Record<Key, string>;
}

/** An id of more than 18 digits is stored as text; what a record does not say is empty. */
function keyText(value: unknown): string {
  const text = value instanceof Uint8Array ? textOfKey(value) : String(value);
  return value === null ? '' : text;
}

/** Takes the ends of the interval. */
function conditionOf<Key extends string>({ where }: GroupedQuery<Key>): string {
  return `time >= ? AND time < ? AND unlistedSince IS NULL${where === undefined ? '' : ` AND ${where}`}`;
}

export function notZero(field: string): string {
  return `${field} <> 0 OR ${field}Nano <> 0 OR ${field}Atto <> 0`;
}

function below(field: string): string {
  return `${field} < 0 OR ${field}Nano < 0 OR ${field}Atto < 0`;
}
