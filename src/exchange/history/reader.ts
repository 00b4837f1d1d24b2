import { always, isAlways, openEnd, openStart, type Interval } from '../../base/interval.ts';
import { dayMs } from '../../base/time.ts';
import type { ApiConventions } from './apiConventions.ts';
import { probeConventions } from './probe.ts';
import type { ExchangeConventions } from './exchangeConventions.ts';
import { judgePage, observationOf, type PageAnswer } from './judgePage.ts';
import type { Observation } from './learnedConventions.ts';
import { writeQuery } from './query.ts';
import { findPageSizeLimit, findRangeLimitDays } from './requestLimits.ts';
import type { Decoder } from '../decoders.ts';
import { ExchangeError, PeriodTooLongError } from '../exchangeError.ts';
import type { ReadOptions, Requests } from '../http/requests.ts';
import { operations, type HistoryName } from '../../api/operations.ts';
import { answers, type Page } from '../records.ts';
import { findIgnoredFilters, hasFilters, matchesFilters, withoutFilters } from './filterRules.ts';
import type { HistoryRecord, HistoryRequest, RecordOf } from './records.ts';
import { pageOf, recordRow, withEmptyList, type HistoryPage } from './page.ts';

type HistoryReaderOptions = {
  readonly conventions: ExchangeConventions;
  /** Exchange information names the time zone. */
  readonly requests: Pick<Requests, 'read' | 'readInfo'>;
  /** The exchange's time in epoch milliseconds, by which periods end. */
  readonly serverNow: () => number;
  /** Our time, by which findings age. */
  readonly now: () => number;
};

/** One page on its way, however often it is requested. */
type PageRead = {
  readonly request: HistoryRequest;
  /** Filters that are applied here instead of being sent. */
  readonly filteredHere: readonly string[];
  readonly options: ReadOptions;
};

const pageDecoders: { readonly [Name in HistoryName]: Decoder<Page<RecordOf[Name]>> } = answers;

/** Reads pages of the histories in the conventions of the exchange, and learns conventions from the answers. */
export class HistoryReader {
  private readonly options: HistoryReaderOptions;
  /** If page 0 ever had rows, an empty page 0 is not retried as page 1. */
  private pageZeroHadRows = false;

  constructor(options: HistoryReaderOptions) {
    this.options = options;
  }

  /**
   * Reads one page, and marks the rows that do not match the filters that the exchange may misread, unless others
   * are named in `filteredHere`. If a long period is refused, finds out how long one may be, with up to five more
   * requests, each sent once, and rejects with PeriodTooLongError. If a large page is refused, finds out how large
   * one may be, with up to four more, and reads that. Only for a first page: a later one may be refused for its
   * number. Until the number of the first page is known, page 1 is requested after an empty page 0.
   */
  readonly readPage = async <Name extends HistoryName>(
    request: HistoryRequest<Name>,
    options: ReadOptions = {},
    filteredHere = this.options.conventions.filteredHere(request.filters),
  ): Promise<HistoryPage<RecordOf[Name]>> => {
    const page = await this.read({ request, filteredHere, options });
    return page as HistoryPage<RecordOf[Name]>;
  };

  /**
   * Detects on the lot history how the exchange counts pages and reads dates, with at most 10 requests,
   * and remembers it. What the answers do not show stays undecided.
   */
  readonly probeConventions = async (options: ReadOptions = {}): Promise<void> => {
    const { conventions, now } = this.options;
    const { findings, requestCount } = await probeConventions({
      ask: (query, apiConventions) => {
        const request = { operation: 'lots', filters: {}, ...query } as const;
        const once = { ...options, isSingleAttempt: true };
        return this.ask({ request, filteredHere: [], options: once }, apiConventions);
      },
      settings: conventions.settings,
      zone: conventions.zone,
      now,
    });
    const weight = requestCount * operations.lots.weight;
    conventions.recordProbe(findings, { at: now(), weight });
  };

  private async read(reading: PageRead): Promise<HistoryPage> {
    const first = await this.readOnce(reading);
    const { answer } = first;
    if (!(answer instanceof ExchangeError)) return this.orPageOneIfEmpty(reading, answer, first);
    if (reading.request.page > 0) throw answer;
    const mayBePageSize = await this.learnRangeLimit(reading, first.observation, answer);
    if (mayBePageSize && (await this.learnPageSize(reading))) return this.read(reading);
    throw answer;
  }

  /** Reads a page as large as the exchange allows, and learns from it. */
  private async readOnce(
    reading: PageRead,
    apiConventions = this.options.conventions.current,
  ): Promise<PageAnswer> {
    const { conventions, requests, now } = this.options;
    const { operation, period, page, size: asked } = reading.request;
    if (conventions.needsZone(period)) await requests.readInfo(reading.options);
    const size = asked && cappedSize(asked, conventions.maxPageSize(operation));
    const request = { ...reading.request, size };
    const read = await this.ask({ ...reading, request }, apiConventions);
    if (read.answer instanceof ExchangeError) return read;
    const isFiltered =
      !isAlways(period) || hasFilters(withoutFilters(request, reading.filteredHere));
    judgePage(
      conventions,
      { operation, page, size, isFiltered },
      read.answer,
      read.observation,
      now(),
    );
    const isEmpty = page === 0 && read.answer.sent === 0;
    const unproven = conventions.unprovenConventions(period, isEmpty);
    return { ...read, answer: { ...read.answer, unproven } };
  }

