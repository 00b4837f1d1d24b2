import { hash } from 'node:crypto';
import { parseCount } from '../../base/decimal.ts';
import { contains, type Interval } from '../../base/interval.ts';
import type { ApiConventions } from './apiConventions.ts';
import { missingRecords } from '../badRecords.ts';
import type { BadRecord, Decoded, Page } from '../records.ts';
import { identityOf } from '../recordIdentity.ts';
import type { IgnoredFilter } from './filterRules.ts';
import { contentOf, timeOf, type HistoryRecord } from './records.ts';

/** One record of a page, and what tells it apart. */
export type Row<Item = HistoryRecord> = {
  readonly item: Item;
  /** Two records may share it. */
  readonly id: string;
  /** Epoch milliseconds; NaN if the record's time is not a timestamp. */
  readonly time: number;
  /** Id, time and a digest of everything that the record says: only equal records share it. */
  readonly identity: string;
  /** Whether it matches the filters that were not sent. */
  readonly matches: boolean;
};

/**
 * What is assumed about a request, so that rows may be missing from its answer: how dates are written, or
 * the zone of local dates.
 */
export const unprovenConventions = ['datesUndecided', 'zoneUnknown'] as const;
export type UnprovenConvention = (typeof unprovenConventions)[number];

/** One answer of a history. */
export type HistoryPage<Item = HistoryRecord> = {
  /** What was asked for. */
  readonly question: Interval;
  /** In the order of the exchange; also those outside the question, and those that do not match. */
  readonly rows: readonly Row<Item>[];
  readonly badRecords: readonly BadRecord[];
  /** How many rows came, unreadable ones included. */
  readonly sent: number;
  /** What the exchange says of its pages (section 2.1). */
  readonly totals: PageTotals;
  /** The number of rows that the exchange counts, which may be wrong; null if it names none. */
  readonly count: number | null;
  /** Filters that were ignored: rows contradict them. */
  readonly ignoredFilters: readonly IgnoredFilter[];
  readonly unproven: readonly UnprovenConvention[];
  /** Filters that were not sent: rows that do not match them came all the same, and are counted. */
  readonly filteredHere: readonly string[];
  /** The page was refused, or its list was null without a count: it may be past the end, or unavailable. */
  readonly isEndOpen: boolean;
};

type PageTotals = Pick<Page<unknown>, 'size' | 'totalPages'>;

const noTotals = { size: null, totalPages: null, totalElements: null };

/** Where a page has its rows, and a list that is null is reported. */
export const listPath = '$.content';

export function rowOf<Item>(
  item: Item,
  { id, time, content }: RowSource,
  matches = true,
): Row<Item> {
  let identity: string | undefined;
  return {
    item,
    id,
    time,
    matches,
    get identity() {
      return (identity ??= `${id} ${time} ${hash('sha1', content(), 'base64').slice(0, 8)}`);
    },
  };
}

type RowSource = {
  readonly id: string;
  readonly time: number;
  /** Everything that the record says. */
  readonly content: () => string;
};

/** A record of the exchange as a row. */
export function recordRow<Item extends HistoryRecord>(record: Item, matches = true): Row<Item> {
  const time = timeOf(record) ?? Number.NaN;
  return rowOf(record, { id: identityOf(record), time, content: () => contentOf(record) }, matches);
}

/** A page of these rows. What else a reader knows of it, it adds. */
export function pageOf<Item>(
  question: Interval,
  rows: readonly Row<Item>[],
  badRecords: readonly BadRecord[] = [],
  { totalElements, ...totals }: PageTotals & Pick<Page<unknown>, 'totalElements'> = noTotals,
): HistoryPage<Item> {
  return {
    question,
    rows,
    badRecords,
    sent: rows.length + missingRecords(badRecords).length,
    totals,
    count: parseCount(totalElements) ?? null,
    ignoredFilters: [],
    unproven: [],
    filteredHere: [],
    isEndOpen: false,
  };
}

/** A list that is null is empty, unless the exchange counts rows from this page on. */
export function withEmptyList<Item>(
  { value, badRecords }: Decoded<Page<Item>>,
  page: number,
  askedSize: number,
): Decoded<Page<Item>> & { readonly isEndOpen: boolean } {
  const others = badRecords.filter(({ path }) => path !== listPath);
  const count = parseCount(value.totalElements);
  const size = Math.min(askedSize, Math.max(1, parseCount(value.size) ?? askedSize));
  const isNull = others.length < badRecords.length && (count ?? 0) <= page * size;
  return {
    value,
    badRecords: isNull ? others : badRecords,
    isEndOpen: isNull && count === undefined,
  };
}

/** The records that were asked for: of the period, or without a readable time, and with the wanted filters. */
export function requestedRecords<Item>(page: HistoryPage<Item>): readonly Item[] {
  return rowsAsked(page).flatMap(({ item, matches }) => (matches ? [item] : []));
}

/** How many rows are outside the period, and how many in it do not match. */
export function omittedRows(page: HistoryPage<unknown>): {
  readonly outside: number;
  readonly filtered: number;
} {
  const inside = rowsAsked(page);
  const filtered = inside.filter(({ matches }) => !matches).length;
  return { outside: page.rows.length - inside.length, filtered };
}

function rowsAsked<Item>({ rows, question }: HistoryPage<Item>): readonly Row<Item>[] {
  return rows.filter(({ time }) => Number.isNaN(time) || contains(question, time));
}

/** Pages of one question as one page. If their counts differ, they count something else. */
export function merged<Item>(
  question: Interval,
  pages: readonly HistoryPage<Item>[],
  rows: readonly Row<Item>[] = [],
): HistoryPage<Item> {
  const badRecords = pages.flatMap((page) => page.badRecords);
  const counts = new Set(pages.flatMap(({ count }) => count ?? []));
  const [count = null] = counts.size === 1 ? counts : [];
  const ignoredFilters = pages.flatMap((page) => page.ignoredFilters);
  return { ...pageOf(question, rows, badRecords), count, ignoredFilters };
}

export function rowsIn<Item>(rows: readonly Row<Item>[], window: Interval): Row<Item>[] {
  return rows.filter(({ time }) => contains(window, time));
}

/** Whether both have the same rows, each as often. */
export function areSame(one: readonly Row<unknown>[], other: readonly Row<unknown>[]): boolean {
  const [identities, others] = [one, other].map((rows) =>
    rows.map(({ identity }) => identity).toSorted(),
  );
  return identities?.join('\n') === others?.join('\n');
}

export function hasAll(rows: readonly Row<unknown>[], expected: readonly Row<unknown>[]): boolean {
  const shown = new Set(rows.map(({ identity }) => identity));
  return expected.every(({ identity }) => shown.has(identity));
}

type Timed = { readonly time: number };

/** The order of rows by time, of those that have one; undefined if all share it. */
export function orderOf(rows: readonly Timed[]): ApiConventions['sort'] | undefined {
  const times = rows.map(({ time }) => time).filter((time) => !Number.isNaN(time));
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const [rises, falls] = [steps.some((step) => step > 0), steps.some((step) => step < 0)];
  if (rises && falls) return 'none';
  if (rises) return 'oldestFirst';
  return falls ? 'newestFirst' : undefined;
}

/** Whether rows have enough different times to rule out that their order is chance. */
export function isConclusive(rows: readonly Timed[]): boolean {
  return new Set(rows.map(({ time }) => time)).size >= 8;
}
