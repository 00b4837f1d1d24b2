import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { dayMs, minuteMs, type Clock } from '../../base/time.ts';
import { operations } from '../operations.ts';
import type { RateLimit } from '../records.ts';
import { hasRoomForPlan, refusalFor, smallestReserve, type WeightNeed } from './admission.ts';
import { parseLimits } from './limits.ts';
import { createCharge, type WeightRequest } from './priority.ts';
import {
  addCharge,
  addPause,
  settleCharge,
  totalWeight,
  type Charge,
  type RateLimitState,
  type SendResult,
} from './rateLimitState.ts';
import type { RateLimitStore } from './rateLimitStore.ts';
import { Scheduler } from './scheduler.ts';
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
const deleteNeed: WeightNeed = {
  operation: 'cancelAll',
  weight: operations.cancelAll.weight,
  priority: 'cancel',
};

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
  private limitsRead: Promise<void> = Promise.resolve();
  /** By the steady clock. */
  private readLimitsAgainAt = Number.NEGATIVE_INFINITY;
  private closed: Error | undefined;

  /** Requests began or ceased to wait, the exchange asked for a pause, or `isUnshared` changed. */
  readonly onDidChange: Event<void> = this.didChange.event;

  constructor(options: RateLimiterOptions) {
    this.options = options;
    const { clock, store, share, monotonicNow: now = () => clock.now() } = options;
    this.steadyClock = { now, steadyNow: now, after: (...timer) => clock.after(...timer) };
    const onDidChangeSharing = this.didChange.fire;
    this.scheduler = new Scheduler({ store, clock: this.steadyClock, share, onDidChangeSharing });
  }

  get usage(): RateLimitUsage {
    const state = this.scheduler.read();
    const now = this.steadyClock.now();
    const { frozenUntil } = state;
    return {
      ...tightestUsage(state, this.options.share(), now),
      at: this.options.clock.now(),
      pausedUntil: frozenUntil > now ? this.toEpochMs(frozenUntil) : undefined,
      waiting: this.scheduler.countWaiting(state),
      isUnshared: state.isUnshared === true,
    };
  }

  /** Whether exchange information ever gave the limits, however long ago. */
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
   * written. A cancel-all within its reserve is granted at once.
   */
  async acquire(request: WeightRequest, signal?: AbortSignal): Promise<Reservation> {
    if (this.closed) throw this.closed;
    signal?.throwIfAborted();
    const charge = createCharge(request);
    if (request.priority === 'cancel' && this.tryImmediate(request, charge))
      return this.reservation(charge);
    const state = this.scheduler.read();
    if (request.priority !== 'cancel') this.refuseTooLate(state, request);
    await this.waitInQueue(state, request, charge, signal);
    return this.reservation(charge);
  }

  /** Takes over the limits of exchange information (section 2.7), as `parseLimits` reads them. */
  setLimits(rateLimits: readonly RateLimit[]): void {
    const limits = parseLimits(rateLimits);
    const learnedAt = this.options.clock.now();
    this.scheduler.update((state) => ({ ...state, limits, learnedAt }));
  }

  /**
   * Before anything else is sent: has `read` read exchange information when the limits are unknown or
   * a day old, once at a time. When that fails, the limits stay as they are for a minute.
   */
  ensureLimits(read: () => Promise<unknown>): Promise<void> {
    const now = this.options.clock.now();
    const { limits, learnedAt } = this.scheduler.read();
    const isKnown = limits !== null && now - learnedAt < maxLimitsAgeMs;
    const steadyNow = this.steadyClock.now();
    if (isKnown || steadyNow < this.readLimitsAgainAt) return this.limitsRead;
    this.readLimitsAgainAt = steadyNow + limitsRetryMs;
    const ignore = (): void => undefined;
    this.limitsRead = read().then(ignore, ignore);
    return this.limitsRead;
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
  private refuseTooLate(state: RateLimitState, request: WeightRequest): void {
    const refusal = refusalFor(state, request, this.options.share(), this.steadyClock.now());
    if (!refusal) return;
    if (state.isUnshared) this.scheduler.update((latest) => latest);
    throw refusal;
  }

  private async waitInQueue(
    state: RateLimitState,
    request: WeightRequest,
    charge: Charge,
    signal?: AbortSignal,
  ): Promise<void> {
    const waits = this.scheduler.readyAt(state, request) > this.steadyClock.now();
    const granted = this.scheduler.enqueue(request, charge, signal);
    if (waits) this.didChange.fire();
    try {
      await granted;
    } finally {
      if (waits) this.didChange.fire();
    }
  }

  private reservation(charge: Charge): Reservation {
    let isOpen = true;
    const sentAt = this.steadyClock.now();
    return {
      succeed: () => this.scheduler.succeeded(sentAt),
      complete: (result) => {
        const now = this.steadyClock.now();
        if (isOpen) this.scheduler.update((state) => settleCharge(state, charge, result, now));
        else if (result.kind === 'limited')
          this.scheduler.update((state) => addPause(state, result.retryAfterMs, now));
        isOpen = false;
        if (result.kind === 'limited') this.didChange.fire();
      },
    };
  }

  private toEpochMs(steadyMs: number): number {
    return steadyMs + this.options.clock.now() - this.steadyClock.now();
  }
}
