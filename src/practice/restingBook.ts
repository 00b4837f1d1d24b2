import { historyWeeks, weekEnd, weekStart } from './calendar.ts';
import { canceled, restingOrders, type OpenOrder } from './openOrders.ts';
import type { Order } from './orders.ts';

/**
 * The orders that rest: new ones every Monday 00:00 UTC, which lapse at the next, so that what is open
 * is a function of seed and time. A cancelled week has nothing open; what it had stands in the history.
 */
export class RestingBook {
  private readonly seed: number;
  private readonly weeks = new Map<number, readonly OpenOrder[]>();
  private readonly canceledWeeks = new Map<number, readonly Order[]>();

  constructor(seed: number) {
    this.seed = seed;
  }

  /** What is open at `now`. */
  open(now: number): readonly OpenOrder[] {
    const week = weekStart(now);
    return this.canceledWeeks.has(week) ? [] : this.placed(week);
  }

  /** What was open within the histories and is no more: cancelled, or lapsed at its week's end. */
  ended(now: number): Order[] {
    const lapsed = historyWeeks(now)
      .filter((week) => weekEnd(week) <= now && !this.canceledWeeks.has(week))
      .flatMap((week) => this.placed(week).map((open) => canceled(open, weekEnd(week))));
    return [...[...this.canceledWeeks.values()].flat(), ...lapsed];
  }

  /** Cancels what is open at `now` and tells which orders these were. */
  cancel(now: number): readonly Order[] {
    const orders = this.open(now).map((open) => canceled(open, now));
    if (orders.length > 0) this.canceledWeeks.set(weekStart(now), orders);
    return orders;
  }

  private placed(week: number): readonly OpenOrder[] {
    const placed = this.weeks.get(week) ?? restingOrders(this.seed, week);
    this.weeks.set(week, placed);
    return placed;
  }
}
