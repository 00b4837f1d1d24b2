import type { HistoryRecord } from '../../exchange/history/records.ts';
import { identityOf } from '../../exchange/recordIdentity.ts';
import type { TailRead } from './tailReader.ts';

/** An exchange may list an order later than it frees what the order locked. */
const pagesToWait = 2;

/**
 * Orders that must have changed, and that the newest page of orders does not show: an exchange may list them by
 * the time when they were placed, in a period that was read before.
 */
export class EndedOrders {
  /** Orders of new trades, by identity. */
  private readonly traded = new Set<string>();
  /** Pages of orders since a change is expected, while none shows it; null if none is. */
  private pagesSince: number | null = null;
  private overdue = false;

  /** An open order was filled or cancelled. */
  expect(): void {
    this.pagesSince ??= 0;
  }

  get isExpected(): boolean {
    return this.pagesSince !== null;
  }

  /** Whether no page shows an order that changed: it may be anywhere in the last months. */
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
      if ('tradeId' in trade && trade.orderId !== null) this.traded.add(orderIdentity(trade));
    if (this.traded.size > 0) this.expect();
  }

  /** Takes the newest page of orders. */
  takePage({ items, counts }: TailRead): void {
    const wasTraded = this.traded.size > 0;
    for (const order of items) this.traded.delete(identityOf(order));
    if (this.pagesSince === null) return;
    const isShown = this.traded.size === 0 && (wasTraded || counts.added + counts.changed > 0);
    this.pagesSince += 1;
    if (!isShown && this.pagesSince < pagesToWait) return;
    this.overdue ||= !isShown;
    this.pagesSince = null;
    this.traded.clear();
  }
}

function orderIdentity({
  orderId,
  symbol,
}: {
  readonly orderId: unknown;
  readonly symbol: unknown;
}) {
  return identityOf({ orderId, symbol });
}
