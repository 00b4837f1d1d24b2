import { historyWeeks, weekEnd, weekStart } from './calendar.ts';
import { canceled, restingOrders, type OpenOrder } from './openOrders.ts';
import type { Order } from './orders.ts';

/**
 * The orders that rest: new ones are placed from Monday 00:00 UTC on and lapse at the next, so that
 * what is open is a function of seed and time, less what was cancelled.
 */
export class RestingBook {
  private readonly seed: number;
  private readonly weeks = new Map<number, readonly OpenOrder[]>();
  private readonly canceled = new Map<OpenOrder, Order>();

  constructor(seed: number) {
    this.seed = seed;
  }

  /** What is open at `now`. */
  open(now: number): readonly OpenOrder[] {
    const placed = this.ofWeek(weekStart(now)).filter(({ placedAt }) => placedAt <= now);
    return placed.filter((open) => !this.canceled.has(open));
  }

  /** What was open within the histories and is no more: cancelled, or lapsed at its week's end. */
  ended(now: number): Order[] {
    const lapsed = historyWeeks(now)
      .filter((week) => weekEnd(week) <= now)
      .flatMap((week) => this.ofWeek(week).map((open) => [open, weekEnd(week)] as const))
      .filter(([open]) => !this.canceled.has(open))
      .map(([open, time]) => canceled(open, time));
    return [...this.canceled.values(), ...lapsed];
  }

  /** Cancels what is open at `now` and tells which orders these were. */
  cancel(now: number): readonly Order[] {
    return this.open(now).map((open) => {
      const order = canceled(open, now);
      this.canceled.set(open, order);
      return order;
    });
  }

  /** A week's orders, the same objects each time. */
  private ofWeek(week: number): readonly OpenOrder[] {
    const placed = this.weeks.get(week) ?? restingOrders(this.seed, week);
    this.weeks.set(week, placed);
    return placed;
  }
}
