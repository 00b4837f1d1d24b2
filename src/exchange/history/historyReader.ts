import { always, isAlways, openEnd, openStart, type Interval } from '../../base/interval.ts';
import { dayMs } from '../../base/time.ts';
import type { ApiConventions } from '../conventions/apiConventions.ts';
import { probeConventions } from '../conventions/conventionProbe.ts';
import type { ConventionResolver } from '../conventions/conventionResolver.ts';
import { observePage } from '../conventions/observeAnswers.ts';
import type { Observation } from '../conventions/learnedConventions.ts';
import { createObservation, summarizePage, observedRows } from '../conventions/pageSummary.ts';
import type { RequestLots } from '../conventions/probeSession.ts';
import { writeQuery } from '../conventions/queryWriter.ts';
import { findPageSizeLimit } from '../conventions/pageSizeLimit.ts';
import { learnRangeLimit } from '../conventions/rangeLimit.ts';
import type { Decoder } from '../decoders.ts';
import { ExchangeError } from '../exchangeError.ts';
import type { ReadOptions, RetryingSender } from '../http/retryingSender.ts';
import { operations, type HistoryName } from '../../api/operations.ts';
import { answers, type Page } from '../records.ts';
import { withoutFilters } from './filterRules.ts';
import { filterPage, withEmptyList, type HistoryPage, type PageAttempt } from './historyPage.ts';
import type { HistoryRequest, RecordOf } from './historyRecords.ts';

/** An attempt that was not refused. */
type PageAnswer<Item> = Extract<PageAttempt<Item>, { page: unknown }>;

type HistoryReaderOptions = {
  readonly conventions: ConventionResolver;
  readonly sender: Pick<RetryingSender, 'send'>;
  /** Reads exchange information, which names the time zone. */
  readonly readExchangeInfo: (options: ReadOptions) => Promise<unknown>;
  /** The exchange's time in epoch milliseconds, by which periods end. */
  readonly serverNow: () => number;
  /** Our time, by which findings age. */
  readonly now: () => number;
};

/** One page on its way, however often it is requested. */
type PageRead<Item> = {
  readonly request: HistoryRequest;
  /** Filters that are applied here instead of being sent. */
  readonly filteredHere: readonly string[];
  readonly decoder: Decoder<Page<Item>>;
  readonly options: ReadOptions;
};

const pageDecoders: { readonly [Name in HistoryName]: Decoder<Page<RecordOf[Name]>> } = answers;

/**
 * Reads pages of the histories in the conventions of the exchange, drops rows outside the requested
 * period, and learns conventions from the answers.
 */
export class HistoryReader {
  private readonly options: HistoryReaderOptions;
  /** If page 0 ever had rows, an empty page 0 is not retried as page 1. */
  private pageZeroHadRows = false;

  constructor(options: HistoryReaderOptions) {
    this.options = options;
  }

  /**
   * Reads one page, and applies here the filters that the exchange may misread, unless others are named
   * in `filteredHere`. If a long period is refused, finds out how long one may be, with up to five more
   * requests, each sent once, and still rejects with the refusal; a limit that it found is then among
   * the conventions. If a large page is refused, finds out how large one may be, with up to four more, and
   * reads that. Only for a first page: a later one may be refused for its number. Until the number of the
   * first page is known, page 1 is requested after an empty page 0.
   */
  readonly readPage = async <Name extends HistoryName>(
    request: HistoryRequest<Name>,
    options: ReadOptions = {},
    filteredHere = this.options.conventions.filteredHere(request.filters),
  ): Promise<HistoryPage<RecordOf[Name]>> => {
    const { conventions } = this.options;
    const decoder = pageDecoders[request.operation];
    const reading = { request, filteredHere, decoder, options };
    const attempt = await this.requestPage(reading, conventions.current);
    if ('page' in attempt) return this.orPageOneIfEmpty(reading, attempt);
    if (request.page > 0) throw attempt.refusal;
    const mayBePageSize = await this.learnRangeLimit(reading, attempt);
    if (mayBePageSize && (await this.learnPageSize(reading)))
      return this.readPage(request, options, filteredHere);
    throw attempt.refusal;
  };

  /**
   * Detects on the lot history how the exchange counts pages and reads dates, with at most 10 requests,
   * and remembers it. What the answers do not show stays undecided.
   */
  readonly probeConventions = async (options: ReadOptions = {}): Promise<void> => {
    const { conventions, sender, now } = this.options;
    const requestLots: RequestLots = async (values, apiConventions) => {
      const { pairs } = writeQuery(operations.lots, values, apiConventions, conventions.zone);
      const answer = await sender
        .send(
          { operation: 'lots', pairs, decoder: answers.lots },
          { ...options, isSingleAttempt: true },
        )
        .catch(asExchangeError);
      return { pairs, answer };
    };
    const { settings, zone } = conventions;
    const { findings, requestCount } = await probeConventions({ requestLots, settings, zone, now });
    const weight = requestCount * operations.lots.weight;
    conventions.recordProbe(findings, { at: now(), weight });
  };

