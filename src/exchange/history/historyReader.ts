import type { ApiConventions } from '../conventions/apiConventions.ts';
import { writeQuery, type ParameterValues, type QueryPairs } from '../conventions/queryWriter.ts';
import { probeConventions } from '../conventions/conventionProbe.ts';
import type { ConventionResolver } from '../conventions/conventionResolver.ts';
import { observeListForm, observePage } from '../conventions/observeAnswers.ts';
import { createObservation, summarizePage, observedRows } from '../conventions/pageSummary.ts';
import type { RequestLots } from '../conventions/probeSession.ts';
import { learnRangeLimit } from '../conventions/rangeLimit.ts';
import { lotPage, orderPage, tradePage, transactionPage } from '../decode.ts';
import type { Decoder } from '../decoders.ts';
import { ExchangeError } from '../exchangeError.ts';
import type { SendOptions } from '../http/transport.ts';
import { operations } from '../operations.ts';
import type { Decoded, Page } from '../records.ts';
import { filterPage, type HistoryPage, type PageAttempt } from './historyPage.ts';
import type { HistoryName, HistoryRequest, RecordOf } from './historyRecords.ts';

/** An attempt that was not refused. */
type PageAnswer<Item> = Extract<PageAttempt<Item>, { page: unknown }>;

/** How a read is sent; a single attempt is never sent again, so that its weight is bounded. */
export type ReadOptions = SendOptions & { readonly isSingleAttempt?: boolean };

type Send = <Value>(
  operation: HistoryName,
  pairs: QueryPairs,
  decoder: Decoder<Value>,
  options: ReadOptions,
) => Promise<Decoded<Value>>;

type HistoryReaderOptions = {
  readonly conventions: ConventionResolver;
  /** Sends a query, and decodes the answer. */
  readonly send: Send;
  /** Reads exchange information, which names the time zone. */
  readonly readExchangeInfo: (options: SendOptions) => Promise<unknown>;
  /** The exchange's time in epoch milliseconds, by which periods end. */
  readonly serverNow: () => number;
  /** Our time, by which findings age. */
  readonly now: () => number;
};

/** One page on its way, however often it is requested. */
type PageRead<Item> = {
  readonly request: HistoryRequest;
  readonly decoder: Decoder<Page<Item>>;
  readonly options: ReadOptions;
};

const pageDecoders: { readonly [Name in HistoryName]: Decoder<Page<RecordOf[Name]>> } = {
  orders: orderPage,
  trades: tradePage,
  lots: lotPage,
  transactions: transactionPage,
};

/**
 * Reads pages of the histories in the conventions of the exchange, drops rows outside the requested
 * period, and learns conventions from the answers.
 */
export class HistoryReader {
  private readonly options: HistoryReaderOptions;
  /** If page 0 ever had rows, an empty page 0 is not retried as page 1. */
  private pageZeroHadRows = false;

  constructor(parts: HistoryReaderOptions) {
    this.options = parts;
  }

  /**
   * Reads one page. If a long period is refused, finds out how long one may be, with up to five more
   * requests, each sent once, and still rejects with the refusal; a limit that it found is then among
   * the conventions. Until the number of the first page is known, page 1 is requested after an empty
   * page 0.
   */
  async readPage<Name extends HistoryName>(
    request: HistoryRequest<Name>,
    options: SendOptions,
  ): Promise<HistoryPage<RecordOf[Name]>> {
    const { conventions } = this.options;
    const reading = { request, decoder: pageDecoders[request.operation], options };
    const attempt = await this.requestPage(reading, conventions.current);
    if ('page' in attempt) return this.orPageOneIfEmpty(reading, attempt);
    if (conventions.sourceOf('maxRangeDays') === 'assumed')
      await this.learnRangeLimit(reading, attempt);
    throw attempt.refusal;
  }

  /** Detects the conventions on the lot history, with at most 7 requests. */
  async probeConventions(options: SendOptions): Promise<void> {
    const { conventions, now } = this.options;
    const requestLots: RequestLots = async (values, apiConventions) => {
      const { pairs } = writeQuery(operations.lots, values, apiConventions, conventions.zone);
      const answer = await this.options
        .send('lots', pairs, lotPage, { ...options, isSingleAttempt: true })
        .catch(asExchangeError);
      return { pairs, answer };
    };
    const { settings, zone } = conventions;
    const { findings, requestCount } = await probeConventions({ requestLots, settings, zone, now });
    const weight = requestCount * operations.lots.weight;
    conventions.recordProbe(findings, { at: now(), weight });
  }

  private async requestPage<Item extends object>(
    { request, decoder, options }: PageRead<Item>,
    apiConventions: ApiConventions,
  ): Promise<PageAttempt<Item>> {
    const { conventions, send, readExchangeInfo, now } = this.options;
    const { operation, filters, period = {}, page, size } = request;
    if (conventions.needsZone(period)) await readExchangeInfo(options);
    const query = { ...filters, page, size: cappedSize(size, apiConventions) };
    const values = { ...query, dateFrom: period.from, dateTo: period.to };
    const { pairs, widestPeriod } = writeQuery(
      operations[operation],
      values as ParameterValues<(typeof operations)[HistoryName]>,
      apiConventions,
      conventions.zone,
    );
    const answer = await refusalOr(send(operation, pairs, decoder, options));
    if (answer instanceof ExchangeError) {
      const { status = null } = answer.failure;
      const refused = { kind: 'refused', status } as const;
      return { refusal: answer, observation: createObservation(operation, pairs, refused) };
    }
    const summary = summarizePage(answer);
    const observation = createObservation(operation, pairs, observedRows(summary));
    observePage(conventions, values, summary, observation, now());
    const { lists } = apiConventions;
    const { content: items } = answer.value;
    observeListForm(conventions, { filters, lists, items }, observation, now());
    const isEmpty = page === 0 && summary.recordCount === 0;
    const unproven = conventions.unprovenConventions(request, isEmpty);
    return { page: { ...filterPage(answer, request, widestPeriod), unproven }, observation };
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

  /** Only for a first page: a later one may be refused for its number. */
  private async learnRangeLimit<Item extends object>(
    reading: PageRead<Item>,
    { observation: refused }: PageAttempt<Item>,
  ): Promise<void> {
    const { conventions, serverNow, now } = this.options;
    const { request, options } = reading;
    const { from, to } = request.period ?? {};
    if ((from ?? to) === undefined || request.page > 0) return;
    const requestRange = (period: NonNullable<HistoryRequest['period']>) =>
      this.requestPage(
        {
          ...reading,
          request: { ...request, period },
          options: { ...options, isSingleAttempt: true },
        },
        conventions.current,
      );
    await learnRangeLimit(conventions, { from, to: to ?? serverNow(), refused, requestRange }, now);
  }
}

/** A refusal is an answer too; other failures are thrown. */
async function refusalOr<Value>(sent: Promise<Value>): Promise<Value | ExchangeError> {
  const answer = await sent.catch(asExchangeError);
  if (answer instanceof ExchangeError && answer.failure.kind !== 'refused') throw answer;
  return answer;
}

/** Counts records that are unreadable or outside the period too. */
function hasRecords({ value, badRecords, rowsOutsidePeriod }: HistoryPage<unknown>): boolean {
  return value.content.length + badRecords.length + rowsOutsidePeriod > 0;
}

function asExchangeError(error: unknown): ExchangeError {
  if (error instanceof ExchangeError) return error;
  throw error;
}

function cappedSize(size: number | undefined, { maxPageSize }: ApiConventions): number | undefined {
  return size === undefined ? undefined : Math.min(size, maxPageSize ?? Infinity);
}
