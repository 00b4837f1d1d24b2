import Big from 'big.js';
import type { Holding } from './holding.ts';
import { idAt, idsPerMs } from './ids.ts';
import { orderAmount, type Instrument } from './instruments.ts';
import type { Order, OrderStatus, OrderType, Side } from './orders.ts';
import type { Draws } from './random.ts';
import { averagePrice, execute, type Trade } from './trades.ts';

/** An order that came to its end, the trades behind it, and what was held after it. */
export type OrderEnd = {
  readonly order: Order;
  readonly trades: readonly Trade[];
  readonly held: Holding;
};

export type OrderRequest = {
  readonly instrument: Instrument;
  readonly side: Side;
  readonly amount: Big;
  readonly time: number;
  /** The mark price at that time; of an order that is liquidated, what the auction asks. */
  readonly mark: Big;
};

/** An order that rested away from the mark, met nobody and was given up. */
export function canceledOrder(request: OrderRequest, held: Holding, draws: Draws): OrderEnd {
  const away = request.instrument.tick.times(draws.whole(5, 60));
  const price = request.side === 'BUY' ? request.mark.minus(away) : request.mark.plus(away);
  const order = {
    ...identity(request, draws),
    amount: request.amount,
    filled: new Big(0),
    price,
    averageExecutionPrice: new Big(0),
    type: 'LIMIT',
    status: 'CANCELED',
  } as const;
  return { order, trades: [], held };
}

/**
 * An order that traded. `PARTIALLY_EXECUTED` asks for more than `request.amount`, fills that and
 * gives up the rest; `LIQUIDATED` is the venue's own market order.
 */
export function tradedOrder(
  request: OrderRequest,
  status: 'PARTIALLY_EXECUTED' | 'EXECUTED' | 'LIQUIDATED',
  heldBefore: Holding,
  draws: Draws,
): OrderEnd {
  const type = typeOf(status, draws);
  const maker = type === 'LIMIT' && draws.chance(60);
  const own = identity(request, draws);
  const execution = { ...request, orderId: own.orderId, price: request.mark, maker };
  const { trades, held } = execute(execution, heldBefore, draws);
  const order = {
    ...own,
    amount: status === 'PARTIALLY_EXECUTED' ? asked(request, draws) : request.amount,
    filled: request.amount,
    price: type === 'LIMIT' ? (trades.at(-1) ?? execution).price : new Big(0),
    averageExecutionPrice: averagePrice(trades, request.amount),
    type,
    status,
  };
  return { order, trades, held };
}

function typeOf(status: OrderStatus, draws: Draws): OrderType {
  if (status === 'LIQUIDATED') return 'MARKET';
  if (status === 'PARTIALLY_EXECUTED') return 'LIMIT';
  return draws.chance(60) ? 'LIMIT' : 'MARKET';
}

function asked({ instrument, amount }: OrderRequest, draws: Draws): Big {
  return amount.plus(orderAmount(instrument, amount.times(draws.whole(20, 300)).div(100)));
}

function identity({ instrument, side, time }: OrderRequest, draws: Draws) {
  return {
    symbol: instrument.symbol,
    side,
    orderId: idAt(time, instrument, draws.whole(0, idsPerMs - 1)),
    clientOrderId: draws.uuid(),
    time,
  };
}
