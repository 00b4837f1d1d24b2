import Big from 'big.js';
import { idAt, roundOrderAmount, type Instrument, type Side } from '../market/instruments.ts';
import type { SeededRandom } from '../market/seededRandom.ts';
import { averagePrice, fillOrder, lowIdDigits } from './fills.ts';
import type { NetPosition } from './netPosition.ts';
import type { Order, OrderStatus, OrderType, Trade } from './tradingRecords.ts';

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
