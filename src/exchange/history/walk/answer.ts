import { hash } from 'node:crypto';
import { contains, type Interval } from '../../../base/interval.ts';
import { missingRecords } from '../../badRecords.ts';
import { ExchangeError } from '../../exchangeError.ts';
import type { BadRecord } from '../../records.ts';
import type { HistorySource, HistorySourcePage } from '../historySource.ts';

export type Row<Item> = {
  readonly item: Item;
  /** With a digest of the record: only equal records share it. */
  readonly identity: string;
  readonly time: number;
  /** Whether it belongs to the range and matches the filters that are not sent. */
  readonly isWanted: boolean;
};

export type Answer<Item> = {
  readonly question: Interval;
  /** In the order of the exchange; also those outside the question. */
  readonly rows: readonly Row<Item>[];
  readonly badRecords: readonly BadRecord[];
  /** How many rows came, unreadable ones included. */
  readonly sent: number;
  /** Whether rows contradict a filter other than the ends. */
  readonly ignoresFilter: boolean;
  /** The number of rows that the exchange counts; null if it names none. */
  readonly count: number | null;
  /** A further page was refused, or its list was null without a count: it may be past the end, or unavailable. */
  readonly isEndOpen: boolean;
};

export function answerOf<Item>(
  question: Interval,
  { items, badRecords, totalElements, ignoredFilters, isEndOpen = false }: HistorySourcePage<Item>,
  history: HistorySource<Item>,
  range: Interval,
): Answer<Item> {
  const rows = items.map((item) => {
    const time = history.timeOf(item);
    const isWanted = contains(range, time) && history.isWanted(item);
    const digest = hash('sha1', history.contentOf(item), 'base64').slice(0, 8);
    const identity = `${history.identityOf(item)} ${time} ${digest}`;
    return { item, identity, time, isWanted };
  });
  const sent = rows.length + missingRecords(badRecords).length;
  const isCount = Number.isSafeInteger(totalElements) && Number(totalElements) >= 0;
  const [count, ignoresFilter] = [isCount ? totalElements : null, ignoredFilters.length > 0];
  return { question, rows, badRecords, sent, ignoresFilter, count, isEndOpen };
}

/** Some exchanges answer 404 to a page past the last one. Another refusal may mean the same. */
export function emptyIfPastEnd(
  question: Interval,
  isFurtherPage: boolean,
  error: unknown,
): Answer<never> {
  if (!isFurtherPage || !(error instanceof ExchangeError)) throw error;
  const { kind, status } = error.failure;
  if (status !== 404 && kind !== 'refused') throw error;
  return { ...merged(question, []), isEndOpen: status !== 404 };
}

/** Pages of one question as one answer. If their counts differ, they count something else. */
export function merged<Item>(
  question: Interval,
  pages: readonly Answer<Item>[],
  rows: readonly Row<Item>[] = [],
): Answer<Item> {
  const badRecords = pages.flatMap((page) => page.badRecords);
  const counts = new Set(pages.flatMap(({ count }) => count ?? []));
  const [count = null] = counts.size === 1 ? counts : [];
  const ignoresFilter = pages.some((page) => page.ignoresFilter);
  const sent = rows.length + missingRecords(badRecords).length;
  return { question, rows, badRecords, sent, ignoresFilter, count, isEndOpen: false };
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

type Timed = Pick<Row<unknown>, 'time'>;

type RowOrder = 'newestFirst' | 'oldestFirst' | 'none';

/** The order of rows by time; undefined if all share one. */
export function orderOf(rows: readonly Timed[]): RowOrder | undefined {
  const steps = rows.slice(1).map(({ time }, index) => time - (rows[index]?.time ?? time));
  const [rises, falls] = [steps.some((step) => step > 0), steps.some((step) => step < 0)];
  if (rises && falls) return 'none';
  if (rises) return 'oldestFirst';
  return falls ? 'newestFirst' : undefined;
}

/** Whether rows have enough different times to rule out that their order is chance. */
export function isConclusive(rows: readonly Timed[]): boolean {
  return new Set(rows.map(({ time }) => time)).size >= 8;
}