  private async requestPage<Item extends object>(
    { request, filteredHere, decoder, options }: PageRead<Item>,
    apiConventions: ApiConventions,
  ): Promise<PageAttempt<Item>> {
    const { conventions, sender, readExchangeInfo, now } = this.options;
    const sent = withoutFilters(request, filteredHere);
    const { operation, filters, period = always, page, size } = sent;
    if (conventions.needsZone(period)) await readExchangeInfo(options);
    const query = {
      ...filters,
      page,
      size: size && cappedSize(size, conventions.maxPageSize(operation)),
    };
    const values = { ...query, ...datesOf(period) };
    const { pairs, widestPeriod } = writeQuery(
      operations[operation],
      values,
      apiConventions,
      conventions.zone,
    );
    const decoded = await refusalOr(sender.send({ operation, pairs, decoder }, options));
    if (decoded instanceof ExchangeError) {
      const { status = null } = decoded.failure;
      const refused = { kind: 'refused', status } as const;
      return { refusal: decoded, observation: createObservation(operation, pairs, refused) };
    }
    const { isEndOpen, ...answer } = withEmptyList(decoded, page, query.size ?? 1);
    const summary = summarizePage(answer);
    const observation = createObservation(operation, pairs, observedRows(summary));
    observePage(conventions, values, summary, observation, now());
    const isEmpty = page === 0 && summary.recordCount === 0;
    const unproven = conventions.unprovenConventions(period, isEmpty);
    const filtered = filterPage(answer, request, filteredHere, widestPeriod);
    return { page: { ...filtered, unproven, isEndOpen }, observation };
  }

  /** An exchange that counts pages from 1 may answer page 0 without rows, as if there were none. */
  private async orPageOneIfEmpty<Item extends object>(
    reading: PageRead<Item>,
    { page, observation }: PageAnswer<Item>,
  ): Promise<HistoryPage<Item>> {
    const { conventions, now } = this.options;
    if (reading.request.page > 0 || conventions.sourceOf('firstPage') !== 'assumed') return page;
    this.pageZeroHadRows ||= hasRecords(page);
    if (this.pageZeroHadRows) return page;
    const next = await this.requestPage(reading, { ...conventions.current, firstPage: 1 });
    if (!('page' in next) || !hasRecords(next.page)) return page;
    const evidence = [observation, next.observation];
    conventions.recordFinding('firstPage', {
      concluded: 1,
      reason: 'zeroEmpty',
      evidence,
      seenAt: now(),
    });
    return next.page;
  }

  private async learnRangeLimit<Item extends object>(
    reading: PageRead<Item>,
    { observation: refused }: PageAttempt<Item>,
  ): Promise<boolean> {
    const { conventions, serverNow, now } = this.options;
    const { period: refusedPeriod = always } = reading.request;
    if (isAlways(refusedPeriod) || conventions.sourceOf('maxRangeDays') !== 'assumed') return true;
    const requestRange = (period: Interval) => this.tryPage(reading, { period });
    // Some exchanges refuse what lies ahead: then the length is not the reason.
    const range = { from: refusedPeriod.from, to: Math.min(refusedPeriod.to, serverNow()) };
    return learnRangeLimit(conventions, { range, refused, requestRange }, now);
  }

  /** Asks for a day at most: a long period may be refused as well. */
  private async learnPageSize<Item extends object>(reading: PageRead<Item>): Promise<boolean> {
    const { conventions, serverNow, now } = this.options;
    const { operation, size = 0, period: asked = always } = reading.request;
    if (conventions.sourceOf('maxPageSize') === 'set') return false;
    const end = Math.min(asked.to, serverNow());
    const begin = asked.from === openStart ? end - dayMs : asked.from;
    const day = { from: begin, to: Math.min(begin + dayMs, end) };
    const period = isAlways(asked) ? always : day;
    const evidence: Observation[] = [];
    const most = cappedSize(size, conventions.maxPageSize(operation));
    const concluded = await findPageSizeLimit(most, async (smaller) => {
      const attempt = await this.tryPage(reading, { period, size: smaller });
      evidence.push(attempt.observation);
      return 'page' in attempt;
    });
    if (concluded === undefined) return false;
    const finding = { concluded, reason: 'largePagesRefused', evidence, seenAt: now() } as const;
    conventions.recordFinding('maxPageSize', finding);
    return true;
  }

  /** Asks for another part of a page, once. */
  private tryPage<Item extends object>(
    reading: PageRead<Item>,
    change: Pick<HistoryRequest, 'period' | 'size'>,
  ): Promise<PageAttempt<Item>> {
    const request = { ...reading.request, ...change };
    const options = { ...reading.options, isSingleAttempt: true };
    return this.requestPage({ ...reading, request, options }, this.options.conventions.current);
  }
}

/** A refusal is an answer too; other failures are thrown. */
async function refusalOr<Value>(sent: Promise<Value>): Promise<Value | ExchangeError> {
  const answer = await sent.catch(asExchangeError);
  if (answer instanceof ExchangeError && answer.failure.kind !== 'refused') throw answer;
  return answer;
}

/** Counts records that are unreadable or dropped too. */
function hasRecords(page: HistoryPage<unknown>): boolean {
  const { value, badRecords, rowsOutsidePeriod, rowsFilteredHere = 0 } = page;
  return value.content.length + badRecords.length + rowsOutsidePeriod + rowsFilteredHere > 0;
}

function asExchangeError(error: unknown): ExchangeError {
  if (error instanceof ExchangeError) return error;
  throw error;
}

/** An open end is not sent. */
function datesOf({ from, to }: Interval): { readonly dateFrom?: number; readonly dateTo?: number } {
  return {
    ...(from === openStart ? {} : { dateFrom: from }),
    ...(to === openEnd ? {} : { dateTo: to }),
  };
}

function cappedSize(size: number, maxPageSize: number | null): number {
  return Math.min(size, maxPageSize ?? Infinity);
}
