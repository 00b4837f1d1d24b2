import { markPrice } from '../market/markPrice.ts';
import type { CompletedOrder } from './completedOrders.ts';
import { positionAt, type Position } from './netPosition.ts';
import { simulateRoundTrip, type RoundTrip } from './roundTrip.ts';
import { planRoundTrips, type RoundTripPlan } from './roundTripSchedule.ts';
import type { Order } from './tradingRecords.ts';

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
