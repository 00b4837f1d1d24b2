import Big from 'big.js';
import {
  idAt,
  roundOrderAmount,
  type Instrument,
  type Side,
  idsPerMs,
  marginAsset,
  partsPerOrder,
} from '../market/instruments.ts';
import type { SeededRandom } from '../market/seededRandom.ts';
import { tradeFee, sum } from '../market/tradingRules.ts';
import { type NetPosition, applyFill } from './netPosition.ts';
import type { HistoryFilter } from './pagedHistory.ts';

export const orderTypes = ['LIMIT', 'MARKET'] as const;
export const orderStatuses = ['PARTIALLY_EXECUTED', 'EXECUTED', 'CANCELED', 'LIQUIDATED'] as const;

type OrderType = (typeof orderTypes)[number];
type OrderStatus = (typeof orderStatuses)[number];

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

/** An order that is no longer open, its trades, and the position after it. */
export type CompletedOrder = {
  readonly order: Order;
  readonly trades: readonly Trade[];
  readonly positionAfter: NetPosition;
};

export type OrderRequest = {
  readonly instrument: Instrument;
  readonly side: Side;
  /** The amount that is filled, if the order is filled. */
  readonly amount: Big;
  readonly time: number;
  /** The best price: the mark price, or the auction's price for a liquidation. */
  readonly price: Big;
};

/** An order that was cancelled without a trade, because its limit was too far from the mark price. */
export function canceledOrder(
  request: OrderRequest,
  position: NetPosition,
  random: SeededRandom,
): CompletedOrder {
  const distance = request.instrument.tickSize.times(random.integer(5, 60));
  const { amount, side, price: mark } = request;
  const order = {
    ...orderIdentity(request, position, random),
    amount,
    filled: new Big(0),
    price: side === 'BUY' ? mark.minus(distance) : mark.plus(distance),
    averageExecutionPrice: new Big(0),
    type: 'LIMIT',
    status: 'CANCELED',
  } as const;
  return { order, trades: [], positionAfter: position };
}

/**
 * An order with trades. A `PARTIALLY_EXECUTED` order is for more than `request.amount`, and the rest
 * was cancelled. A `LIQUIDATED` order is the exchange's own market order.
 */
export function tradedOrder(
  request: OrderRequest,
  status: Exclude<OrderStatus, 'CANCELED'>,
  position: NetPosition,
  random: SeededRandom,
): CompletedOrder {
  const type = drawType(status, random);
  const maker = type === 'LIMIT' && random.chance(60);
  const identity = orderIdentity(request, position, random);
  const execution = { ...request, orderId: identity.orderId, maker };
  const { trades, positionAfter } = fillOrder(execution, position, random);
  const order = {
    ...identity,
    amount: status === 'PARTIALLY_EXECUTED' ? largerAmount(request, random) : request.amount,
    filled: request.amount,
    price: type === 'LIMIT' ? (trades.at(-1)?.price ?? request.price) : new Big(0),
    averageExecutionPrice: averagePrice(trades, request.amount),
    type,
    status,
  };
  return { order, trades, positionAfter };
}

function drawType(status: OrderStatus, random: SeededRandom): OrderType {
  if (status === 'LIQUIDATED') return 'MARKET';
  if (status === 'PARTIALLY_EXECUTED') return 'LIMIT';
  return random.chance(60) ? 'LIMIT' : 'MARKET';
}

function largerAmount({ instrument, amount }: OrderRequest, random: SeededRandom): Big {
  const rest = amount.times(random.integer(20, 300)).div(100);
  return amount.plus(roundOrderAmount(instrument, rest));
}

function orderIdentity(
  { instrument, side, time }: OrderRequest,
  position: NetPosition,
  random: SeededRandom,
) {
  return {
    symbol: instrument.symbol,
    side,
    orderId: idAt(time, instrument, lowIdDigits(position, random)),
    clientOrderId: random.uuid(),
    time,
  };
}

/** The price is that of the first trade. */
type OrderExecution = OrderRequest & { readonly orderId: bigint; readonly maker: boolean };

const maxTrades = 4;

/**
 * The trades of one order. They have the same time, so that an order is never half filled. A maker
 * gets its own price; a taker gets a price at least a tick worse for each further trade.
 */
function fillOrder(
  execution: OrderExecution,
  position: NetPosition,
  random: SeededRandom,
): { trades: readonly Trade[]; positionAfter: NetPosition } {
  const trades: Trade[] = [];
  const firstId = lowIdDigits(position, random);
  const onePart = execution.amount.div(partsPerOrder);
  let positionAfter = position;
  let price = execution.price;
  for (const parts of splitParts(random)) {
    const fill = { side: execution.side, amount: onePart.times(parts), price };
    const applied = applyFill(positionAfter, fill, execution.instrument);
    trades.push(tradeOf(execution, firstId + trades.length, fill, applied.rpnl));
    positionAfter = applied.position;
    if (!execution.maker) price = worsePrice(execution, price, random);
  }
  return { trades, positionAfter };
}

/** The exact average price, weighted by amount, of trades with the total amount `filled`. */
function averagePrice(trades: readonly Trade[], filled: Big): Big {
  return sum(trades.map(({ amount, price }) => amount.times(price))).div(filled);
}

/**
 * The last digits of an order's or a trade's id. A position can close and open again in the same
 * millisecond: the order that opens it gets the higher id.
 */
function lowIdDigits(position: NetPosition, random: SeededRandom): number {
  const half = idsPerMs / 2;
  const digits = random.integer(0, half - maxTrades);
  return position.amount.eq(0) ? digits + half : digits;
}

function tradeOf(
  { instrument, orderId, side, maker, time }: OrderExecution,
  low: number,
  { amount, price }: { readonly amount: Big; readonly price: Big },
  rpnl: Big,
): Trade {
  return {
    tradeId: idAt(time, instrument, low),
    orderId,
    symbol: instrument.symbol,
    amount,
    price,
    side,
    maker,
    fee: tradeFee(amount.times(price), maker),
    rpnl,
    feeAsset: marginAsset,
    type: 'ORDER_BOOK',
    time,
  };
}

/** Splits an order into one to four trades. Their sizes add up to `partsPerOrder`. */
function splitParts(random: SeededRandom): number[] {
  const cuts = Array.from({ length: random.integer(0, maxTrades - 1) }, () =>
    random.integer(1, partsPerOrder - 1),
  );
  const edges = [...new Set([0, ...cuts, partsPerOrder])].sort((one, other) => one - other);
  return edges.slice(1).map((edge, index) => edge - (edges[index] ?? 0));
}

function worsePrice({ instrument, side }: OrderExecution, price: Big, random: SeededRandom): Big {
  const step = instrument.tickSize.times(random.integer(1, 3));
  return side === 'BUY' ? price.plus(step) : price.minus(step);
}
