import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import { end, limitsOf, reserve, type Books, type Spending } from './books.ts';
import { compact } from './booksTimes.ts';
import { withClaims, type Claim } from './claims.ts';
import { refusalOf, tooLong } from './refusals.ts';
import { paced, readyAt, readyAtBest } from './rules.ts';
import type { Change, UnkeptBooks } from './unkeptBooks.ts';
import { WaitingLine, type Waiter } from './waitingLine.ts';
import type { WeightRequest } from './weightRequest.ts';

export type TurnsOptions = {
  readonly books: UnkeptBooks;
  readonly clock: Clock;
  readonly share: () => number;
};

/** Other windows may free weight: whoever waits looks again at least this often. */
const longestSleepMs = 1000;

/** Lets those of one window who wait go when the books allow it, one step of the books after another. */
export class Turns {
  private readonly options: TurnsOptions;
  private readonly line = new WaitingLine();
  private keeping: Promise<void> | undefined;
  private stopTimer: () => void = () => undefined;

  constructor(options: TurnsOptions) {
    this.options = options;
  }

  /** How many have no weight yet by these books, or stand behind somebody who has none. */
  waitingBy(books: Books): number {
    const now = this.options.clock.now();
    const booked = new Set(books.entries.map(({ id }) => id));
    const left = this.line.inOrder().filter(({ spending }) => !booked.has(spending.id));
    const first = left.findIndex(({ request }) => this.readyAt(books, request) > now);
    return first === -1 ? 0 : left.length - first;
  }

  /** Resolves when the request may go and is booked; rejects with the signal's reason or a refusal. */
  async join(request: WeightRequest, spending: Spending, signal?: AbortSignal): Promise<void> {
    const { clock } = this.options;
    const turn = this.line.join({ request, spending }, { clock, signal }, () =>
      tooLong(request, this.shortestWaitMs(request)),
    );
    this.wake();
    try {
      await turn;
    } finally {
      if (this.line.size === 0) this.stopTimer();
    }
  }

  private shortestWaitMs(request: WeightRequest): number {
    const { books, share, clock } = this.options;
    const now = clock.now();
    return readyAtBest(books.read(), request, share(), now) - now;
  }

  /** Changes the books: for this window at once, in the store soon. */
  keep(change: Change): void {
    this.options.books.change(change);
    this.work(() => this.keepAll());
  }

  /** The same, but what is about to be sent goes before the file is written. */
  keepAfterwards(change: Change): void {
    this.options.books.change(change);
    this.work(() => setImmediate().then(() => this.keepAll()));
  }

  /** Resolves when the store has taken everything that happened up to now. */
  async settled(): Promise<void> {
    while (this.keeping) await this.keeping;
  }

  /** Whoever still waits is refused for this reason. */
  close(reason: Error): void {
    this.stopTimer();
    for (const waiter of this.line.inOrder()) waiter.refuse(reason);
  }

  /** Lets the first of the line go if it can, else sleeps until it may be able to. */
  private wake(): void {
    this.stopTimer();
    if (this.keeping || this.line.size === 0) return;
    const { clock } = this.options;
    const books = this.options.books.read();
    this.refuseHopeless(books, this.line.inOrder());
    const first = this.line.first();
    if (!first) return;
    const waitMs = this.readyAt(books, first.request) - clock.now();
    if (waitMs <= 0) {
      this.work(() => this.keepAll());
      return;
    }
    const windowsMs = limitsOf(books).map(({ windowMs }) => windowMs / 20);
    const sleepMs = Math.min(waitMs, longestSleepMs, ...windowsMs);
    this.stopTimer = clock.after(sleepMs, () => this.wake());
  }

  /** Limits that were learned since may be too small for some who wait, or a pause too long. */
  private refuseHopeless(books: Books, waiters: readonly Waiter[]): void {
    const { clock, share } = this.options;
    for (const waiter of waiters) {
      const refusal = refusalOf(books, waiter.request, share(), clock.now());
      if (refusal) waiter.refuse(refusal);
    }
  }

  private work(keepAll: () => Promise<void>): void {
    this.keeping ??= keepAll().finally(() => {
      this.keeping = undefined;
      this.wake();
    });
  }

  /** One step of the store after another, until it has taken everything. */
  private async keepAll(): Promise<void> {
    do await this.step();
    while (!this.options.books.isKept);
  }

  private async step(): Promise<void> {
    const { books, clock } = this.options;
    const waiters = this.line.inOrder();
    const claims: Claim[] = [];
    let granted: Waiter[] = [];
    await books.keep((kept) => {
      granted = [];
      return this.admit(compact(kept, clock.now()), granted, claims);
    });
    for (const claim of claims) books.withdraw(claim);
    for (const waiter of granted) this.letGo(waiter);
    const left = waiters.filter((waiter) => this.line.has(waiter));
    // Whatever is left unkept is kept by another step, and only then does anybody else look.
    if (left.length > 0 && !books.isKept) this.refuseHopeless(books.read(), left);
  }

  private admit(books: Books, granted: Waiter[], claims: Claim[]): Books {
    const { clock, share } = this.options;
    const now = clock.now();
    let next = books;
    for (const waiter of this.line.inOrder()) {
      const claim = { spending: waiter.spending, sentAt: now };
      if (waiter.request.priority === 'cancel') {
        claims.push(claim);
        next = this.withRivals(next, claim);
      }
      if (this.readyAt(next, waiter.request) > now) break;
      next = reserve(next, waiter.spending, now);
      next = paced(next, waiter.request, share(), now);
      granted.push(waiter);
    }
    return next;
  }

  /** Other windows' cancel-alls heed no lock: one that waited has to be seen by them, and to see them. */
  private withRivals(books: Books, claim: Claim): Books {
    const claims = this.options.books.announce(claim);
    return withClaims(
      books,
      claims.filter(({ spending }) => spending.id !== claim.spending.id),
    );
  }

  private readyAt(books: Books, request: WeightRequest): number {
    const { clock, share } = this.options;
    return readyAt(books, request, share(), clock.now());
  }

  /** Whoever left while the store took the reservation gives it back. */
  private letGo(waiter: Waiter): void {
    if (this.line.has(waiter)) waiter.go();
    else this.options.books.change((books) => end(books, waiter.spending, { kind: 'unsent' }, 0));
  }
}
