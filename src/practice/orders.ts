import type Big from 'big.js';

export const sides = ['BUY', 'SELL'] as const;
export const orderTypes = ['LIMIT', 'MARKET'] as const;
export const orderStatuses = ['PARTIALLY_EXECUTED', 'EXECUTED', 'CANCELED', 'LIQUIDATED'] as const;

export type Side = (typeof sides)[number];
export type OrderType = (typeof orderTypes)[number];
export type OrderStatus = (typeof orderStatuses)[number];

/**
 * Section 2.2 of the interface document. `time` is the moment when the order came to its end. The
 * price of a MARKET order and the average price of an order that met nobody are 0.
 */
export type Order = {
  readonly symbol: string;
  readonly amount: Big;
  readonly side: Side;
  readonly orderId: bigint;
  readonly price: Big;
  readonly clientOrderId: string;
  readonly averageExecutionPrice: Big;
  readonly filled: Big;
  readonly time: number;
  readonly type: OrderType;
  readonly status: OrderStatus;
};

/** What the order history can be narrowed to (section 4.1). Both ends of the period belong to it. */
export type OrderFilter = {
  readonly symbol?: string | undefined;
  readonly type?: OrderType | undefined;
  readonly side?: Side | undefined;
  readonly statuses?: readonly OrderStatus[] | undefined;
  readonly dateFrom?: number | undefined;
  readonly dateTo?: number | undefined;
};

export function orderMatches(order: Order, filter: OrderFilter): boolean {
  return (
    (filter.symbol === undefined || order.symbol === filter.symbol) &&
    (filter.type === undefined || order.type === filter.type) &&
    (filter.side === undefined || order.side === filter.side) &&
    (filter.statuses === undefined || filter.statuses.includes(order.status)) &&
    (filter.dateFrom === undefined || order.time >= filter.dateFrom) &&
    (filter.dateTo === undefined || order.time <= filter.dateTo)
  );
}

/** Newest first; of one moment, the higher id first. */
export function newestOrderFirst(one: Order, other: Order): number {
  if (one.time !== other.time) return other.time - one.time;
  return one.orderId < other.orderId ? 1 : -1;
}
