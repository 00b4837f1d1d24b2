import { sortedByName } from '../../base/exactJson.ts';
import type { Interval } from '../../base/interval.ts';
import { parseTimestampMs } from '../../base/time.ts';
import type { ParameterValues } from '../conventions/queryWriter.ts';
import type { operations } from '../operations.ts';
import type { Lot, Order, Trade, Transaction, AccountType } from '../records.ts';

/** The four paged histories, sections 4.1 to 4.4. */
export const historyNames = ['orders', 'trades', 'lots', 'transactions'] as const;
export type HistoryName = (typeof historyNames)[number];
export type HistoryRecord = Order | Trade | Lot | Transaction;

/**
 * Everything that a record says: two records may share id and time. The order of the fields that the API does
 * not name says nothing, and may be another one in each answer.
 */
export function contentOf(record: HistoryRecord): string {
  const { extra } = record;
  const isPlain = Object.keys(extra).length === 0;
  return JSON.stringify(isPlain ? record : { ...record, extra: sortedByName(extra) });
}

/** A record's own time in epoch milliseconds; undefined if it cannot be read. */
export function timeOf(item: object): number | undefined {
  const { time, updatedAt = time } = item as { time?: unknown; updatedAt?: unknown };
  return typeof updatedAt === 'string' ? parseTimestampMs(updatedAt) : undefined;
}

export type RecordOf = {
  readonly orders: Order;
  readonly trades: Trade;
  readonly lots: Lot;
  readonly transactions: Transaction;
};

type FiltersOf<Name extends HistoryName> = Omit<
  ParameterValues<(typeof operations)[Name]>,
  'dateFrom' | 'dateTo' | 'page' | 'size'
>;

/** What the rows of a history are filtered by, time apart: each such parameter of its operation, and no other filter. */
export type HistoryFilters<Name extends HistoryName = HistoryName> = Name extends 'transactions'
  ? FiltersOf<Name> & { readonly accountType: AccountType }
  : FiltersOf<Name>;

/** One of the four histories with its filters. */
export type HistorySelection<Name extends HistoryName = HistoryName> = {
  readonly [Each in Name]: { readonly operation: Each; readonly filters: HistoryFilters<Each> };
}[Name];

export type HistoryRequest<Name extends HistoryName = HistoryName> = {
  readonly operation: Name;
  readonly filters: HistoryFilters<Name>;
  /** All records without. */
  readonly period?: Interval;
  /** Counted from 0. */
  readonly page: number;
  readonly size?: number | undefined;
};
