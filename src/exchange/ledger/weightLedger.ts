import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { ExchangeError } from '../errors.ts';
import type { OperationName } from '../operations.ts';
import type { RateLimit } from '../records.ts';
import {
  compact,
  counted,
  delayed,
  end,
  limitsOf,
  reserve,
  weightOf,
  type Books,
  type Ending,
  type Spending,
} from './books.ts';
import type { BooksStore } from './booksStore.ts';
import { ClockStep } from './clockStep.ts';
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

/** Weight that was taken for one request. Its one call says how the request ended. */
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

type Change = (books: Books) => Books;

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
  /** Changes that the store has not taken yet; each can be applied twice without harm. */
  private readonly unkept: Change[] = [];
  private readonly clockStep: ClockStep;
  private keeping: Promise<void> | undefined;
  private introduction: Promise<void> | undefined;
  private stopTimer: () => void = () => undefined;

  /** Requests began or ceased to wait, or the exchange asked for a pause. */
  readonly onDidChange: Event<void> = this.didChange.event;

  constructor(options: WeightLedgerOptions) {
    this.options = options;
    const { clock, steadyNow = () => clock.now() } = options;
    this.clockStep = new ClockStep(clock, steadyNow);
  }

  get standing(): WeightStanding {
    const now = this.options.clock.now();
    const books = this.books();
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
    const books = this.books();
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
    const { limits, learnedAt } = this.books();
    return limits !== null && this.options.clock.now() - learnedAt < limitsAgeMs;
  }

  private refusalOf(books: Books, request: WeightRequest): ExchangeError | undefined {
    const limit = tooSmallLimit(books, request, this.options.share());
    if (!limit) return undefined;
    const { operation, weight } = request;
    const detail = `its weight ${weight} is more than marginDesk.weightShare leaves of the limit ${limit.weight} in ${limit.windowMs / 1000} s`;
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

  private wait(request: WeightRequest, signal?: AbortSignal): Promise<Reservation> {
    const { clock } = this.options;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        stopPatience();
        signal?.removeEventListener('abort', onAbort);
        if (this.line.leave(waiter) && waits) this.didChange.fire();
      };
      const onAbort = (): void => {
        leave();
        reject(signal?.reason as Error);
      };
      const onImpatience = (): void =>
        refuse(tooLong(request, this.shortestWaitMs(this.books(), request)));
      const patience = patienceMs(request.priority);
      const stopPatience = Number.isFinite(patience)
        ? clock.after(patience, onImpatience)
        : () => undefined;
      const spending = spendingOf(request);
      const go = (): void => {
        leave();
        resolve(this.reservation(spending));
      };
      const refuse = (error: Error): void => {
        leave();
        reject(error);
      };
      const waiter: Waiter = { request, spending, go, refuse };
      const waits = this.readyAt(this.books(), request) > clock.now();
      signal?.addEventListener('abort', onAbort);
      this.line.join(waiter);
      if (waits) this.didChange.fire();
      this.wake();
    });
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

  /** The books with what the store has not taken yet. */
  private books(): Books {
    const jumpMs = this.clockStep.take();
    const now = this.options.clock.now();
    if (jumpMs > 0) this.unkept.push((books) => delayed(books, jumpMs, now));
    return this.unkept.reduce((books, change) => change(books), this.options.store.read());
  }

  private keep(change: Change): void {
    this.unkept.push(change);
    this.work();
  }

  /** Lets the first of the line go if it can, else sleeps until it may be able to. */
  private wake(): void {
    this.stopTimer();
    if (this.keeping || this.line.size === 0) return;
    const { clock } = this.options;
    const books = this.books();
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
    while (this.unkept.length > 0);
  }

  private async step(): Promise<void> {
    this.books();
    const changes = [...this.unkept];
    let granted: Waiter[] = [];
    await this.options.store.update((kept) => {
      granted = [];
      const now = this.options.clock.now();
      const changed = changes.reduce((books, change) => change(books), kept);
      return this.admit(compact(changed, now), granted);
    });
    this.unkept.splice(0, changes.length);
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
    else this.unkept.push((books) => end(books, waiter.spending, { kind: 'unsent' }, 0));
  }
}

function spendingOf({ weight, operation, longestMs }: WeightRequest): Spending {
  return { id: crypto.randomUUID(), weight, operation, longestMs };
}

function tooLong({ operation }: WeightRequest, waitMs: number): ExchangeError {
  const retryAfterMs = Math.max(1000, waitMs);
  return new ExchangeError({ kind: 'rateLimited', sent: 'no', operation, retryAfterMs });
}
