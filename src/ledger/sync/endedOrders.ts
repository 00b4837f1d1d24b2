import type { Interval } from '../../base/interval.ts';
import { dayMs, minuteMs } from '../../base/time.ts';
import { type HistoryRecord, timeOf } from '../../exchange/history/historyRecords.ts';
import { identityOf } from '../../exchange/recordIdentity.ts';
import type { Order } from '../../exchange/records.ts';
import type { TailRead } from './tailReader.ts';
import type { ExchangeClient } from '../../exchange/client.ts';
import { maxPeriodMs } from '../../exchange/conventions/requestLimits.ts';
import { operations } from '../../api/operations.ts';
import type { LedgerWriter } from '../ledger.ts';
import { readPage } from './ledgerPages.ts';
import type { WeightBudget } from './weightBudget.ts';

type OrderKey = Pick<Order, 'orderId' | 'symbol'>;

/** How far back the order of a trade is searched, and for how many orders after one change. */
const searchedMs = 90 * dayMs;
const maxSearches = 2;
const maxRemembered = 100;
/** An exchange may list an order later than it frees what the order locked. */
const pagesToWait = 2;

/**
 * Finds orders that ended long after they were placed: an exchange may list them by the time when they
 * were placed, in a period that was read before.
 */
export class EndedOrders {
  private readonly options: OrderSearchOptions;
  /** Orders of new trades, by identity. */
  private readonly traded = new Map<string, OrderKey>();
  /** Those that were searched in vain: an open order is not listed. */
  private readonly missing = new Map<string, OrderKey>();
  private canBeListed = false;
  /** Pages of orders since an order ended, while none shows it; null if none is expected. */
  private pagesSince: number | null = null;
  private overdue = false;

  constructor(options: OrderSearchOptions) {
    this.options = options;
  }

  /** An open order was filled or cancelled. */
  expect(): void {
    this.pagesSince ??= 0;
    this.canBeListed = true;
  }

  get isExpected(): boolean {
    return this.pagesSince !== null;
  }

  /** Whether no page shows an order that ended: it may be anywhere in the last months. */
  get isOverdue(): boolean {
    return this.overdue;
  }

  /** The last months are read again. */
  forget(): void {
    this.overdue = false;
  }

  /** New trades name orders that were filled. */
  addTrades(trades: readonly HistoryRecord[]): void {
    for (const trade of trades)
      if ('tradeId' in trade && trade.orderId !== null) {
        const { orderId, symbol } = trade;
        remember(this.traded, { orderId, symbol });
      }
  }

  /** Searches the orders of trades that the newest page of orders does not show. */
  async search({ items, counts }: TailRead, signal: AbortSignal): Promise<void> {
    if (counts.added + counts.changed > 0) this.pagesSince = null;
    for (const order of items) this.traded.delete(identityOf(order));
    const again = this.canBeListed ? await this.stillMissing() : new Map<string, OrderKey>();
    this.canBeListed = false;
    const searched = new Map([...again, ...this.traded]);
    for (const order of [...searched.values()].slice(0, maxSearches))
      await this.searchOne(order, signal);
    this.countPage();
  }

  private async searchOne(order: OrderKey, signal: AbortSignal): Promise<void> {
    const now = this.options.client.serverNow();
    const within = { from: now - searchedMs, to: now };
    const isFound = await searchOrder(this.options, order, within, signal);
    this.traded.delete(identityOf(order));
    if (isFound) this.pagesSince = null;
    if (isFound) this.missing.delete(identityOf(order));
    else remember(this.missing, order);
  }

  /** A walk may have found some of them. */
  private async stillMissing(): Promise<ReadonlyMap<string, OrderKey>> {
    const sought = [...this.missing.values()];
    const areStored = await this.options.writer.areStored('orders', sought);
    for (const [index, order] of sought.entries())
      if (areStored[index]) this.missing.delete(identityOf(order));
    return this.missing;
  }

  private countPage(): void {
    if (this.pagesSince === null) return;
    this.pagesSince += 1;
    if (this.pagesSince < pagesToWait) return;
    this.pagesSince = null;
    this.overdue = true;
  }
}

function remember(orders: Map<string, OrderKey>, order: OrderKey): void {
  if (orders.size < maxRemembered) orders.set(identityOf(order), order);
}

type OrderSearchOptions = {
  readonly client: Pick<ExchangeClient, 'history' | 'conventions' | 'serverNow'>;
  readonly writer: LedgerWriter;
  readonly budget: WeightBudget;
};

/**
 * Reads one page of orders around the time when an order was probably placed, and stores it. Whether
 * the order is among them. Rejects with ExchangeError or the signal's reason.
 */
async function searchOrder(
  { client, writer, budget }: OrderSearchOptions,
  sought: OrderKey,
  within: Interval,
  signal: AbortSignal,
): Promise<boolean> {
  const age = await likelyAge(writer, sought.orderId, within);
  const longestMs = maxPeriodMs(client.conventions.current) ?? Infinity;
  const period = { from: Math.max(age.from, age.to - longestMs), to: age.to };
  await budget.take(operations.orders.weight, false, signal);
  const asOf = client.serverNow();
  const options = { priority: 'bulk', signal, isSingleAttempt: true } as const;
  const { rows } = await readPage(client, 'orders', period, options);
  await writer.storeRows(
    'orders',
    rows.map(({ item }) => item),
    asOf,
  );
  return rows.some(({ id }) => id === identityOf(sought));
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
  const newestBefore = async (to: number): Promise<Order | undefined> => {
    const [newest] = await writer.recordsIn('orders', { from: within.from, to }, 1);
    return newest as Order | undefined;
  };
  let { from, to } = within;
  while (to - from > minuteMs) {
    const middle = Math.floor((from + to) / 2);
    const newest = await newestBefore(middle);
    if (!newest || isLess(newest.orderId, orderId)) from = middle;
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
