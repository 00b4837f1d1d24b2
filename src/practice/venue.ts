import type { Clock } from '../base/clock.ts';
import { accountOf, type Account } from './account.ts';
import { balanceOf, weekEntries } from './balance.ts';
import { historyStart, weekStart } from './calendar.ts';
import { exchangeInformation } from './exchangeInformation.ts';
import { Journal } from './journal.ts';
import { canceled, restingOrders, type OpenOrder } from './openOrders.ts';
import { newestOrderFirst, orderMatches, type Order, type OrderFilter } from './orders.ts';
import { pageOf, type Page } from './pages.ts';

export type VenueOptions = {
  /** A whole number; venues with the same seed agree on everything but what was cancelled. */
  readonly seed: number;
  readonly clock: Clock;
  /** Reported by exchange information. */
  readonly weightLimit: number;
};

/**
 * The exchange behind its door. What it tells is a function of seed and time, except for the open
 * orders: these are there at the start, and once cancelled stand in the order history instead.
 */
export class Venue {
  private readonly clock: Clock;
  private readonly weightLimit: number;
  private readonly journal: Journal;
  private open: readonly OpenOrder[];
  private canceled: readonly Order[] = [];

  constructor({ seed, clock, weightLimit }: VenueOptions) {
    this.clock = clock;
    this.weightLimit = weightLimit;
    this.journal = new Journal(seed);
    this.open = restingOrders(seed, weekStart(clock.now()));
  }

  account(): Account {
    const now = this.clock.now();
    const trades = this.journal.orderEnds(weekStart(now), now).flatMap((end) => end.trades);
    const balance = balanceOf(weekEntries(now, trades));
    return accountOf(balance, this.journal.positions(now), this.open);
  }

  /** Newest first; pages are counted from 0. */
  orders(filter: OrderFilter, page: number, size?: number): Page<Order> {
    const now = this.clock.now();
    const ended = this.journal.orderEnds(historyStart(now), now).map(({ order }) => order);
    const found = [...this.canceled, ...ended].filter((order) => orderMatches(order, filter));
    return pageOf(found.sort(newestOrderFirst), page, size);
  }

  /** Cancels every open order and tells which these were. */
  cancelAll(): readonly Order[] {
    const now = this.clock.now();
    const canceledNow = this.open.map((open) => canceled(open, now));
    this.canceled = [...this.canceled, ...canceledNow];
    this.open = [];
    return canceledNow;
  }

  exchangeInformation() {
    return exchangeInformation(this.clock.now(), this.weightLimit);
  }
}
