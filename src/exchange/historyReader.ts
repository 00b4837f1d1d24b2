import {
  writeParameters,
  type Dialect,
  type ParameterValues,
  type QueryPairs,
} from './dialect/dialect.ts';
import type { DialectBook } from './dialect/dialectBook.ts';
import { siftPage, type Filters, type HistoryPage } from './dialect/historyPage.ts';
import type { AskLots } from './dialect/inquiry.ts';
import type { Attempt } from './dialect/listForms.ts';
import { noteLists, tryLists } from './dialect/listTrial.ts';
import { probeDialect } from './dialect/probe.ts';
import { learnRange } from './dialect/ranges.ts';
import { observed, seenPage, seenRows } from './dialect/seenPage.ts';
import { ExchangeError } from './errors.ts';
import { isRefusedForTime } from './failures.ts';
import { lotPage } from './decode.ts';
import { operations } from './operations.ts';
import type { Reader } from './readers.ts';
import type { Decoded, Page } from './records.ts';
import type { HistoryName } from './histories.ts';

/** One page of one history, with filters; `page` is counted from 0. */
export type HistoryQuery = Filters & {
  readonly page: number;
  readonly size?: number | undefined;
  readonly accountType?: string | undefined;
};

/** An attempt that was not refused. */
type Answered<Item> = Extract<Attempt<Item>, { page: unknown }>;

type Send = <Value>(
  operation: HistoryName,
  pairs: QueryPairs,
  reader: Reader<Value>,
  signal: AbortSignal | undefined,
) => Promise<Decoded<Value>>;

export type HistoryReaderParts = {
  readonly book: DialectBook;
  /** Sends what is written, and decodes the answer. */
  readonly send: Send;
  /** The same, but no read is sent again: it costs its weight and no more. */
  readonly sendOnce: Send;
  /** Reads exchange information, which names the time zone. */
  readonly inform: (signal: AbortSignal | undefined) => Promise<unknown>;
  /** The exchange's time in epoch milliseconds, by which periods end. */
  readonly serverNow: () => number;
  /** Ours, by which facts age. */
  readonly now: () => number;
};

/** How a history is read: of which operation, by which filters, into which records. */
type Reading<Item> = {
  readonly operation: HistoryName;
  readonly query: HistoryQuery;
  readonly reader: Reader<Page<Item>>;
  readonly signal: AbortSignal | undefined;
};

/**
 * Reads pages of the histories in the exchange's dialect, drops rows outside the asked period, and
 * learns of the dialect what the answers show.
 */
export class HistoryReader {
  private readonly parts: HistoryReaderParts;
  /** Whether a page 0 had rows: then it is the first, or stands for it. */
  private hasBegun = false;

  constructor(parts: HistoryReaderParts) {
    this.parts = parts;
  }

  /**
   * Reads one page. Several values of a list that nobody asked for yet are written in up to three
   * ways, each sent once, until the rows show which is understood; where their time was refused, the
   * exchange's is read and the request sent again as any read. When a long period is refused, finds
   * out how long one may be, in up to five requests more, each sent once, and rejects with the
   * refusal, or with what kept it from finding out: if there is a bound, the dialect then has it. While
   * nobody knows where pages begin, page 1 is asked for behind a page 0 without rows, which may only
   * stand before the first.
   */
  async read<Item extends object>(reading: Reading<Item>): Promise<HistoryPage<Item>> {
    const { book, now } = this.parts;
    const attempt = book.isUntried(reading.query.statuses ?? [])
      ? await tryLists(book, (dialect) => this.attempt(reading, dialect, this.sendByTime), now)
      : await this.attempt(reading, book.dialect);
    if ('page' in attempt) return this.orPageOne(reading, attempt);
    if (book.sourceOf('maxRangeDays') === 'assumed') await this.learnRange(reading, attempt);
    throw attempt.refusal;
  }

  /** Detects pages, dates, order and sizes on the lot history, with at most 7 requests. */
  async probe(signal: AbortSignal | undefined): Promise<void> {
    const { book, now } = this.parts;
    const ask: AskLots = async (values, dialect) => {
      const { pairs } = writeParameters(operations.lots, values, dialect, book.zone);
      const answer = await this.parts.sendOnce('lots', pairs, lotPage, signal).catch(asAnswer);
      return { pairs, answer };
    };
    const { settings, zone } = book;
    const { findings, requests } = await probeDialect({ ask, settings, zone, now });
    const weight = requests * operations.lots.weight;
    book.noteProbe(findings, { at: now(), weight });
  }

