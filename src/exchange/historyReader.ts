import { writeRange } from './dialect/dates.ts';
import {
  periodIn,
  writeParameters,
  type Dialect,
  type ParameterValues,
  type QueryPairs,
} from './dialect/dialect.ts';
import type { DialectBook } from './dialect/dialectBook.ts';
import type { Finding, Observation } from './dialect/facts.ts';
import { siftPage, type Filters, type HistoryPage } from './dialect/historyPage.ts';
import type { AskLots } from './dialect/inquiry.ts';
import { valuesMatch } from './dialect/judge.ts';
import { byLists, fullestOf, type Attempt, type TriedForm } from './dialect/listForms.ts';
import { probeDialect } from './dialect/probe.ts';
import { findRangeDays } from './dialect/ranges.ts';
import { observed, seenPage, seenRows, type HistoryOperation } from './dialect/seenPage.ts';
import { ExchangeError } from './errors.ts';
import { lotPage } from './decode.ts';
import { operations } from './operations.ts';
import type { Reader } from './readers.ts';
import type { Decoded, Page } from './records.ts';

/** One page of one history, with filters; `page` is counted from 0. */
export type HistoryQuery = Filters & {
  readonly page: number;
  readonly size?: number | undefined;
  readonly accountType?: string | undefined;
};

type Send = <Value>(
  operation: HistoryOperation,
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
  readonly operation: HistoryOperation;
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

  constructor(parts: HistoryReaderParts) {
    this.parts = parts;
  }

  /**
   * Reads one page. Several values of a list that nobody asked for yet are written in up to three
   * ways, until the rows show which is understood. When a long period is refused, finds out how long
   * one may be, up to 50 weight, and rejects with the refusal: the dialect then has the bound.
   */
  async read<Item extends object>(reading: Reading<Item>): Promise<HistoryPage<Item>> {
    const { book } = this.parts;
    const attempt = book.isUntried(reading.query.statuses ?? [])
      ? await this.tryLists(reading)
      : await this.attempt(reading, book.dialect);
    if ('page' in attempt) return attempt.page;
    if (book.sourceOf('maxRangeDays') === 'assumed') await this.learnRange(reading, attempt);
    throw attempt.refusal;
  }

  /** Detects pages, dates, order and sizes on the lot history, with at most 7 requests. */
  async probe(signal: AbortSignal | undefined): Promise<void> {
    const { book, now } = this.parts;
    const ask: AskLots = async (values, dialect) => {
      const pairs = writeParameters(operations.lots, values, dialect, book.zone);
      const answer = await this.parts.sendOnce('lots', pairs, lotPage, signal).catch(asAnswer);
      return { pairs, answer };
    };
    const { settings, zone } = book;
    const { findings, requests } = await probeDialect({ ask, settings, zone, now });
    const weight = requests * operations.lots.weight;
    book.noteProbe(findings, { at: now(), weight });
  }

  /** A form that drops values gives fewer rows: until one is proved, that which gives the most is used. */
  private async tryLists<Item extends object>(reading: Reading<Item>): Promise<Attempt<Item>> {
    const { book, now } = this.parts;
    const { dialect } = book;
    const [usual, ...others] = byLists(dialect);
    const first = await this.attempt(reading, usual, this.parts.sendOnce);
    const tried: TriedForm<Item>[] = [{ ...first, lists: usual.lists }];
    for (const other of others) {
      if (book.sourceOf('lists') === 'seen') break;
      const attempt = await this.attempt(reading, other, this.parts.sendOnce);
      tried.push({ ...attempt, lists: other.lists });
    }
    const proved = tried.at(-1);
    if (proved && book.sourceOf('lists') === 'seen') return proved;
    const fullest = fullestOf(tried);
    if (!fullest) return first;
    book.learn('lists', {
      ...{ concluded: 'undecided', leaning: fullest.lists, reason: 'valuesDoNotTell' },
      evidence: tried.map(({ observation }) => observation),
      seenAt: now(),
    });
    return fullest;
  }

  private async attempt<Item extends object>(
    { operation, query, reader, signal }: Reading<Item>,
    dialect: Dialect,
    send: Send = this.parts.send,
  ): Promise<Attempt<Item>> {
    const { book } = this.parts;
    if (book.needsZone(dialect, query)) await this.parts.inform(signal);
    const asked = { ...query, size: fittingSize(query.size, dialect) };
    const values = asked as ParameterValues<(typeof operations)[HistoryOperation]>;
    const pairs = writeParameters(operations[operation], values, dialect, book.zone);
    const answer = await refusalOr(send(operation, pairs, reader, signal));
    if (answer instanceof ExchangeError) {
      const { status = null } = answer.failure;
      return {
        refusal: answer,
        observation: observed(operation, pairs, { kind: 'refused', status }),
      };
    }
    const seen = seenPage(operation, answer);
    const observation = observed(operation, pairs, seenRows(seen));
    const firstSize = query.page === 0 ? asked.size : undefined;
    book.notePage(seen, firstSize, observation, this.parts.now());
    this.noteLists(answer.value.content, query, dialect, observation);
    const { widest } = writeRange(periodIn(query), dialect, book.zone);
    const undecided = book.undecidedOf(query, query.page === 0 && seen.records === 0);
    return { page: { ...siftPage(answer, query, widest), undecided }, observation };
  }

  private noteLists(
    items: readonly object[],
    { statuses = [] }: HistoryQuery,
    { lists }: Dialect,
    observation: Observation,
  ): void {
    if (statuses.length < 2) return;
    const { book, now } = this.parts;
    const seen = items.map((item) => String((item as { readonly status?: unknown }).status));
    const isContradicted = seen.some((status) => !statuses.includes(status));
    if (isContradicted && book.sourceOf('lists') === 'seen') book.forget('lists');
    if (book.sourceOf('lists') !== 'assumed' || !valuesMatch(statuses, seen)) return;
    const matched = { concluded: lists, reason: 'valuesMatch', evidence: [observation] } as const;
    book.learn('lists', { ...matched, seenAt: now() });
  }

  /** A later page may be refused for its number: then nothing follows for the period. */
  private async learnRange<Item extends object>(
    reading: Reading<Item>,
    { observation }: Attempt<Item>,
  ): Promise<void> {
    const { book, serverNow, now } = this.parts;
    const { dateFrom, dateTo, page } = reading.query;
    if ((dateFrom ?? dateTo) === undefined || page > 0) return;
    const evidence = [observation];
    const asked = { from: dateFrom, to: dateTo ?? serverNow() };
    const days = await findRangeDays(asked, async ({ from, to }) => {
      const query = { ...reading.query, dateFrom: from, dateTo: to };
      const attempt = await this.attempt({ ...reading, query }, book.dialect);
      evidence.push(attempt.observation);
      return 'page' in attempt;
    });
    if (days === undefined) return;
    const finding: Finding<'maxRangeDays'> = {
      concluded: days,
      reason: 'rangeRefused',
      evidence,
      seenAt: now(),
    };
    book.learn('maxRangeDays', finding);
  }
}

/** A refusal is an answer: it tells something of what was asked. */
async function refusalOr<Value>(sent: Promise<Value>): Promise<Value | ExchangeError> {
  const answer = await sent.catch(asAnswer);
  if (answer instanceof ExchangeError && answer.failure.kind !== 'refused') throw answer;
  return answer;
}

function asAnswer(error: unknown): ExchangeError {
  if (error instanceof ExchangeError) return error;
  throw error;
}

function fittingSize(size: number | undefined, { maxPageSize }: Dialect): number | undefined {
  return size === undefined ? undefined : Math.min(size, maxPageSize ?? Infinity);
}
