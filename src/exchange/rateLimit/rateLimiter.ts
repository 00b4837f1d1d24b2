import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { dayMs, minuteMs, type Clock } from '../../base/time.ts';
import { ExchangeError, longPauseMs } from '../exchangeError.ts';
import { operations, type OperationName } from '../../api/operations.ts';
import type { RateLimit } from '../records.ts';
import { hasRoomForPlan, smallestReserve, type WeightNeed } from './admission.ts';
import { parseLimits } from './limits.ts';
import { createCharge, maxWaitMs, type Priority, type WeightRequest } from './priority.ts';
import {
  addCharge,
  addPause,
  endPause,
  settleCharge,
  totalWeight,
  type Charge,
  type RateLimitState,
  type SendResult,
} from './rateLimitState.ts';
import type { RateLimitStore } from './rateLimitStore.ts';
import { Scheduler } from './scheduler.ts';
import { areLimitsStale, doubtLimits } from './staleLimits.ts';
import { tightestUsage, type RateLimitUsage } from './usage.ts';

type RateLimiterOptions = {
  readonly store: RateLimitStore;
  readonly clock: Clock;
  /** Milliseconds of a monotonic clock that all windows share; those of `clock` unless given. */
  readonly monotonicNow?: () => number;
  /** The part of each limit that ordinary requests may use, in (0, 1]. */
  readonly share: () => number;
};

/**
 * The weight of one request. `complete` says how the request ended, by the head of its answer. It may
 * be called again with `limited`, if the body says that the limit was exceeded. `succeed` says that
 * the whole answer is what was asked for.
 */
export type Reservation = { complete(result: SendResult): void; succeed(): void };

const maxLimitsAgeMs = dayMs;
const limitsRetryMs = minuteMs;
const needOf = (operation: OperationName, priority: Priority): WeightNeed => ({
  ...{ operation, priority },
  weight: operations[operation].weight,
});
const limitsNeed = needOf('exchangeInfo', 'refresh');
const deleteNeed = needOf('cancelAll', 'cancel');

/**
 * Grants requests so that no window of any limit, sliding or fixed, ever holds more weight than
 * allowed: weight counts from the sending until one interval after the answer, whatever the delays.
 * Ordinary requests keep to the share, the DELETE of a cancel-all to the limit. Requests that wait are
 * granted by priority, then in order of arrival.
 */
export class RateLimiter implements Disposable {
  private readonly options: RateLimiterOptions;
  private readonly steadyClock: Clock;
  private readonly scheduler: Scheduler;
  private readonly didChange = new Emitter<void>();
  private readInfo: () => Promise<unknown> = () => Promise.resolve();
  private limitsRead: Promise<void> | undefined;
  /** When the last read of the limits ended, by the steady clock. */
  private limitsTriedAt = Number.NEGATIVE_INFINITY;
  private mayTryInPause = false;
  private closed: Error | undefined;

  /** Requests began or ceased to wait, the exchange asked for a pause, or `isUnshared` changed. */
  readonly onDidChange: Event<void> = this.didChange.event;

  constructor(options: RateLimiterOptions) {
    this.options = options;
    const { clock, store, share, monotonicNow: now = () => clock.now() } = options;
    this.steadyClock = { now, steadyNow: now, after: (...timer) => clock.after(...timer) };
    const { steadyClock, mustReadLimits, readLimits } = this;
    this.scheduler = new Scheduler({
      ...{ store, clock: steadyClock, share, mustReadLimits, readLimits },
      onDidChangeSharing: this.didChange.fire,
    });
  }

  get usage(): RateLimitUsage {
    const state = this.scheduler.read();
    const now = this.steadyClock.now();
    const { pausedUntil } = state;
    return {
      ...tightestUsage(state, this.options.share(), now),
      at: this.options.clock.now(),
      pausedUntil: pausedUntil > now ? this.toEpochMs(pausedUntil) : undefined,
      waiting: this.scheduler.countWaiting(state),
      isUnshared: state.isUnshared === true,
    };
  }

  /** Lets the next request of a person go in spite of a long pause, as the exchange may answer again; false in no such pause. */
  allowOneInPause(): boolean {
    const leftMs = this.scheduler.read().pausedUntil - this.steadyClock.now();
    this.mayTryInPause = leftMs > longPauseMs;
    return this.mayTryInPause;
  }

