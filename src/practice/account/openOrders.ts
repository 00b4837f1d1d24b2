import Big from 'big.js';
import {
  idAt,
  idsPerMs,
  instrumentAt,
  instruments,
  referencePrice,
  roundOrderAmount,
  roundToTick,
  sides,
  type Instrument,
  type Side,
} from '../market/instruments.ts';
import { initialMargin, sum } from '../market/tradingRules.ts';
import { maxSwing } from '../market/markPrice.ts';
import { SeededRandom } from '../market/seededRandom.ts';
import type { Order } from './completedOrders.ts';
import { historyWeeks, weekEnd, weekStart } from './pagedHistory.ts';

/** An open LIMIT order without fills, and the part of the balance that it locks. */
export type OpenOrder = {
  readonly order: Omit<Order, 'time' | 'status'>;
  readonly locked: Big;
};

/**
 * The open orders: placed on Monday 00:00 UTC and cancelled by the exchange a week later, when the
 * next ones are placed. What is open is a function of seed and time, except for cancel-all.
 */
export class OpenOrders {
  private readonly seed: number;
  private readonly weeks = new Map<number, readonly OpenOrder[]>();
  private readonly canceled = new Map<OpenOrder, Order>();

  constructor(seed: number) {
    this.seed = seed;
  }

  open(now: number): readonly OpenOrder[] {
    return this.ofWeek(weekStart(now)).filter((order) => !this.canceled.has(order));
  }

  /** The cancelled orders of the histories: by cancel-all, or at the end of their week. */
  ended(now: number): Order[] {
    const expired = historyWeeks(now)
      .filter((week) => weekEnd(week) <= now)
      .flatMap((week) => this.ofWeek(week).map((open) => [open, weekEnd(week)] as const))
      .filter(([open]) => !this.canceled.has(open))
      .map(([open, time]) => canceledAt(time, open));
    return [...this.canceled.values(), ...expired];
  }

  cancelAll(now: number): readonly Order[] {
    return this.open(now).map((open) => {
      const order = canceledAt(now, open);
      this.canceled.set(open, order);
      return order;
    });
  }

  /** The orders of a week: the same objects every time. */
  private ofWeek(week: number): readonly OpenOrder[] {
    const placed = this.weeks.get(week) ?? openOrdersOfWeek(this.seed, week);
    this.weeks.set(week, placed);
    return placed;
  }
}

/** The 8 to 15 orders of the week that starts at `week`, on both sides and of most symbols. */
export function openOrdersOfWeek(seed: number, week: number): OpenOrder[] {
  const random = new SeededRandom(`${seed}/open/${week}`);
  const first = random.integer(0, instruments.length - 1);
  return Array.from({ length: random.integer(8, 15) }, (_, place) => {
    const side = sides[place] ?? (random.chance(60) ? 'BUY' : 'SELL');
    // A millisecond between two orders makes their ids unique.
    return openOrder(instrumentAt(first + place), side, week + place, random);
  });
}

/** Section 2.6 of the API document: the sums of the open orders, one summary for each symbol. */
export function summarizeOpenOrders(open: readonly OpenOrder[]) {
  return instruments
    .map(({ symbol }) => ({ symbol, own: open.filter(({ order }) => order.symbol === symbol) }))
    .filter(({ own }) => own.length > 0)
    .map(({ symbol, own }) => summarize(symbol, own));
}

function openOrder(
  instrument: Instrument,
  side: Side,
  placedAt: number,
  random: SeededRandom,
): OpenOrder {
  const price = unreachablePrice(instrument, side, random);
  const notional = new Big(random.integer(30_000, 200_000)).div(100);
  const amount = roundOrderAmount(instrument, notional.div(price));
  const order = {
    symbol: instrument.symbol,
    amount,
    side,
    orderId: idAt(placedAt, instrument, random.integer(0, idsPerMs - 1)),
    price,
    clientOrderId: random.uuid(),
    averageExecutionPrice: new Big(0),
    filled: new Big(0),
    type: 'LIMIT',
  } as const;
  return { order, locked: initialMargin(amount, price, random.integer(2, 10)) };
}

/** A limit that no mark price reaches, so that an open order stays open until it is cancelled. */
function unreachablePrice(instrument: Instrument, side: Side, random: SeededRandom): Big {
  const distance = new Big(maxSwing).plus(new Big(random.integer(10, 80)).div(1000));
  const share = side === 'BUY' ? new Big(1).minus(distance) : distance.plus(1);
  return roundToTick(instrument, referencePrice(instrument).times(share));
}

function canceledAt(time: number, { order }: OpenOrder): Order {
  return { ...order, time, status: 'CANCELED' };
}

function summarize(symbol: string, open: readonly OpenOrder[]) {
  const asks = open.filter(({ order }) => order.side === 'SELL');
  const bids = open.filter(({ order }) => order.side === 'BUY');
  return {
    symbol,
    lockedAsk: sum(asks.map(({ locked }) => locked)),
    sumSizeAsk: sum(asks.map(({ order }) => order.amount)),
    lockedBid: sum(bids.map(({ locked }) => locked)),
    sumSizeBid: sum(bids.map(({ order }) => order.amount)),
  };
}