  /** Sends once, and once more by the exchange's time where ours was refused: that says nothing of the form. */
  private readonly sendByTime: Send = async (operation, pairs, reader, signal) => {
    const { sendOnce, send, inform } = this.parts;
    try {
      return await sendOnce(operation, pairs, reader, signal);
    } catch (error) {
      if (!(error instanceof ExchangeError) || !isRefusedForTime(error.failure)) throw error;
      await inform(signal);
      return send(operation, pairs, reader, signal);
    }
  };

  private async attempt<Item extends object>(
    { operation, query, reader, signal }: Reading<Item>,
    dialect: Dialect,
    send: Send = this.parts.send,
  ): Promise<Attempt<Item>> {
    const { book, now } = this.parts;
    if (book.needsZone(dialect, query)) await this.parts.inform(signal);
    const asked = { ...query, size: fittingSize(query.size, dialect) };
    const values = asked as ParameterValues<(typeof operations)[HistoryName]>;
    const { pairs, widest } = writeParameters(operations[operation], values, dialect, book.zone);
    const answer = await refusalOr(send(operation, pairs, reader, signal));
    if (answer instanceof ExchangeError) {
      const { status = null } = answer.failure;
      return {
        refusal: answer,
        observation: observed(operation, pairs, { kind: 'refused', status }),
      };
    }
    const seen = seenPage(answer);
    const observation = observed(operation, pairs, seenRows(seen));
    book.notePage({ operation, query: asked }, seen, observation, now());
    const { lists } = dialect;
    const { content: items } = answer.value;
    noteLists(book, { asked: query.statuses ?? [], items, lists, observation }, now());
    const undecided = book.undecidedOf(query, query.page === 0 && seen.records === 0);
    return { page: { ...siftPage(answer, query, widest), undecided }, observation };
  }

  /** An exchange that counts pages from 1 may answer to page 0 with no rows, as if there were none at all. */
  private async orPageOne<Item extends object>(
    reading: Reading<Item>,
    { page, observation }: Answered<Item>,
  ): Promise<HistoryPage<Item>> {
    const { book, now } = this.parts;
    if (reading.query.page > 0 || book.sourceOf('firstPage') !== 'assumed') return page;
    this.hasBegun ||= hasRecords(page);
    if (this.hasBegun) return page;
    const next = await this.attempt(reading, { ...book.dialect, firstPage: 1 });
    if (!('page' in next) || !hasRecords(next.page)) return page;
    const evidence = [observation, next.observation];
    book.learn('firstPage', { concluded: 1, reason: 'zeroEmpty', evidence, seenAt: now() });
    return next.page;
  }

  /** A later page may be refused for its number: then nothing follows for the period. */
  private async learnRange<Item extends object>(
    reading: Reading<Item>,
    { observation: refused }: Attempt<Item>,
  ): Promise<void> {
    const { book, sendOnce, serverNow, now } = this.parts;
    const { dateFrom: from, dateTo, page } = reading.query;
    if ((from ?? dateTo) === undefined || page > 0) return;
    const attempt = ({ from: dateFrom, to }: { from: number | undefined; to: number }) =>
      this.attempt(
        { ...reading, query: { ...reading.query, dateFrom, dateTo: to } },
        book.dialect,
        sendOnce,
      );
    await learnRange(book, { from, to: dateTo ?? serverNow(), refused, attempt }, now);
  }
}

/** A refusal is an answer: it tells something of what was asked. */
async function refusalOr<Value>(sent: Promise<Value>): Promise<Value | ExchangeError> {
  const answer = await sent.catch(asAnswer);
  if (answer instanceof ExchangeError && answer.failure.kind !== 'refused') throw answer;
  return answer;
}

/** Also records that could not be read, or lay outside the period, stand on the page. */
function hasRecords({ value, badRecords, outside }: HistoryPage<unknown>): boolean {
  return value.content.length + badRecords.length + outside > 0;
}

function asAnswer(error: unknown): ExchangeError {
  if (error instanceof ExchangeError) return error;
  throw error;
}

function fittingSize(size: number | undefined, { maxPageSize }: Dialect): number | undefined {
  return size === undefined ? undefined : Math.min(size, maxPageSize ?? Infinity);
}