  /** Whether exchange information gave the limits, however long ago, or a refusal had some assumed. */
  get knowsLimits(): boolean {
    return this.scheduler.read().limits !== null;
  }

  /** Whether a cancel-all can read its plan now and leave, within the share, room for two DELETEs. */
  get hasRoomForPlan(): boolean {
    return hasRoomForPlan(this.scheduler.read(), this.options.share(), this.steadyClock.now());
  }

  /**
   * When a cancel-all can send its DELETE, in epoch milliseconds: now or in the past if at once.
   * Requests under way count as long as they can last.
   */
  get cancelAllReadyAt(): number {
    return this.toEpochMs(this.scheduler.readyAt(this.scheduler.read(), deleteNeed));
  }

  /**
   * Takes the weight of one request, after a wait if need be; the signal ends the wait, for its reason.
   * Rejects with ExchangeError, sent `no`: `rateLimited` when the wait would be too long for a person,
   * `configuration` when the limit can never hold the request, or while the rate-limit file cannot be
   * written. A cancel-all within its reserve is granted at once. Who does not send the request completes
   * the reservation as `unsent`.
   */
  async acquire(request: WeightRequest, signal?: AbortSignal): Promise<Reservation> {
    if (this.closed) throw this.closed;
    signal?.throwIfAborted();
    const charge = createCharge(request);
    if (request.priority === 'cancel' && this.tryImmediate(request, charge))
      return this.reservation(charge);
    const tried = this.tryInPause(request, charge);
    if (tried) return tried;
    const { priority, waitMs = maxWaitMs(priority) } = request;
    const state = this.scheduler.read();
    const waitUntil = this.steadyClock.now() + waitMs;
    if (priority !== 'cancel') this.refuseTooLate(state, request, waitUntil);
    await this.waitInQueue(state, request, charge, waitUntil, signal);
    return this.reservation(charge);
  }

  /** Takes over the limits of exchange information (section 2.7), as `parseLimits` reads them. */
  setLimits(rateLimits: readonly RateLimit[], learnedAt = this.options.clock.now()): void {
    const limits = parseLimits(rateLimits);
    this.scheduler.update((state) => ({ ...state, limits, learnedAt }));
    this.scheduler.succeeded(this.steadyClock.now());
  }

  /**
   * Before anything else is sent: has `read` read exchange information when the limits are unknown,
   * stale or a day old, once at a time. When that fails, the limits stay as they are for a minute. Nothing waits
   * for a read that has to wait itself, as in a pause.
   */
  ensureLimits(read: () => Promise<unknown>): Promise<void> {
    this.readInfo = read;
    const state = this.scheduler.read();
    const ageMs = this.options.clock.now() - state.learnedAt;
    const isKnown = state.limits !== null && ageMs < maxLimitsAgeMs;
    const now = this.steadyClock.now();
    const waits = this.scheduler.readyAt(state, limitsNeed) > now;
    if (!isKnown && now >= this.limitsTriedAt + limitsRetryMs) this.readLimits();
    return (waits ? undefined : this.limitsRead) ?? Promise.resolve();
  }

  private readonly readLimits = (): void => {
    const { pausedUntil } = this.scheduler.read();
    const end = (error?: unknown): void => {
      this.limitsRead = undefined;
      // The pause may have ended early, or the answer may have begun another.
      const pauseEnd = Math.min(pausedUntil, this.scheduler.read().pausedUntil);
      this.limitsTriedAt = Math.max(this.steadyClock.now(), pauseEnd);
      this.scheduler.wasInfoRefused =
        error instanceof ExchangeError && error.failure.kind === 'rateLimited';
      this.scheduler.schedule();
    };
    this.limitsRead ??= this.readInfo().then(() => end(), end);
  };

  /** Whether the limits are in doubt, and no read of them has ended since the pause. */
  private readonly mustReadLimits = (state: RateLimitState): boolean =>
    areLimitsStale(state) && Math.max(this.limitsTriedAt, 0) < state.pausedUntil;

