import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { RateLimit } from '../records.ts';
import { end, freeze, reserve, weightOf, type Books, type Ending, type Spending } from './books.ts';
import type { BooksStore } from './booksStore.ts';
import type { Claim } from './claims.ts';
import { Introduction } from './introduction.ts';
import { limitsIn } from './limits.ts';
import { refusalOf } from './refusals.ts';
import { hasRoomToPlan, leastReserve, readyAt } from './rules.ts';
import { standingOf, type WeightStanding } from './standing.ts';
import { Turns } from './turns.ts';
import { UnkeptBooks } from './unkeptBooks.ts';
import { spendingOf, type WeightRequest } from './weightRequest.ts';

export type WeightLedgerOptions = {
  readonly store: BooksStore;
  readonly clock: Clock;
  /**
   * Milliseconds since the machine was started, of a clock that nobody sets; without one, `clock` is
   * trusted.
   */
  readonly steadyNow?: () => number;
  /** The part of each limit that the desk may take, in (0, 1]. */
  readonly share: () => number;
};

/**
 * Weight that was taken for one request. `end` tells how the request ended, by its head; it may be
 * called again, with `limited`, where the words of the answer tell that the limit was passed.
 */
export type Reservation = { end(ending: Ending): void };

/**
 * Lets requests go so that no window of any limit ever holds more weight than the desk may take:
 * weight is taken when a request is sent and given back one interval after its answer came, whatever
 * the delays. Those who wait go by priority, then in order.
 */
export class WeightLedger implements Disposable {
  private readonly options: WeightLedgerOptions;
  private readonly books: UnkeptBooks;
  private readonly turns: Turns;
  private readonly introduction: Introduction;
  private readonly didChange = new Emitter<void>();
  private closed: Error | undefined;

  /** Requests began or ceased to wait, or the exchange asked for a pause. */
  readonly onDidChange: Event<void> = this.didChange.event;

  constructor(options: WeightLedgerOptions) {
    this.options = options;
    const { store, clock, share, steadyNow = () => clock.now() } = options;
    this.books = new UnkeptBooks(store, clock, steadyNow);
    this.turns = new Turns({ books: this.books, clock, share });
    this.introduction = new Introduction(clock, () => this.books.read());
  }

  get standing(): WeightStanding {
    const { clock, share } = this.options;
    const books = this.books.read();
    const standing = standingOf(books, share(), clock.now());
    return { ...standing, waiting: this.turns.waitingBy(books) };
  }

  /** Whether exchange information has told limits, be it long ago. */
  get knowsLimits(): boolean {
    return this.books.read().limits !== null;
  }

  /** Whether a cancel-all can read its plan now and leave what its DELETE and a second press's need. */
  get hasRoomToPlan(): boolean {
    const { clock, share } = this.options;
    return hasRoomToPlan(this.books.read(), share(), clock.now());
  }

  /**
   * Takes the weight of one request, waiting until there is some. Rejects with ExchangeError, sent
   * `no`: `configuration` when the limit can never hold it, `rateLimited` when somebody who looks on
   * would wait too long; or with the signal's reason. A cancel-all that has room goes at once.
   */
  async acquire(request: WeightRequest, signal?: AbortSignal): Promise<Reservation> {
    if (this.closed) throw this.closed;
    signal?.throwIfAborted();
    const spending = spendingOf(request);
    if (request.priority === 'cancel' && this.takesAtOnce(request, spending))
      return this.reservation(spending);
    const books = this.books.read();
    if (request.priority !== 'cancel') this.refuse(books, request);
    await this.wait(books, request, spending, signal);
    return this.reservation(spending);
  }

  /** Takes over the limits that exchange information tells (section 2.7), as `limitsIn` reads them. */
  learn(rateLimits: readonly RateLimit[]): void {
    const limits = limitsIn(rateLimits);
    const learnedAt = this.options.clock.now();
    this.turns.keep((books) => ({ ...books, limits, learnedAt }));
  }

  /**
   * Before anything else is sent: has `ask` read exchange information, unless the limits are known.
   * When that fails, the limits stay as they are and are asked for again a minute later.
   */
  introduce(ask: () => Promise<unknown>): Promise<void> {
    return this.introduction.make(ask);
  }

  /** Resolves when the store has taken everything that happened up to now. */
  settled(): Promise<void> {
    return this.turns.settled();
  }

  /** Whoever still waits, or asks later, is told with an AbortError. */
  dispose(): void {
    this.closed = new DOMException('The weight ledger is closed.', 'AbortError');
    this.turns.close(this.closed);
    this.didChange.dispose();
  }

  /**
   * A cancel-all and its reads take their weight from the reserve that everybody else leaves free and
   * wait for no lock: each shows a claim to the other windows, and goes if all their claims leave it
   * room too.
   */
  private takesAtOnce(request: WeightRequest, spending: Spending): boolean {
    const { clock, share } = this.options;
    const now = clock.now();
    const claim = { spending, sentAt: now };
    const claims = this.books.announce(claim);
    const books = end(this.books.read(), spending, { kind: 'unsent' }, now);
    const isReady =
      weightOf(claims.map((one) => one.spending)) <= leastReserve(books, request, share()) &&
      readyAt(books, request, share(), now) <= now;
    if (isReady) this.turns.keepAfterwards((kept) => reserve(kept, spending, now));
    else this.takeBack(claim);
    return isReady;
  }

  /** Another window may have booked it meanwhile. */
  private takeBack(claim: Claim): void {
    this.books.withdraw(claim);
    this.turns.keep((books) => end(books, claim.spending, { kind: 'unsent' }, claim.sentAt));
  }

  private refuse(books: Books, request: WeightRequest): void {
    const { clock, share } = this.options;
    const refusal = refusalOf(books, request, share(), clock.now());
    if (refusal) throw refusal;
  }

  private async wait(
    books: Books,
    request: WeightRequest,
    spending: Spending,
    signal?: AbortSignal,
  ): Promise<void> {
    const { clock, share } = this.options;
    const waits = readyAt(books, request, share(), clock.now()) > clock.now();
    const turn = this.turns.join(request, spending, signal);
    if (waits) this.didChange.fire();
    try {
      await turn;
    } finally {
      if (waits) this.didChange.fire();
    }
  }

  private reservation(spending: Spending): Reservation {
    let isOpen = true;
    return {
      end: (ending) => {
        const now = this.options.clock.now();
        if (isOpen) this.turns.keep((books) => end(books, spending, ending, now));
        else if (ending.kind === 'limited')
          this.turns.keep((books) => freeze(books, ending.retryAfterMs, now));
        isOpen = false;
        if (ending.kind === 'limited') this.didChange.fire();
      },
    };
  }
}
