import Big from 'big.js';
import { dayMs, hourMs, minuteMs } from '../../base/time.ts';
import {
  referencePrice,
  roundOrderAmount,
  type Instrument,
  instrumentOf,
  instruments,
} from '../market/instruments.ts';
import { auctionPrice } from '../market/liquidationAuction.ts';
import { markPrice, maxMove } from '../market/markPrice.ts';
import { SeededRandom } from '../market/seededRandom.ts';
import {
  type CompletedOrder,
  type Order,
  canceledOrder,
  tradedOrder,
  type OrderRequest,
} from './completedOrders.ts';
import {
  positionAt,
  type Position,
  flatPosition,
  liquidationPrice,
  type NetPosition,
} from './netPosition.ts';

/** The account's trading, except for cancel-all: a function of seed and time only. */
export class TradingHistory {
  private readonly seed: number;
  /** A cache. A round trip never changes. */
  private readonly roundTrips = new Map<string, RoundTrip>();

  constructor(seed: number) {
    this.seed = seed;
  }

  /** The orders that were completed from `from` to `to`, both included, in no particular order. */
  completedOrders(from: number, to: number): CompletedOrder[] {
    return this.roundTripsBetween(from, to).flatMap(({ completedOrders }) =>
      completedOrders.filter(({ order }) => order.time >= from && order.time <= to),
    );
  }

  /** The orders that were liquidated from `from` to `to`, in no particular order. */
  liquidations(from: number, to: number): Order[] {
    return this.completedOrders(from, to)
      .map(({ order }) => order)
      .filter(({ status }) => status === 'LIQUIDATED');
  }

  /** The open positions at `time`, with the mark prices of that moment, sorted by instrument. */
  positions(time: number): Position[] {
    return this.roundTripsBetween(time, time)
      .toSorted((one, other) => one.instrument.index - other.instrument.index)
      .flatMap((roundTrip) => this.position(roundTrip, time) ?? []);
  }

  private position(
    { instrument, leverage, completedOrders }: RoundTrip,
    time: number,
  ): Position | undefined {
    const position = completedOrders.findLast(({ order }) => order.time <= time)?.positionAfter;
    if (!position || position.amount.eq(0)) return undefined;
    return positionAt(markPrice(this.seed, instrument, time), position, leverage, instrument);
  }

  private roundTripsBetween(from: number, to: number): RoundTrip[] {
    return planRoundTrips(this.seed, from, to).map((plan) => this.roundTrip(plan));
  }

  private roundTrip(plan: RoundTripPlan): RoundTrip {
    const known = this.roundTrips.get(plan.key);
    if (known) return known;
    const roundTrip = simulateRoundTrip(this.seed, plan);
    this.roundTrips.set(plan.key, roundTrip);
    return roundTrip;
  }
}

/** When a round trip (all trading in one instrument from flat to flat) takes place. */
type RoundTripPlan = {
  /** Distinguishes the round trips of one seed. */
  readonly key: string;
  readonly instrument: Instrument;
  readonly isLong: boolean;
  /** Milliseconds since the Unix epoch, in the first minute of a step. */
  readonly opensAt: number;
  readonly closesAt: number;
};

/** A round trip checks its margin, and may place an order, once in each of these steps. */
const stepMs = 15 * minuteMs;
/** What happens at the start of a step happens within this time. */
const stepStartMs = minuteMs;

const btc = instrumentOf('btc_usdt');
const otherInstruments = instruments.filter((instrument) => instrument !== btc);
const otherTripEveryMs = 8 * hourMs;
/** The longest distance of an opening or closing from its place in the schedule: under three hours. */
const strayingSteps = 11;

/**
 * The round trips that are open at some time from `from` to `to`. Of btc_usdt there is always one:
 * it closes at the very moment when the next one opens. Of the other instruments in turn, one opens
 * every eight hours and closes about a day later; long and short ones alternate. So at any time at
 * least three round trips are open, and they include long and short positions.
 */
function planRoundTrips(seed: number, from: number, to: number): RoundTripPlan[] {
  const plans = [
    ...numbersBetween(from / dayMs - 2, to / dayMs + 1).map((day) => planBtc(seed, day)),
    ...numbersBetween((from - 2 * dayMs) / otherTripEveryMs, (to + dayMs) / otherTripEveryMs).map(
      (index) => planOther(seed, index),
    ),
  ];
  return plans.filter(({ opensAt, closesAt }) => opensAt <= to && closesAt >= from);
}

function planBtc(seed: number, day: number): RoundTripPlan {
  const key = `${seed}/btc/${day}`;
  return {
    key,
    instrument: btc,
    isLong: new SeededRandom(`${key}/side`).chance(50),
    opensAt: nearby(day * dayMs, new SeededRandom(key)),
    closesAt: nearby((day + 1) * dayMs, new SeededRandom(`${seed}/btc/${day + 1}`)),
  };
}

function planOther(seed: number, index: number): RoundTripPlan {
  const key = `${seed}/other/${index}`;
  const random = new SeededRandom(key);
  const instrument = otherInstruments.at(index % otherInstruments.length) ?? btc;
  const start = index * otherTripEveryMs;
  return {
    key,
    instrument,
    isLong: index % 2 === 0,
    opensAt: nearby(start, random),
    closesAt: nearby(start + dayMs, random),
  };
}

