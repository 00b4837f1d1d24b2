import { phrase } from '../../base/phrase.ts';
import { epochMsOf } from '../../base/instant.ts';
import type { ExchangeClient } from '../client.ts';
import { stepOf } from '../dialect/dates.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { longestPeriodMs } from '../dialect/slices.ts';
import type { HistoryPage } from '../dialect/historyPage.ts';
import type { Zone } from '../dialect/zone.ts';
import { ExchangeError } from '../errors.ts';
import type { LotQuery, OrderQuery, TradeQuery, TransactionQuery } from '../queries.ts';
import type { BadRecord, Lot, NumberText, Order, Trade, Transaction } from '../records.ts';
import type { History, HistoryAnswer, Unit } from './history.ts';

type FiltersOf<Query> = Omit<Query, 'page' | 'size' | 'dateFrom' | 'dateTo'>;

/** One of the four histories (sections 4.1 to 4.4) and what its rows are filtered by, time apart. */
export type HistoryRequest =
  | { readonly operation: 'orders'; readonly filters: FiltersOf<OrderQuery> }
  | { readonly operation: 'trades'; readonly filters: FiltersOf<TradeQuery> }
  | { readonly operation: 'lots'; readonly filters: FiltersOf<LotQuery> }
  | { readonly operation: 'transactions'; readonly filters: FiltersOf<TransactionQuery> };
export type HistoryName = HistoryRequest['operation'];
export type HistoryRecord = Order | Trade | Lot | Transaction;

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
    timeOf,
    unitOf: unitsOf(dialect, book.zone),
    maxPageSize: dialect.maxPageSize,
    maxRangeMs: longestPeriodMs(dialect),
  };
}

/** Rows come in order of time as a rule: the last unit is kept, as a zone's clocks take long to read. */
function unitsOf({ dates }: Dialect, zone: Zone): (timeMs: number) => Unit {
  let last: Unit = { from: 0, to: 0 };
  return (timeMs) => {
    if (timeMs < last.from || timeMs >= last.to) last = stepOf(timeMs, dates, zone);
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
  const items = value.content.filter((record) => !Number.isNaN(timeOf(record)));
  const timeless = value.content.filter((record) => Number.isNaN(timeOf(record)));
  return {
    items,
    badRecords: [...badRecords, ...timeless.map(() => timelessRecord)],
    outside,
    unmatched,
    totalElements: countOf(value.totalElements),
    totalPages: countOf(value.totalPages),
  };
}

/** Epoch milliseconds; NaN where the record's time is no timestamp. */
function timeOf(record: HistoryRecord): number {
  return epochMsOf(timeText(record)) ?? Number.NaN;
}

function countOf(text: NumberText | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** A trade has its order's id as well; transactions of two types may share one, as a trade and its fee. */
function idOf(record: HistoryRecord): string {
  if ('tradeId' in record) return record.tradeId;
  if ('orderId' in record) return record.orderId;
  return 'lotId' in record ? record.lotId : `${record.type}:${record.transactionId}`;
}

function timeText(record: HistoryRecord): NumberText {
  return 'time' in record ? record.time : record.updatedAt;
}
