import { contains, type Interval } from '../../base/interval.ts';
import { phrase } from '../../base/phrase.ts';
import type { TimeZone } from '../../base/timeZone.ts';
import type { ExchangeClient } from '../client.ts';
import type { ApiConventions } from './apiConventions.ts';
import { unitContaining } from './dates.ts';
import type { ProvenAnswers } from './learnedConventions.ts';
import { ExchangeError } from '../exchangeError.ts';
import type { ReadOptions } from '../http/requests.ts';
import type { Priority } from '../rateLimit/priority.ts';
import type { BadRecord } from '../records.ts';
import {
  hasChangingRecords,
  type HistoryRecord,
  type HistoryRequest,
  type HistorySelection,
} from './records.ts';
import { listPath, pageOf, type HistoryPage } from './page.ts';

/** A history as a walk reads it, whatever operation, filters and conventions are behind it. */
export type HistorySource<Item> = {
  /**
   * Reads one page, counted from 0. Its ignored filters are those other than the range. Rejects with ExchangeError
   * or the signal's reason.
   */
  read(
    range: Interval,
    page: number,
    size: number,
    signal?: AbortSignal,
  ): Promise<HistoryPage<Item>>;
  /**
   * The unit that a moment lies in, of those in which the exchange understands a range's ends: 1 ms,
   * a second, or a local day, which may have 23 or 25 hours. Units adjoin and never change.
   */
  unitOf(timeMs: number): Interval;
  /** Whether the time of its records is that of their last change. */
  readonly recordsChange: boolean;
  /** What answers of this exchange have proven. */
  readonly proven: ProvenAnswers;
  /** How long a range may be asked at once; null if no bound is known. */
  readonly maxRangeMs: number | null;
};

/**
 * Reads one page, with these filters applied here. A record without a time has no place in a ledger: it is set aside
 * like one of a wrong type. Rejects as `client.history` does.
 */
export async function readSourcePage(
  client: Pick<ExchangeClient, 'history'>,
  request: HistoryRequest,
  options: ReadOptions,
  filteredHere: readonly string[] = [],
): Promise<HistoryPage> {
  const page = await client.history(request, options, filteredHere);
  rejectMissingContent(page, request);
  const timed = page.rows.filter(({ time }) => !Number.isNaN(time));
  const untimed = Array.from({ length: page.rows.length - timed.length }, () => untimedRecord);
  return {
    ...page,
    rows: timed,
    badRecords: [...page.badRecords, ...untimed],
    ignoredFilters: page.ignoredFilters.filter((filter) => !isRangeEnd(filter)),
  };
}

const untimedRecord: BadRecord = {
  path: listPath,
  problem: phrase('a record’s time is not a timestamp'),
};

/** A history of an exchange as a walk reads it, with the conventions and time zone that are known now. */
export function historySource(
  client: Pick<ExchangeClient, 'history' | 'conventions'>,
  selection: HistorySelection,
  priority: Priority,
  filteredHere = client.conventions.filteredHere(selection.filters),
): HistorySource<HistoryRecord> {
  const { current: conventions, zone } = client.conventions;
  return {
    read: (period, page, size, signal) =>
      readSourcePage(
        client,
        { ...selection, period, page, size },
        { priority, signal },
        filteredHere,
      ),
    recordsChange: hasChangingRecords(selection.operation),
    proven: client.conventions.proven,
    unitOf: unitsOf(conventions, zone),
    maxRangeMs: client.conventions.longestPeriodMs,
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
function rejectMissingContent(
  { badRecords }: HistoryPage,
  { operation }: Pick<HistoryRequest, 'operation'>,
): void {
  const missing = badRecords.find(({ path }) => path === listPath);
  if (!missing) return;
  const { problem: detail } = missing;
  throw new ExchangeError({ kind: 'malformed', sent: 'yes', operation, detail });
}

/** Some exchanges answer 404 to a page past the last one. Another refusal may mean the same. */
export function emptyIfPastEnd(
  question: Interval,
  isFurtherPage: boolean,
  error: unknown,
): HistoryPage<never> {
  if (!isFurtherPage || !(error instanceof ExchangeError)) throw error;
  const { kind, status } = error.failure;
  if (status !== 404 && kind !== 'refused') throw error;
  return { ...pageOf(question, []), isEndOpen: status !== 404 };
}

function isRangeEnd({ parameter }: { readonly parameter: string }): boolean {
  return parameter === 'dateFrom' || parameter === 'dateTo';
}
