import { epochMsOf } from '../../base/instant.ts';
import type {
  ExchangeClient,
  LotQuery,
  OrderQuery,
  TradeQuery,
  TransactionQuery,
} from '../client.ts';
import type {
  BadRecord,
  Decoded,
  Lot,
  NumberText,
  Order,
  Page,
  Trade,
  Transaction,
} from '../records.ts';
import type { History, HistoryAnswer, TimeRange } from './history.ts';

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
) => Promise<Decoded<Page<HistoryRecord>>>;

/** A history of an exchange as a walk reads it. */
export function clientHistory(
  client: ExchangeClient,
  request: HistoryRequest,
): History<HistoryRecord> {
  const ask = asker(client, request);
  return {
    read: async ({ from, to }, page, size, signal) =>
      answerOf(await ask({ dateFrom: from, dateTo: to, page, size }, signal), { from, to }),
    idOf,
    timeOf,
    resolutionMs: 1,
    maxPageSize: null,
    maxRangeMs: null,
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

/** A record without a time has no place in a walk: it is set aside like one that broke its type. */
function answerOf(
  { value, badRecords }: Decoded<Page<HistoryRecord>>,
  range: TimeRange,
): HistoryAnswer<HistoryRecord> {
  const timeless = value.content.filter((record) => Number.isNaN(timeOf(record)));
  const items = value.content.filter((record) => isWithin(timeOf(record), range));
  return {
    items,
    badRecords: [...badRecords, ...timeless.map(noTimestamp)],
    outside: value.content.length - timeless.length - items.length,
    totalElements: countOf(value.totalElements),
    totalPages: countOf(value.totalPages),
  };
}

function isWithin(time: number, { from = Number.NEGATIVE_INFINITY, to }: TimeRange): boolean {
  return time >= from && time < to;
}

function noTimestamp(record: HistoryRecord): BadRecord {
  const problem = `The record with id ${idOf(record)} should have a timestamp and has ${timeText(record)}`;
  return { path: '$.content', problem };
}

/** Epoch milliseconds; NaN where the record's time is no timestamp. */
function timeOf(record: HistoryRecord): number {
  return epochMsOf(timeText(record)) ?? Number.NaN;
}

function countOf(text: NumberText | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** A trade has its order's id as well. */
function idOf(record: HistoryRecord): string {
  if ('tradeId' in record) return record.tradeId;
  if ('orderId' in record) return record.orderId;
  return 'lotId' in record ? record.lotId : record.transactionId;
}

function timeText(record: HistoryRecord): NumberText {
  return 'time' in record ? record.time : record.updatedAt;
}
