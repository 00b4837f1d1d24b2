import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { phrase } from '../../base/phrase.ts';
import { ExchangeError } from '../errors.ts';
import type { OperationName } from '../operations.ts';
import type { RateLimit } from '../records.ts';
import {
  compact,
  counted,
  end,
  limitsOf,
  reserve,
  weightOf,
  type Books,
  type Ending,
  type Spending,
} from './books.ts';
import type { BooksStore } from './booksStore.ts';
import { UnkeptBooks, type Change } from './unkeptBooks.ts';
import { weightLimits } from './limits.ts';
import { WaitingLine, type Waiter } from './waitingLine.ts';
import { patienceMs, type Priority } from './priority.ts';
import { ourPart, paced, readyAt, readyAtBest, tooSmallLimit } from './rules.ts';

export type WeightLedgerOptions = {
  readonly store: BooksStore;
  readonly clock: Clock;
  /** Milliseconds of a clock that nobody sets; without one, `clock` is trusted. */
  readonly steadyNow?: () => number;
  /** The part of each limit that the desk may take, in (0, 1]. */
  readonly share: () => number;
};

export type WeightRequest = {
  readonly operation: OperationName;
  readonly weight: number;
  readonly priority: Priority;
  /** How long the request can take at most, once it is sent. */
  readonly longestMs: number;
};

/**
 * Weight that was taken for one request. Its call says how the request ended; a second one that the
 * answer's words ask for a pause after all.
 */
export type Reservation = { end(ending: Ending): void };

/** How things stand with the first limit; times are epoch milliseconds. */
export type WeightStanding = {
  readonly used: number;
  readonly ours: number;
  readonly limit: number;
  readonly windowMs: number;
  /** Until when nothing goes because the exchange said so; undefined where it did not. */
  readonly frozenUntil: number | undefined;
  /** How many requests of this window wait for weight. */
  readonly waiting: number;
};

const longestSleepMs = 1000;
const limitsAgeMs = 24 * 3_600_000;

/**
 * Lets requests go so that no window of any limit ever holds more weight than the desk may take:
 * weight is taken when a request is sent and given back one interval after its answer came, whatever
 * the delays. Those who wait go by priority, then in order.
 */
export class WeightLedger implements Disposable {
  private readonly options: WeightLedgerOptions;
  private readonly line = new WaitingLine();
  private readonly didChange = new Emitter<void>();
  private readonly books: UnkeptBooks;
  private keeping: Promise<void> | undefined;
  private introduction: Promise<void> | undefined;
  private stopTimer: () => void = () => undefined;

  /** Requests began or ceased to wait, or the exchange asked for a pause. */
  readonly onDidChange: Event<void> = this.didChange.event;

  constructor(options: WeightLedgerOptions) {
    this.options = options;
    const { store, clock, steadyNow = () => clock.now() } = options;
    this.books = new UnkeptBooks(store, clock, steadyNow);
  }

  get standing(): WeightStanding {
    const now = this.options.clock.now();
    const books = this.books.read();
    const [limit = { weight: 0, windowMs: 0 }] = limitsOf(books);
    return {
      used: weightOf(counted(books, limit.windowMs, now)),
      ours: ourPart(limit, this.options.share()),
      limit: limit.weight,
      windowMs: limit.windowMs,
      frozenUntil: books.frozenUntil > now ? books.frozenUntil : undefined,
      waiting: this.line.size,
    };
  }

  /**
   * Takes the weight of one request, waiting until there is some. Rejects with ExchangeError, sent
   * `no`: `configuration` when the limit can never hold it, `rateLimited` when somebody who looks on
   * would wait too long; or with the signal's reason. A cancel-all that has room goes at once.
   */
  async acquire(request: WeightRequest, signal?: AbortSignal): Promise<Reservation> {
    signal?.throwIfAborted();
    const books = this.books.read();
    const refusal = this.refusalOf(books, request);
    if (refusal) throw refusal;
    const now = this.options.clock.now();
    const { priority } = request;
    if (priority === 'cancel' && this.readyAt(books, request) <= now)
      return this.takeAtOnce(request);
    const waitMs = this.shortestWaitMs(books, request);
    if (waitMs > patienceMs(priority)) throw tooLong(request, waitMs);
    return this.wait(request, signal);
  }

  /** Takes over the limits that exchange information tells (section 2.7). */
  learn(rateLimits: readonly RateLimit[]): void {
    const limits = weightLimits(rateLimits);
    const learnedAt = this.options.clock.now();
    this.keep((books) => ({ ...books, limits, learnedAt }));
  }

  /**
   * Before anything else is sent: has `ask` read exchange information, unless the limits are known.
   * It is asked once; when that fails, the assumed limit stays.
   */
  introduce(ask: () => Promise<unknown>): Promise<void> {
    this.introduction ??= this.knowsLimits()
      ? Promise.resolve()
      : ask().then(
          () => undefined,
          () => undefined,
        );
    return this.introduction;
  }

  /** Resolves when the store has taken everything that happened up to now. */
  async settled(): Promise<void> {
    while (this.keeping) await this.keeping;
  }