  /** After a 429 that neither our count nor the pause explains, the limits are read again before all else. */
  private async doubtLimits({ id }: Charge, now: number): Promise<void> {
    this.scheduler.update((state) =>
      state.passed.some((exemption) => exemption.id === id)
        ? state
        : doubtLimits(state, this.options.share(), now),
    );
    await this.limitsRead;
    if (this.mustReadLimits(this.scheduler.read())) this.readLimits();
  }

  /** Resolves when the store has everything that happened up to now. */
  flushed(): Promise<void> {
    return this.scheduler.flushed();
  }

  /** Rejects requests that wait, and later ones, with an AbortError. */
  dispose(): void {
    this.closed = new DOMException('The rate limiter is closed.', 'AbortError');
    this.scheduler.close(this.closed);
    this.didChange.dispose();
  }

  /**
   * A cancel-all and its reads use the reserve that other requests leave free, and wait for no lock:
   * each shows an intent to the other windows and is granted if the intents of all fit into the reserve.
   */
  private tryImmediate(request: WeightRequest, charge: Charge): boolean {
    const { store, share } = this.options;
    const now = this.steadyClock.now();
    const intents = store.addIntent(charge);
    const state = settleCharge(this.scheduler.read(), charge, { kind: 'unsent' }, now);
    const isReady =
      totalWeight(intents) <= smallestReserve(state, request, share()) &&
      this.scheduler.readyAt(state, request) <= now;
    if (isReady) {
      this.scheduler.updateAfterSend((latest) => addCharge(latest, charge, now));
      return true;
    }
    store.removeIntent(charge);
    // Another window may have counted the intent meanwhile.
    this.scheduler.update((latest) => settleCharge(latest, charge, { kind: 'unsent' }, now));
    return false;
  }

  /** While the file cannot be written, each refusal has it tried again. */
  private refuseTooLate(state: RateLimitState, request: WeightRequest, waitUntil: number): void {
    const refusal = this.scheduler.refusalFor(state, request, waitUntil);
    if (!refusal) return;
    if (state.isUnshared) this.scheduler.update((latest) => latest);
    throw refusal;
  }

  private async waitInQueue(
    state: RateLimitState,
    request: WeightRequest,
    charge: Charge,
    waitUntil: number,
    signal?: AbortSignal,
  ): Promise<void> {
    const waits = this.scheduler.readyAt(state, request) > this.steadyClock.now();
    const granted = this.scheduler.enqueue(request, charge, waitUntil, signal);
    if (waits) this.didChange.fire();
    try {
      await granted;
    } finally {
      if (waits) this.didChange.fire();
    }
  }

  /** A request of a person that goes in spite of the pause, if there is room. It takes nothing from a cancel-all. */
  private tryInPause(request: WeightRequest, charge: Charge): Reservation | undefined {
    if (!this.mayTryInPause || request.priority !== 'interactive') return undefined;
    this.mayTryInPause = false;
    const now = this.steadyClock.now();
    const state = endPause(this.scheduler.read(), now);
    if (this.scheduler.readyAt(state, request) > now) return undefined;
    this.scheduler.updateAfterSend((latest) => ({
      ...addCharge(latest, charge, now),
      passed: latest.passed,
    }));
    return this.reservation(charge, true);
  }

  /** An answer to a try shows that the pause is over. */
  private reservation(charge: Charge, isTry = false): Reservation {
    let [isOpen, isLimited] = [true, false];
    const sentAt = this.steadyClock.now();
    return {
      succeed: () => {
        if (isTry) this.scheduler.update((state) => endPause(state, this.steadyClock.now()));
        // What waits leaves when `setLimits` has taken over what this answer says.
        if (charge.operation !== 'exchangeInfo') this.scheduler.succeeded(sentAt);
      },
      complete: (result) => {
        const now = this.steadyClock.now();
        this.scheduler.ended(charge);
        if (isOpen) this.scheduler.update((state) => settleCharge(state, charge, result, now));
        else if (result.kind === 'limited')
          this.scheduler.update((state) => addPause(state, result.retryAfterMs, now));
        isOpen = false;
        if (result.kind === 'limited' && !isLimited) void this.doubtLimits(charge, now);
        isLimited ||= result.kind === 'limited';
        if (isLimited || result.kind === 'paused') this.didChange.fire();
      },
    };
  }

  private toEpochMs(steadyMs: number): number {
    return steadyMs + this.options.clock.now() - this.steadyClock.now();
  }
}
