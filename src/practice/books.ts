import { balanceOf, bookedAssets, closingEntries, openingEntries } from './balance.ts';
import { historyWeeks, weekEnd, weekStart } from './calendar.ts';
import { cashFlows } from './cashFlows.ts';
import type { Entry } from './entries.ts';
import { fundingEntries, fundingTimes } from './funding.ts';
import type { Journal } from './journal.ts';
import { orderEntries } from './tradeEntries.ts';

/** An entry that stands in a book; ids are unique and grow with time. */
export type BookedEntry = Entry & { readonly transactionId: bigint };

/** More than the entries with which a book is closed. */
const firstPlace = 1_000;

/** The books of both accounts, week by week (`balance.ts`): a function of seed and time only. */
export class Books {
  private readonly seed: number;
  private readonly journal: Journal;
  /** What was worked out already, newest entry first; a week's book never changes. */
  private readonly weeks = new Map<number, readonly BookedEntry[]>();

  constructor(seed: number, journal: Journal) {
    this.seed = seed;
    this.journal = journal;
  }

  /** All entries of the histories up to `now`, newest first. */
  entries(now: number): BookedEntry[] {
    return historyWeeks(now).flatMap((week) => this.until(now, week));
  }

  /** What FUTURE holds of each asset, the margin asset first. */
  balances(now: number) {
    const entries = this.until(now, weekStart(now));
    return bookedAssets.map((asset) => ({ asset, amount: balanceOf(entries, 'FUTURE', asset) }));
  }

  private until(now: number, week: number): BookedEntry[] {
    return this.week(week).filter(({ time }) => time <= now);
  }

  private week(week: number): readonly BookedEntry[] {
    const known = this.weeks.get(week);
    if (known) return known;
    const open = this.open(week).sort((one, other) => one.time - other.time);
    const book = [
      ...numbered(open, firstPlace),
      ...numbered(closingEntries(open, weekEnd(week)), 0),
    ].reverse();
    this.weeks.set(week, book);
    return book;
  }

  /** The book of a whole week before it is closed. */
  private open(week: number): Entry[] {
    const end = weekEnd(week);
    return [
      ...openingEntries(week),
      ...this.journal.orderEnds(week, end - 1).flatMap(orderEntries),
      ...fundingTimes(week, end).flatMap((time) =>
        fundingEntries(this.seed, this.journal.positions(time), time),
      ),
      ...cashFlows(this.seed, week),
    ];
  }
}

function numbered(entries: readonly Entry[], first: number): BookedEntry[] {
  return entries.map((entry, index) => ({
    ...entry,
    transactionId: BigInt(entry.time) * 1_000_000n + BigInt(first + index),
  }));
}