  /** Whoever still waits is told with an AbortError. */
  dispose(): void {
    this.stopTimer();
    const reason = new DOMException('The weight ledger is closed.', 'AbortError');
    for (const waiter of this.line.inOrder()) waiter.refuse(reason);
    this.didChange.dispose();
  }

  private knowsLimits(): boolean {
    const { limits, learnedAt } = this.books.read();
    return limits !== null && this.options.clock.now() - learnedAt < limitsAgeMs;
  }

  private refusalOf(books: Books, request: WeightRequest): ExchangeError | undefined {
    const limit = tooSmallLimit(books, request, this.options.share());
    if (!limit) return undefined;
    const { operation, weight } = request;
    const detail = phrase(
      'its weight {0} is more than marginDesk.weightShare leaves of the limit {1} in {2} s',
      weight,
      limit.weight,
      limit.windowMs / 1000,
    );
    return new ExchangeError({ kind: 'configuration', sent: 'no', operation, detail });
  }

  private readyAt(books: Books, request: WeightRequest): number {
    return readyAt(books, request, this.options.share(), this.options.clock.now());
  }

  private shortestWaitMs(books: Books, request: WeightRequest): number {
    const now = this.options.clock.now();
    return readyAtBest(books, request, this.options.share(), now) - now;
  }

  /** From the reserve that everybody else leaves free; the store hears of it afterwards. */
  private takeAtOnce(request: WeightRequest): Reservation {
    const spending = spendingOf(request);
    const now = this.options.clock.now();
    this.keep((books) => reserve(books, spending, now));
    return this.reservation(spending);
  }

  private async wait(request: WeightRequest, signal?: AbortSignal): Promise<Reservation> {
    const { clock } = this.options;
    const spending = spendingOf(request);
    const waits = this.readyAt(this.books.read(), request) > clock.now();
    const turn = this.line.join({ request, spending }, { clock, signal }, () =>
      tooLong(request, this.shortestWaitMs(this.books.read(), request)),
    );
    if (waits) this.didChange.fire();
    this.wake();
    try {
      await turn;
    } finally {
      if (waits) this.didChange.fire();
    }
    return this.reservation(spending);
  }

  private reservation(spending: Spending): Reservation {
    return {
      end: (ending) => {
        const now = this.options.clock.now();
        this.keep((books) => end(books, spending, ending, now));
        if (ending.kind === 'limited') this.didChange.fire();
      },
    };
  }

  private keep(change: Change): void {
    this.books.change(change);
    this.work();
  }

  /** Lets the first of the line go if it can, else sleeps until it may be able to. */
  private wake(): void {
    this.stopTimer();
    if (this.keeping || this.line.size === 0) return;
    const { clock } = this.options;
    const books = this.books.read();
    this.refuseHopeless(books);
    const first = this.line.first();
    if (!first) return;
    const waitMs = this.readyAt(books, first.request) - clock.now();
    if (waitMs <= 0) {
      this.work();
      return;
    }
    const windowsMs = limitsOf(books).map(({ windowMs }) => windowMs / 20);
    const sleepMs = Math.min(waitMs, longestSleepMs, ...windowsMs);
    this.stopTimer = clock.after(sleepMs, () => this.wake());
  }

  /** Limits that were learned since may be too small for some who wait. */
  private refuseHopeless(books: Books): void {
    for (const waiter of this.line.inOrder()) {
      const refusal = this.refusalOf(books, waiter.request);
      if (refusal) waiter.refuse(refusal);
    }
  }

  private work(): void {
    this.keeping ??= this.keepAll().finally(() => {
      this.keeping = undefined;
      this.wake();
    });
  }

  /** One step of the store after another, until it has taken everything and nobody more can go. */
  private async keepAll(): Promise<void> {
    do await this.step();
    while (!this.books.isKept);
  }

  private async step(): Promise<void> {
    let granted: Waiter[] = [];
    await this.books.keep((books) => {
      granted = [];
      return this.admit(compact(books, this.options.clock.now()), granted);
    });
    for (const waiter of granted) this.letGo(waiter);
  }

  private admit(books: Books, granted: Waiter[]): Books {
    const now = this.options.clock.now();
    let next = books;
    for (const waiter of this.line.inOrder()) {
      if (this.readyAt(next, waiter.request) > now) break;
      next = reserve(next, waiter.spending, now);
      next = paced(next, waiter.request, this.options.share(), now);
      granted.push(waiter);
    }
    return next;
  }

  /** Whoever left while the store took the reservation gives it back. */
  private letGo(waiter: Waiter): void {
    if (this.line.has(waiter)) waiter.go();
    else this.books.change((books) => end(books, waiter.spending, { kind: 'unsent' }, 0));
  }
}

function spendingOf({ weight, operation, longestMs }: WeightRequest): Spending {
  return { id: crypto.randomUUID(), weight, operation, longestMs };
}

function tooLong({ operation }: WeightRequest, waitMs: number): ExchangeError {
  const retryAfterMs = Math.max(1000, waitMs);
  return new ExchangeError({ kind: 'rateLimited', sent: 'no', operation, retryAfterMs });
}
