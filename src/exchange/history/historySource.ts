import { parseCount } from '../../base/decimal.ts';
import { contains, type Interval } from '../../base/interval.ts';
import { phrase } from '../../base/phrase.ts';
import type { TimeZone } from '../../base/timeZone.ts';
import type { ExchangeClient } from '../client.ts';
import type { ApiConventions } from '../conventions/apiConventions.ts';
import { unitContaining } from '../conventions/dateFormats.ts';
import { maxPeriodMs } from '../conventions/rangeLimit.ts';
import { ExchangeError } from '../exchangeError.ts';
import type { ReadOptions } from '../http/retryingSender.ts';
import type { ProvenAnswers } from '../conventions/learnedConventions.ts';
import type { Priority } from '../rateLimit/priority.ts';
import type { BadRecord } from '../records.ts';
import { matchesFilters, withoutFilters, type IgnoredFilter } from './filterRules.ts';
import { listPath, type HistoryPage } from './historyPage.ts';
import {
  contentOf,
  timeOf,
  type HistoryRecord,
  type HistoryRequest,
  type HistorySelection,
} from './historyRecords.ts';
import { identityOf } from '../recordIdentity.ts';

/** One answer of a history, in the order of the exchange. */
export type HistorySourcePage<Item> = {
  /** Also the rows outside the asked range. */
  readonly items: readonly Item[];
  readonly badRecords: readonly BadRecord[];
  /** Filters other than the range that rows contradict. */
  readonly ignoredFilters: readonly IgnoredFilter[];
  /** The count that the exchange reports, which may be wrong; null if it is not a valid count. */
  readonly totalElements: number | null;
  /** There was no list, and no count says that no row is left. */
  readonly isEndOpen?: boolean;
};

/** A history as a walk reads it, whatever operation, filters and conventions are behind it. */
export type HistorySource<Item> = {
  /** Reads one page, counted from 0. Rejects with ExchangeError or the signal's reason. */
  read(
    range: Interval,
    page: number,
    size: number,
    signal?: AbortSignal,
  ): Promise<HistorySourcePage<Item>>;
  /** Identifies a record of this history. */
  identityOf(item: Item): string;
  /** Tells apart records that share identity and time: everything that the record says. */
  contentOf(item: Item): string;
  /** Epoch milliseconds. */
  timeOf(item: Item): number;
  /** Whether a row matches the filters that are not sent. A walk needs the others too, for the order. */
  isWanted(item: Item): boolean;
  /**
   * The unit that a moment lies in, of those in which the exchange understands a range's ends: 1 ms,
   * a second, or a local day, which may have 23 or 25 hours. Units adjoin and never change.
   */
  unitOf(timeMs: number): Interval;
  /** Whether the time of its records is that of their last change. */
  readonly recordsChange: boolean;
  /** What answers of this exchange have proven. */
  readonly proven: ProvenAnswers;
  /** How many rows a page holds at most; null if no cap is known. */
  readonly maxPageSize: number | null;
  /** How long a range may be asked at once; null if no bound is known. */
  readonly maxRangeMs: number | null;
};

const untimedRecord: BadRecord = {
  path: listPath,
  problem: phrase('a record’s time is not a timestamp'),
};

/** Reads one page as it is asked for: no filter is applied here. Rejects as `client.history` does. */
export async function readSourcePage(
  client: Pick<ExchangeClient, 'history'>,
  request: HistoryRequest,
  options: ReadOptions,
): Promise<HistorySourcePage<HistoryRecord>> {
  const answer = await client.history(request, options, []);
  return sourcePageOf(rejectMissingContent(answer, request));
}

/** A history of an exchange as a walk reads it, with the conventions and time zone that are known now. */
export function historySource(
  client: Pick<ExchangeClient, 'history' | 'conventions'>,
  selection: HistorySelection,
  priority: Priority,
  filteredHere = client.conventions.filteredHere(selection.filters),
): HistorySource<HistoryRecord> {
  const sent = withoutFilters(selection, filteredHere);
  const { current: conventions, zone } = client.conventions;
  return {
    read: (period, page, size, signal) =>
      readSourcePage(client, { ...sent, period, page, size }, { priority, signal }),
    identityOf,
    contentOf,
    timeOf: recordTime,
    recordsChange: selection.operation === 'orders',
    proven: client.conventions.proven,
    isWanted: (record) => matchesFilters(selection, filteredHere, record),
    unitOf: unitsOf(conventions, zone),
    maxPageSize: client.conventions.maxPageSize(selection.operation),
    maxRangeMs: maxPeriodMs(conventions),
  };
}

/**
 * The steps in which the exchange distinguishes moments, a second at least: an exchange may forget what a
 * date says beyond it, or write the times of its rows without, and neither shows. Rows come in order of
 * time as a rule: the last unit is kept, as a zone's clocks take long to read.
 */
function unitsOf({ dates }: ApiConventions, zone: TimeZone): (timeMs: number) => Interval {
  const form = dates === 'isoDate' ? dates : 'epochS';
  let last: Interval = { from: 0, to: 0 };
  return (timeMs) => {
    if (!contains(last, timeMs)) last = unitContaining(timeMs, form, zone);
    return last;
  };
}

/** A list that is null has rows left by the exchange's count: an empty page would pass for the end of the history. */
function rejectMissingContent<Item>(
  page: HistoryPage<Item>,
  { operation }: HistoryRequest,
): HistoryPage<Item> {
  const missing = page.badRecords.find(({ path }) => path === listPath);
  if (!missing) return page;
  const { problem: detail } = missing;
  throw new ExchangeError({ kind: 'malformed', sent: 'yes', operation, detail });
}

/** A record without a time has no place in a walk: it is set aside like one of a wrong type. */
function sourcePageOf({
  value,
  sent,
  badRecords,
  ignoredFilters,
  isEndOpen = false,
}: HistoryPage<HistoryRecord>): HistorySourcePage<HistoryRecord> {
  const items = sent.filter((record) => !Number.isNaN(recordTime(record)));
  const timeless = sent.filter((record) => Number.isNaN(recordTime(record)));
  return {
    items,
    badRecords: [...badRecords, ...timeless.map(() => untimedRecord)],
    ignoredFilters: ignoredFilters.filter(({ parameter }) => !isRangeEnd(parameter)),
    totalElements: parseCount(value.totalElements) ?? null,
    isEndOpen,
  };
}

function isRangeEnd(parameter: string): boolean {
  return parameter === 'dateFrom' || parameter === 'dateTo';
}

/** Epoch milliseconds; NaN if the record's time is not a timestamp. */
function recordTime(record: HistoryRecord): number {
  return timeOf(record) ?? Number.NaN;
}