  /** Asks for one page as it is. A refusal is an answer; rejects with other failures. */
  private async ask(
    { request, filteredHere, options }: PageRead,
    apiConventions: ApiConventions,
  ): Promise<PageAnswer> {
    const sent = withoutFilters(request, filteredHere);
    const { operation, filters, period, page, size } = sent;
    const { pairs, widestPeriod } = writeQuery(
      operations[operation],
      { ...filters, page, size, ...datesOf(period) },
      apiConventions,
      this.options.conventions.zone,
    );
    const decoder: Decoder<Page<HistoryRecord>> = pageDecoders[operation];
    const decoded = await refusalOr(
      this.options.requests.read({ operation, pairs, decoder }, options),
    );
    if (decoded instanceof ExchangeError)
      return { answer: decoded, observation: observationOf(operation, pairs, decoded) };
    const { value, badRecords, isEndOpen } = withEmptyList(decoded, page, size ?? 1);
    const { content, size: sentSize, totalPages, totalElements } = value;
    const rows = content.map((record) =>
      recordRow(record, matchesFilters(request, filteredHere, record)),
    );
    const ignoredFilters = findIgnoredFilters(sent, content, widestPeriod);
    const totals = { size: sentSize, totalPages, totalElements };
    const found = pageOf(period, rows, badRecords, totals);
    const answer = { ...found, ignoredFilters, filteredHere, isEndOpen };
    return { answer, observation: observationOf(operation, pairs, answer) };
  }

  /** An exchange that counts pages from 1 may answer page 0 without rows, as if there were none. */
  private async orPageOneIfEmpty(
    reading: PageRead,
    page: HistoryPage,
    { observation }: PageAnswer,
  ): Promise<HistoryPage> {
    const { conventions, now } = this.options;
    if (reading.request.page > 0 || conventions.sourceOf('firstPage') !== 'assumed') return page;
    this.pageZeroHadRows ||= page.sent > 0;
    if (this.pageZeroHadRows) return page;
    const next = await this.readOnce(reading, { ...conventions.current, firstPage: 1 });
    if (next.answer instanceof ExchangeError || next.answer.sent === 0) return page;
    conventions.recordFinding('firstPage', {
      concluded: 1,
      reason: 'zeroEmpty',
      evidence: [observation, next.observation],
      seenAt: now(),
    });
    return next.answer;
  }

  /**
   * Records how many days one request may span if a refusal was about that, and throws PeriodTooLongError. Whether a
   * day is refused as well.
   */
  private async learnRangeLimit(
    reading: PageRead,
    refused: Observation,
    { failure }: ExchangeError,
  ): Promise<boolean> {
    const { conventions, serverNow, now } = this.options;
    const { period } = reading.request;
    if (isAlways(period) || conventions.sourceOf('maxRangeDays') !== 'assumed') return true;
    const evidence = [refused];
    // Some exchanges refuse what lies ahead: then the length is not the reason.
    const range = { from: period.from, to: Math.min(period.to, serverNow()) };
    const days = await findRangeLimitDays(range, (shorter) =>
      this.isAccepted(reading, { period: shorter }, evidence),
    );
    if (typeof days !== 'number') return days === 'dayRefused';
    const finding = { concluded: days, reason: 'rangeRefused', evidence, seenAt: now() } as const;
    conventions.recordFinding('maxRangeDays', finding);
    throw new PeriodTooLongError(failure);
  }

  /** Asks for a day at most: a long period may be refused as well. */
  private async learnPageSize(reading: PageRead): Promise<boolean> {
    const { conventions, serverNow, now } = this.options;
    const { operation, size = 0, period: asked } = reading.request;
    if (conventions.sourceOf('maxPageSize') === 'set') return false;
    const end = Math.min(asked.to, serverNow());
    const begin = asked.from === openStart ? end - dayMs : asked.from;
    const day = { from: begin, to: Math.min(begin + dayMs, end) };
    const period = isAlways(asked) ? always : day;
    const evidence: Observation[] = [];
    const most = cappedSize(size, conventions.maxPageSize(operation));
    const concluded = await findPageSizeLimit(most, (smaller) =>
      this.isAccepted(reading, { period, size: smaller }, evidence),
    );
    if (concluded === undefined) return false;
    const finding = { concluded, reason: 'largePagesRefused', evidence, seenAt: now() } as const;
    conventions.recordFinding(`maxPageSize.${operation}`, finding);
    return true;
  }

  /** Whether another part of a page is answered, asked for once. */
  private async isAccepted(
    reading: PageRead,
    change: Pick<HistoryRequest, 'period' | 'size'>,
    evidence: Observation[],
  ): Promise<boolean> {
    const request = { ...reading.request, ...change };
    const options = { ...reading.options, isSingleAttempt: true };
    const { answer, observation } = await this.readOnce({ ...reading, request, options });
    evidence.push(observation);
    return !(answer instanceof ExchangeError);
  }
}

/** A refusal is an answer too; other failures are thrown. */
async function refusalOr<Value>(sent: Promise<Value>): Promise<Value | ExchangeError> {
  return sent.catch((error: unknown) => {
    if (error instanceof ExchangeError && error.failure.kind === 'refused') return error;
    throw error;
  });
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
