import { createHash } from 'node:crypto';
import { HttpError } from '../../../src/practice/http/jsonResponse.ts';
import { writeTime } from './dates.ts';
import { readFilter, readPeriod, type Period } from './filter.ts';
import type { Reading } from './reading.ts';
import { objectText, rowText, type HistoryName, type Row } from './rows.ts';

export type HistoryRequest = {
  readonly history: HistoryName;
  readonly query: URLSearchParams;
  /** The number of this request, from 1. */
  readonly nth: number;
};

/** One page of a history, as text. `rows` are in the order of `byTime`. Throws a `HttpError`. */
export function pageText(rows: readonly Row[], request: HistoryRequest, reading: Reading): string {
  const { history, query, nth } = request;
  checkRequired(history, query);
  const filter = readFilter(query, reading);
  const filterFirst = reading.filtersAfterPaging ? undefined : filter;
  const found = ordered(select(rows, query, reading, filterFirst), nth, reading);
  const size = readSize(query, reading);
  const page = readPage(query, Math.ceil(found.length / size), reading);
  const content = found
    .slice(page * size, (page + 1) * size)
    .filter((row) => !reading.withholds.includes(row.id) && (filter?.(row) ?? true))
    .map((row) => rowText(history, row, writeTime(row.at, reading)));
  const isNull = content.length === 0 && reading.emptyLists !== 'list';
  return objectText({
    ...(isNull && reading.emptyLists === 'missing'
      ? {}
      : { content: isNull ? 'null' : `[${content.join(',')}]` }),
    size: String(reading.sizeOf === 'pages' ? size : content.length),
    ...totals(found.length, size, reading),
  });
}

/** Sections 4.1 and 4.4. */
const required: Partial<Record<HistoryName, string>> = {
  orders: 'page',
  transactions: 'accountType',
};

function checkRequired(history: HistoryName, query: URLSearchParams): void {
  const name = required[history];
  if (name !== undefined && !query.has(name))
    throw new HttpError(400, `The parameter ${name} is required.`);
}

/** Oldest first, and of one instant the lower id first. */
export function byTime(one: Row, other: Row): number {
  if (one.at !== other.at) return one.at - other.at;
  return one.id < other.id ? -1 : 1;
}

function select(
  rows: readonly Row[],
  query: URLSearchParams,
  reading: Reading,
  filter: ((row: Row) => boolean) | undefined,
): Row[] {
  const period = readPeriod(query, reading);
  const within = rows.slice(...bounds(rows, period));
  return filter ? within.filter(filter) : within;
}

function bounds(rows: readonly Row[], { first, last }: Period): [number, number] {
  return [countUntil(rows, ({ at }) => at >= first), countUntil(rows, ({ at }) => at > last)];
}

/** The number of rows before the first that `isBeyond`, as are all after it. */
function countUntil(rows: readonly Row[], isBeyond: (row: Row) => boolean): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle];
    if (row && isBeyond(row)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function ordered(rows: Row[], nth: number, { sort, ties }: Reading): readonly Row[] {
  const salt = ties === 'unstable' ? String(nth) : '';
  if (sort === 'none') return shuffled(rows, salt);
  const ascending = salt ? shuffled(rows, salt).sort((a, b) => a.at - b.at) : rows;
  return sort === 'oldestFirst' ? ascending : ascending.reverse();
}

function shuffled(rows: readonly Row[], salt: string): Row[] {
  return rows
    .map((row) => ({ row, key: createHash('md5').update(`${salt} ${row.id}`).digest('hex') }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ row }) => row);
}

function readSize(query: URLSearchParams, reading: Reading): number {
  const { maxPageSize, largerPages } = reading;
  const asked = readWhole(query.get('size')) ?? Math.min(20, maxPageSize ?? Infinity);
  if (asked < 1) throw new HttpError(400, 'The parameter size must be 1 or more.');
  if (maxPageSize === null || asked <= maxPageSize) return asked;
  if (largerPages === 'refused')
    throw new HttpError(400, `The parameter size must not be more than ${maxPageSize}.`);
  return maxPageSize;
}

/** Counted from 0, whatever the query counts from. */
function readPage(query: URLSearchParams, pages: number, { firstPage }: Reading): number {
  const asked = readWhole(query.get('page'));
  if (asked === undefined) return 0;
  switch (firstPage) {
    case 0:
      return asked;
    case 'zero404PastEnd':
      if (asked > 0 && asked >= pages) throw new HttpError(404, 'There is no such page.');
      return asked;
    case 1:
      if (asked < 1) throw new HttpError(400, 'The parameter page must be 1 or more.');
      return asked - 1;
    case 'oneClampsZero':
      return Math.max(0, asked - 1);
    case 'oneLeavesZeroEmpty':
      return asked === 0 ? pages : asked - 1;
    default:
      return firstPage satisfies never;
  }
}

function readWhole(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new HttpError(400, 'A page and a size are whole numbers.');
  return Number(text);
}

type Totals = { readonly totalPages?: string; readonly totalElements?: string };

/** What the envelope claims, as JSON text. */
function totals(count: number, size: number, { totals: said }: Reading): Totals {
  const claim = (elements: number): Totals => ({
    totalPages: String(Math.ceil(elements / size)),
    totalElements: String(elements),
  });
  const all = claim(count);
  if (typeof said === 'object')
    return claim('always' in said ? said.always : Math.min(count, said.atMost));
  switch (said) {
    case 'true':
      return all;
    case 'string':
      return { totalPages: `"${all.totalPages}"`, totalElements: `"${all.totalElements}"` };
    case 'null':
      return { totalPages: 'null', totalElements: 'null' };
    case 'missing':
      return {};
    default:
      return said satisfies never;
  }
}