/** A moment within three hours of `time`, in the first minute of a step. */
function nearby(time: number, random: SeededRandom): number {
  const step = time / stepMs + random.integer(-strayingSteps, strayingSteps);
  return step * stepMs + random.integer(0, stepStartMs - 1);
}

function numbersBetween(low: number, high: number): number[] {
  const first = Math.floor(low);
  return Array.from({ length: Math.ceil(high) - first + 1 }, (_, index) => first + index);
}

/** All trading in one instrument from flat to flat: a function of seed and plan only. */
type RoundTrip = {
  readonly instrument: Instrument;
  readonly leverage: number;
  /** From the oldest to the newest. */
  readonly completedOrders: readonly CompletedOrder[];
};

const orderPercent = 8;
const canceledPercent = 12;
const increasePercent = 55;
/** A position is liquidated this much before its liquidation price, so that no mark price crosses that. */
const marginCallShare = maxMove(stepMs + stepStartMs);

function simulateRoundTrip(seed: number, plan: RoundTripPlan): RoundTrip {
  const trader = new Trader(seed, plan);
  trader.open(plan.opensAt);
  const lastStep = Math.floor(plan.closesAt / stepMs) - 1;
  for (let step = Math.floor(plan.opensAt / stepMs) + 1; step <= lastStep; step++) trader.act(step);
  trader.close(plan.closesAt);
  const { leverage, completedOrders } = trader;
  return { instrument: plan.instrument, leverage, completedOrders };
}

/** Places the orders of one round trip. */
class Trader {
  readonly leverage: number;
  readonly completedOrders: CompletedOrder[] = [];
  private readonly seed: number;
  private readonly plan: RoundTripPlan;
  private readonly random: SeededRandom;
  private readonly targetAmount: Big;
  private position: NetPosition = flatPosition();
  /** The mark price at which the position is liquidated. */
  private marginCallPrice = new Big(0);

  constructor(seed: number, plan: RoundTripPlan) {
    this.seed = seed;
    this.plan = plan;
    this.random = new SeededRandom(`${plan.key}/orders`);
    this.leverage = Math.max(this.random.integer(1, 10), this.random.integer(1, 10));
    this.targetAmount = new Big(this.random.integer(600, 2_000))
      .times(this.leverage)
      .div(referencePrice(plan.instrument));
  }

  /** Opens the position, or increases it. */
  open(time: number): void {
    this.trade(this.request(time, this.plan.isLong, this.share(this.targetAmount, 20, 50)));
  }

  /** Does what this step brings, which is mostly nothing. */
  act(step: number): void {
    if (this.isMarginCalled(step * stepMs)) {
      this.liquidate(step * stepMs + this.random.integer(0, stepStartMs - 1));
    } else if (this.random.chance(orderPercent)) {
      const time = step * stepMs + this.random.integer(0, stepMs - 1);
      if (this.random.chance(canceledPercent)) this.cancel(time);
      else this.adjust(time);
    }
  }

  close(time: number): void {
    const request = this.request(time, !this.plan.isLong, this.position.amount.abs());
    this.complete(tradedOrder(request, 'EXECUTED', this.position, this.random));
  }

  /** Liquidates the position and opens it again at the same moment: the round trip continues. */
  private liquidate(time: number): void {
    const request = this.request(time, !this.plan.isLong, this.position.amount.abs());
    const price = auctionPrice(request.instrument, request.side, request.price, this.random);
    this.complete(tradedOrder({ ...request, price }, 'LIQUIDATED', this.position, this.random));
    this.open(time);
  }

  private adjust(time: number): void {
    const held = this.position.amount.abs();
    const reduction = this.share(held, 10, 50);
    const increases = held.lt(this.targetAmount) && this.random.chance(increasePercent);
    // The smallest position cannot be reduced without closing it.
    if (increases || reduction.gte(held)) this.open(time);
    else this.trade(this.request(time, !this.plan.isLong, reduction));
  }

  private cancel(time: number): void {
    const amount = this.share(this.targetAmount, 10, 40);
    const request = this.request(time, this.random.chance(50), amount);
    this.complete(canceledOrder(request, this.position, this.random));
  }

  private trade(request: OrderRequest): void {
    const status = this.random.chance(15) ? 'PARTIALLY_EXECUTED' : 'EXECUTED';
    this.complete(tradedOrder(request, status, this.position, this.random));
  }

  private request(time: number, buys: boolean, amount: Big): OrderRequest {
    const { instrument } = this.plan;
    const price = markPrice(this.seed, instrument, time);
    return { instrument, side: buys ? 'BUY' : 'SELL', amount, time, price };
  }

  private share(amount: Big, lowPercent: number, highPercent: number): Big {
    const percent = this.random.integer(lowPercent, highPercent);
    return roundOrderAmount(this.plan.instrument, amount.times(percent).div(100));
  }

  private isMarginCalled(time: number): boolean {
    const mark = markPrice(this.seed, this.plan.instrument, time);
    return this.plan.isLong ? mark.lte(this.marginCallPrice) : mark.gte(this.marginCallPrice);
  }

  private complete(order: CompletedOrder): void {
    this.completedOrders.push(order);
    this.position = order.positionAfter;
    const limit = liquidationPrice(this.position, this.leverage, this.plan.instrument);
    const early = referencePrice(this.plan.instrument).times(marginCallShare);
    this.marginCallPrice = this.plan.isLong ? limit.plus(early) : limit.minus(early);
  }
}
