import type Big from 'big.js';
import { hasAll, isWithin, newestFirst, type Period } from './filters.ts';

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

/** What the order history can be narrowed to (section 4.1). */
export type OrderFilter = Period & {
  readonly symbol?: string | undefined;
  readonly type?: OrderType | undefined;
  readonly side?: Side | undefined;
  readonly statuses?: readonly OrderStatus[] | undefined;
};

export function orderMatches(
  order: Order,
  { statuses, dateFrom, dateTo, ...wanted }: OrderFilter,
): boolean {
  return (
    hasAll<Order>(order, wanted) &&
    (statuses === undefined || statuses.includes(order.status)) &&
    isWithin(order.time, { dateFrom, dateTo })
  );
}

export const newestOrderFirst = newestFirst<Order>(
  ({ time }) => time,
  ({ orderId }) => orderId,
);
