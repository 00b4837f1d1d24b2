import { phrase } from '../../base/phrase.ts';
import type { ExchangeClient } from '../client.ts';
import { stepOf } from '../dialect/dates.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { longestPeriodMs } from '../dialect/slices.ts';
import type { HistoryPage } from '../dialect/historyPage.ts';
import type { TimeZone } from '../../base/timeZone.ts';
import { ExchangeError } from '../errors.ts';
import { countIn, idOf, timeOf, type HistoryRecord } from '../histories.ts';
import type { LotQuery, OrderQuery, TradeQuery, TransactionQuery } from '../queries.ts';
import type { BadRecord } from '../records.ts';
import type { History, HistoryAnswer, Unit } from './history.ts';

type FiltersOf<Query> = Omit<Query, 'page' | 'size' | 'dateFrom' | 'dateTo'>;

/** One of the four histories (sections 4.1 to 4.4) and what its rows are filtered by, time apart. */
export type HistoryRequest =
  | { readonly operation: 'orders'; readonly filters: FiltersOf<OrderQuery> }
  | { readonly operation: 'trades'; readonly filters: FiltersOf<TradeQuery> }
  | { readonly operation: 'lots'; readonly filters: FiltersOf<LotQuery> }
  | { readonly operation: 'transactions'; readonly filters: FiltersOf<TransactionQuery> };

type Question = {
  readonly dateFrom: number | undefined;
  readonly dateTo: number;
  readonly page: number;
  readonly size: number;
};
type Ask = (
  question: Question,
  signal: AbortSignal | undefined,
) => Promise<HistoryPage<HistoryRecord>>;

const timelessRecord: BadRecord = {
  path: '$.content',
  problem: phrase('the time of a record is no timestamp'),
};

/** A history of an exchange as a walk reads it, in the dialect and time zone that are known of it now. */
export function clientHistory(
  client: ExchangeClient,
  request: HistoryRequest,
): History<HistoryRecord> {
  const ask = asker(client, request);
  const { dialect, book } = client;
  return {
    read: async ({ from, to }, page, size, signal) =>
      answerOf(whole(await ask({ dateFrom: from, dateTo: to, page, size }, signal), request)),
    idOf,
    timeOf: recordTime,
    unitOf: unitsOf(dialect, book.zone),
    maxPageSize: dialect.maxPageSize,
    maxRangeMs: longestPeriodMs(dialect),
  };
}

/**
 * The steps in which the dialect tells moments apart, a second at least: an exchange may forget what a
 * date says beyond it, or write the times of its rows without, and neither shows. Rows come in order of
 * time as a rule: the last unit is kept, as a zone's clocks take long to read.
 */
function unitsOf({ dates }: Dialect, zone: TimeZone): (timeMs: number) => Unit {
  const form = dates === 'isoDate' ? dates : 'epochS';
  let last: Unit = { from: 0, to: 0 };
  return (timeMs) => {
    if (timeMs < last.from || timeMs >= last.to) last = stepOf(timeMs, form, zone);
    return last;
  };
}

function asker(client: ExchangeClient, request: HistoryRequest): Ask {
  switch (request.operation) {
    case 'orders':
      return (question, signal) => client.orders({ ...request.filters, ...question }, signal);
    case 'trades':
      return (question, signal) => client.trades({ ...request.filters, ...question }, signal);
    case 'lots':
      return (question, signal) => client.lots({ ...request.filters, ...question }, signal);
    case 'transactions':
      return (question, signal) => client.transactions({ ...request.filters, ...question }, signal);
    default:
      return request satisfies never;
  }
}

/** Rows that were null may be any number: an empty page would pass for the end of the history. */
function whole<Item>(page: HistoryPage<Item>, { operation }: HistoryRequest): HistoryPage<Item> {
  const missing = page.badRecords.find(({ path }) => path === '$.content');
  if (!missing) return page;
  const { problem: detail } = missing;
  throw new ExchangeError({ kind: 'malformed', sent: 'yes', operation, detail });
}

/** A record without a time has no place in a walk: it is set aside like one that broke its type. */
function answerOf({
  value,
  badRecords,
  outside,
  unmatched,
}: HistoryPage<HistoryRecord>): HistoryAnswer<HistoryRecord> {
  const items = value.content.filter((record) => !Number.isNaN(recordTime(record)));
  const timeless = value.content.filter((record) => Number.isNaN(recordTime(record)));
  return {
    items,
    badRecords: [...badRecords, ...timeless.map(() => timelessRecord)],
    outside,
    unmatched,
    totalElements: countIn(value.totalElements) ?? null,
    totalPages: countIn(value.totalPages) ?? null,
  };
}

/** Epoch milliseconds; NaN where the record's time is no timestamp. */
function recordTime(record: HistoryRecord): number {
  return timeOf(record) ?? Number.NaN;
}
