import { minuteMs } from '../../base/time.ts';
import type { ExchangeClient } from '../../exchange/client.ts';
import { maxPeriodMs } from '../../exchange/conventions/rangeLimit.ts';
import { idOf, timeOf } from '../../exchange/history/historyRecords.ts';
import { readSourcePage } from '../../exchange/history/historySource.ts';
import { defaultPageSize } from '../../exchange/history/readToEnd.ts';
import { operations } from '../../exchange/operations.ts';
import { ledgerHistories, type Interval, type LedgerWriter } from '../ledger.ts';
import type { WeightBudget } from './weightBudget.ts';

export type OrderSearchOptions = {
  readonly client: Pick<ExchangeClient, 'history' | 'conventions' | 'serverNow'>;
  readonly writer: LedgerWriter;
  readonly budget: WeightBudget;
};

/**
 * Reads one page of orders around the time when an order was probably placed, and stores it. Whether
 * the order is among them. Rejects with ExchangeError or the signal's reason.
 */
export async function searchOrder(
  { client, writer, budget }: OrderSearchOptions,
  orderId: string,
  within: Interval,
  signal: AbortSignal,
): Promise<boolean> {
  const age = await likelyAge(writer, orderId, within);
  const { current } = client.conventions;
  const longestMs = maxPeriodMs(current) ?? Infinity;
  const period = { from: Math.max(age.from, age.to - longestMs), to: age.to };
  await budget.take(operations.orders.weight, false, signal);
  const asOf = client.serverNow();
  const size = current.maxPageSize ?? defaultPageSize;
  const request = { ...ledgerHistories.orders, period, page: 0, size } as const;
  const options = { priority: 'bulk', signal, isSingleAttempt: true } as const;
  const { items } = await readSourcePage(client, request, options);
  const { id } = await writer.beginWalk({ ...age, history: 'orders', asOf, purpose: 'current' });
  await writer.saveStep(id, items, null);
  // One page in the midst of a period proves nothing about it.
  await writer.dropWalk(id);
  return items.some((order) => idOf(order) === orderId);
}

/**
 * Between the stored orders whose ids are next to this one. An exchange usually counts ids up with time;
 * one that does not is searched in vain.
 */
async function likelyAge(
  writer: Pick<LedgerWriter, 'recordsIn'>,
  orderId: string,
  within: Interval,
): Promise<Interval> {
  const newestBefore = async (to: number) =>
    (await writer.recordsIn('orders', { from: within.from, to }, 1)).at(0);
  let { from, to } = within;
  while (to - from > minuteMs) {
    const middle = Math.floor((from + to) / 2);
    const newest = await newestBefore(middle);
    if (!newest || isLess(idOf(newest), orderId)) from = middle;
    else to = middle;
  }
  const before = await newestBefore(from);
  const begin = before ? (timeOf(before) ?? from) : within.from;
  return { from: begin - minuteMs, to: to + minuteMs };
}

/** Ids may have more digits than a number; those of other kinds are compared as text. */
function isLess(one: string, other: string): boolean {
  return one.length === other.length ? one < other : one.length < other.length;
}
