import type Big from 'big.js';
import type { Side } from '../market/instruments.ts';
import type { HistoryFilter } from './pagedHistory.ts';

export const orderTypes = ['LIMIT', 'MARKET'] as const;
export const orderStatuses = ['PARTIALLY_EXECUTED', 'EXECUTED', 'CANCELED', 'LIQUIDATED'] as const;

export type OrderType = (typeof orderTypes)[number];
export type OrderStatus = (typeof orderStatuses)[number];

/**
 * Section 2.2 of the API document. `time` is when the order was completed. The price of a MARKET
 * order is 0, and so is the average price of an order without trades.
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

/** The filters of the order history (section 4.1). */
export type OrderFilter = HistoryFilter<Order> & {
  readonly statuses?: readonly OrderStatus[] | undefined;
};

/** Section 2.3 of the API document. */
export type Trade = {
  readonly tradeId: bigint;
  readonly orderId: bigint;
  readonly symbol: string;
  readonly amount: Big;
  readonly price: Big;
  readonly side: Side;
  readonly maker: boolean;
  readonly fee: Big;
  readonly rpnl: Big;
  readonly feeAsset: string;
  readonly type: 'ORDER_BOOK';
  readonly time: number;
};
