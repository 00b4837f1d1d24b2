import Big from 'big.js';
import { total } from './cash.ts';
import { idAt, idsPerMs } from './ids.ts';
import {
  instrumentInTurn,
  instruments,
  levelPrice,
  onTick,
  orderAmount,
  type Instrument,
} from './instruments.ts';
import { initialMargin } from './margin.ts';
import type { Order, Side } from './orders.ts';
import { widestSwing } from './prices.ts';
import { Draws } from './random.ts';

/** A resting LIMIT order that nobody met so far, and the part of the balance that it locks. */
export type OpenOrder = {
  readonly order: Omit<Order, 'time' | 'status'>;
  readonly placedAt: number;
  readonly locked: Big;
};

/** Section 2.6 of the interface document: one per symbol. */
export type LockedOrders = {
  readonly symbol: string;
  readonly lockedAsk: Big;
  readonly sumSizeAsk: Big;
  readonly lockedBid: Big;
  readonly sumSizeBid: Big;
};

/** The 8 to 15 orders placed from `start` on, one a minute; both sides and most symbols occur. */
export function restingOrders(seed: number, start: number): OpenOrder[] {
  const draws = new Draws(`${seed}/open/${start}`);
  const first = draws.whole(0, instruments.length - 1);
  return Array.from({ length: draws.whole(8, 15) }, (_, place) => {
    const instrument = instrumentInTurn(first + place);
    const side = place % 2 === 0 ? 'BUY' : 'SELL';
    return restingOrder(instrument, draws.chance(80) ? side : 'BUY', start + place * 60_000, draws);
  });
}

/** One summary for each symbol that has open orders: the exact sums of these. */
export function lockedSummaries(open: readonly OpenOrder[]): LockedOrders[] {
  return instruments
    .map(({ symbol }) => open.filter(({ order }) => order.symbol === symbol))
    .flatMap((ofSymbol) => (ofSymbol[0] ? [summary(ofSymbol[0].order.symbol, ofSymbol)] : []));
}

/** The order as it stands after being cancelled at `time`. */
export function canceled({ order }: OpenOrder, time: number): Order {
  return { ...order, time, status: 'CANCELED' };
}

function restingOrder(
  instrument: Instrument,
  side: Side,
  placedAt: number,
  draws: Draws,
): OpenOrder {
  const price = outOfReach(instrument, side, draws);
  const notional = new Big(draws.whole(30_000, 200_000)).div(100);
  const amount = orderAmount(instrument, notional.div(price));
  const order = {
    symbol: instrument.symbol,
    amount,
    side,
    orderId: idAt(placedAt, instrument, draws.whole(0, idsPerMs - 1)),
    price,
    clientOrderId: draws.uuid(),
    averageExecutionPrice: new Big(0),
    filled: new Big(0),
    type: 'LIMIT',
  } as const;
  return { order, placedAt, locked: initialMargin(amount, price, draws.whole(2, 10)) };
}

/** A price that no mark reaches, so that an open order stays open until it is cancelled. */
function outOfReach(instrument: Instrument, side: Side, draws: Draws): Big {
  const away = new Big(widestSwing).plus(new Big(draws.whole(10, 80)).div(1000));
  const share = side === 'BUY' ? new Big(1).minus(away) : away.plus(1);
  return onTick(instrument, levelPrice(instrument).times(share));
}

function summary(symbol: string, open: readonly OpenOrder[]): LockedOrders {
  const asks = open.filter(({ order }) => order.side === 'SELL');
  const bids = open.filter(({ order }) => order.side === 'BUY');
  return {
    symbol,
    lockedAsk: total(asks.map(({ locked }) => locked)),
    sumSizeAsk: total(asks.map(({ order }) => order.amount)),
    lockedBid: total(bids.map(({ locked }) => locked)),
    sumSizeBid: total(bids.map(({ order }) => order.amount)),
  };
}
