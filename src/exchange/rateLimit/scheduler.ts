import { setImmediate } from 'node:timers/promises';
import { startDeadline } from '../../base/abort.ts';
import type { Clock } from '../../base/time.ts';
import type { ExchangeError } from '../exchangeError.ts';
import {
  earliestReadyAt,
  readyAt,
  refusalFor,
  tooLongWaitError,
  withBulkPacing,
  type WeightNeed,
} from './admission.ts';
import { withIntents } from './intents.ts';
import { compactState } from './normalizeState.ts';
import { priorities, type WeightRequest } from './priority.ts';
import {
  addCharge,
  limitsOf,
  settleCharge,
  type Charge,
  type RateLimitState,
} from './rateLimitState.ts';
import type { RateLimitStore, StateUpdate } from './rateLimitStore.ts';
import { withLeastLimits } from './staleLimits.ts';

type SchedulerOptions = {
  readonly store: RateLimitStore;
  /** Monotonic. */
  readonly clock: Clock;
  readonly share: () => number;
  /** Whether only cancel-alls may leave before exchange information was read. */
  readonly mustReadLimits: (state: RateLimitState) => boolean;
  readonly readLimits: () => void;
  /** The state began or ceased to be shared with the other windows. */
  readonly onDidChangeSharing: () => void;
};

type QueuedRequest = {
  readonly request: WeightRequest;
  readonly charge: Charge;
  /** When it has waited too long. */
  readonly waitUntil: number;
  /** Ends the wait: the request may be sent, or not. */
  readonly end: (refusal?: Error) => void;
};

/** Other windows may free weight: requests that wait are looked at again at least this often. */
const maxSleepMs = 1000;
/** Of this window. When the exchange lowers its limit, each that is under way is one more that it refuses. */
const maxBulkUnderWay = 2;

/** Grants the waiting requests of one window as the state allows, in one update of the store after another. */
export class Scheduler {
  private readonly options: SchedulerOptions;
  /** What this window did and the store does not have yet. */
  private pending: readonly StateUpdate[] = [];
  /** The requests that wait, in order of arrival. */
  private readonly queue = new Set<QueuedRequest>();
  private readonly gradualReturn = new GradualReturn();
  private readonly bulkUnderWay = new Set<string>();
  private saving: Promise<void> | undefined;
  private isUnshared: true | undefined;
  /** The last read of exchange information met another pause: the next waits until hardly anything counts. */
  wasInfoRefused = false;
  private stopTimer: () => void = () => undefined;

  constructor(options: SchedulerOptions) {
    this.options = options;
  }

  /** The state with everything that this window did. */
  read(): RateLimitState {
    return applyAll(this.pending, this.options.store.read());
  }

  /** When a request may be sent in this state, at this share, after `ahead` others that leave with it. */
  readyAt(state: RateLimitState, need: WeightNeed, ahead = 0): number {
    const { clock, share } = this.options;
    const now = clock.now();
    const allowedAt = readyAt(this.judged(state, need), need, share(), now);
    if (need.priority === 'cancel') return allowedAt;
    if (need.priority === 'bulk' && this.bulkUnderWay.size + ahead >= maxBulkUnderWay)
      return Number.POSITIVE_INFINITY;
    return Math.max(allowedAt, this.gradualReturn.readyAt(ahead, now));
  }

  /** The exchange gave what a request asked for, which was sent at this time. */
  succeeded(sentAt: number): void {
    this.gradualReturn.succeeded(sentAt);
    this.schedule();
  }

  /** A request that was granted has ended, or was not sent. */
  ended({ id }: Charge): void {
    this.bulkUnderWay.delete(id);
  }

  /** How many requests have no weight yet in this state, or wait behind one that has none. */
  countWaiting(state: RateLimitState): number {
    const now = this.options.clock.now();
    const counted = new Set(state.entries.map(({ id }) => id));
    const left = this.inOrder().filter(({ charge }) => !counted.has(charge.id));
    const leaving = this.leaving(state).filter(
      ({ request }) => this.readyAt(state, request) <= now,
    );
    const first = left.findIndex((queued) => !leaving.includes(queued));
    return first === -1 ? 0 : left.length - first;
  }

  /** Resolves when the request may be sent and counts; rejects with the signal's reason or a refusal. */
  async enqueue(
    request: WeightRequest,
    charge: Charge,
    waitUntil: number,
    signal?: AbortSignal,
  ): Promise<void> {
    const { clock, share } = this.options;
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const deadline = startDeadline(clock, waitUntil - clock.now(), signal);
    const end = (refusal?: Error): void => {
      deadline.dispose();
      this.queue.delete(queued);
      if (this.queue.size === 0) this.stopTimer();
      if (refusal) reject(refusal);
      else resolve(undefined);
    };
    const queued: QueuedRequest = { request, charge, waitUntil, end };
    deadline.signal.addEventListener('abort', () => {
      const now = clock.now();
      const waitMs = earliestReadyAt(this.read(), request, share(), now) - now;
      end(signal?.aborted ? (signal.reason as Error) : tooLongWaitError(request, waitMs));
    });
    this.queue.add(queued);
    this.schedule();
    await promise;
  }

  /** Changes the state: for this window at once, in the store soon. */
  update(change: StateUpdate): void {
    this.pending = [...this.pending, change];
    this.startSaving(() => this.saveAll());
  }

  /** The same, but the request that is about to be sent goes before the store is written. */
  updateAfterSend(change: StateUpdate): void {
    this.pending = [...this.pending, change];
    this.startSaving(() => setImmediate().then(() => this.saveAll()));
  }

  /** Resolves when the store has everything that happened up to now. */
  async flushed(): Promise<void> {
    while (this.saving) await this.saving;
  }

  /** Refuses all requests that wait. */
  close(reason: Error): void {
    this.stopTimer();
    for (const queued of this.queue) queued.end(reason);
  }

  /** Why a request should not wait. */
  refusalFor(
    state: RateLimitState,
    request: WeightRequest,
    waitUntil: number,
  ): ExchangeError | undefined {
    const { clock, share } = this.options;
    return refusalFor(this.judged(state, request), request, share(), clock.now(), waitUntil);
  }

  /** For limits in doubt nothing is too heavy. */
  private judged(state: RateLimitState, { operation, priority }: WeightNeed): RateLimitState {
    const { share, mustReadLimits } = this.options;
    if (priority === 'cancel' || !mustReadLimits(state)) return state;
    return operation === 'exchangeInfo' && this.wasInfoRefused
      ? withLeastLimits(state, share())
      : { ...state, limits: [] };
  }

  /** What may leave, in order. */
  private leaving(state: RateLimitState): readonly QueuedRequest[] {
    const mustRead = this.options.mustReadLimits(state);
    const goesFirst = ({ request: { operation, priority } }: QueuedRequest): boolean =>
      priority === 'cancel' || operation === 'exchangeInfo';
    return this.inOrder().filter((queued) => !mustRead || goesFirst(queued));
  }

  /** Grants the first of the queue if possible, else sleeps until it may be. */
  schedule(): void {
    this.stopTimer();
    if (this.saving || this.queue.size === 0) return;
    const { clock } = this.options;
    const state = this.read();
    this.gradualReturn.observePause(state.pausedUntil, clock.now());
    this.refuseTooLate(state);
    const [first] = this.leaving(state);
    if (!first) {
      if (this.queue.size > 0) this.options.readLimits();
      return;
    }
    const waitMs = this.readyAt(state, first.request) - clock.now();
    if (waitMs <= 0) {
      this.startSaving(() => this.saveAll());
      return;
    }
    const windowsMs = limitsOf(state).map(({ windowMs }) => windowMs / 20);
    const sleepMs = Math.min(waitMs, maxSleepMs, ...windowsMs);
    this.stopTimer = clock.after(sleepMs, () => this.schedule());
  }

  /** New limits may be too small for a request that waits, or a new pause too long. */
  private refuseTooLate(state: RateLimitState): void {
    for (const queued of this.queue) {
      const refusal = this.refusalFor(state, queued.request, queued.waitUntil);
      if (refusal) queued.end(refusal);
    }
  }

  private startSaving(save: () => Promise<void>): void {
    this.saving ??= save().finally(() => {
      this.saving = undefined;
      this.schedule();
    });
  }

  /** Updates the store until it has everything. */
  private async saveAll(): Promise<void> {
    do await this.saveOnce();
    while (this.pending.length > 0);
  }

  private async saveOnce(): Promise<void> {
    const { store, clock } = this.options;
    const intents: Charge[] = [];
    let granted: QueuedRequest[] = [];
    let isUnshared: true | undefined;
    const changes = this.pending;
    await store.update((stored) => {
      const state = applyAll(changes, stored);
      granted = [];
      isUnshared = state.isUnshared;
      return this.admit(compactState(state, clock.now()), granted, intents);
    });
    this.pending = this.pending.slice(changes.length);
    for (const intent of intents) store.removeIntent(intent);
    for (const queued of granted) this.grant(queued);
    if (this.isUnshared === isUnshared) return;
    this.isUnshared = isUnshared;
    this.options.onDidChangeSharing();
  }

  private admit(
    state: RateLimitState,
    granted: QueuedRequest[],
    intents: Charge[],
  ): RateLimitState {
    const { store, clock, share } = this.options;
    const now = clock.now();
    let next = state;
    let ahead = 0;
    this.gradualReturn.observePause(state.pausedUntil, now);
    for (const queued of this.leaving(state)) {
      const { request, charge } = queued;
      if (request.priority === 'cancel') {
        intents.push(charge);
        // Cancel-alls of other windows take no lock: each side has to see the other's intents.
        const others = store.addIntent(charge).filter(({ id }) => id !== charge.id);
        next = withIntents(next, others, now);
      }
      if (this.readyAt(next, request, ahead) > now) break;
      if (request.priority !== 'cancel') ahead += 1;
      next = addCharge(next, charge, now);
      next = withBulkPacing(next, request, share(), now);
      granted.push(queued);
    }
    return next;
  }

  /** A request that left the queue while it was granted gives its weight back. */
  private grant(queued: QueuedRequest): void {
    if (this.queue.has(queued)) {
      const { priority } = queued.request;
      if (priority !== 'cancel') this.gradualReturn.countSent(this.options.clock.now());
      if (priority === 'bulk') this.bulkUnderWay.add(queued.charge.id);
      queued.end();
    } else {
      const giveBack: StateUpdate = (state) =>
        settleCharge(state, queued.charge, { kind: 'unsent' }, 0);
      this.pending = [...this.pending, giveBack];
    }
  }

  private inOrder(): readonly QueuedRequest[] {
    return [...this.queue].toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

function applyAll(changes: readonly StateUpdate[], state: RateLimitState): RateLimitState {
  return changes.reduce((changed, change) => change(changed), state);
}

/** DELETEs first, then by priority: not even the reads of an earlier cancel-all are sent before a DELETE. */
function rankOf({ request: { operation, priority } }: QueuedRequest): number {
  return operation === 'cancelAll' ? -1 : priorities.indexOf(priority);
}

/** How long the exchange has to answer one step before the next, larger one is sent. */
const stepMs = 2000;

/**
 * After a pause that the exchange asked for, the requests of this window leave one, two, four … at a
 * time, until one of them succeeds. If all left at once, all would meet the next pause.
 */
class GradualReturn {
  private pauseEnd: number | undefined;
  private startedAt: number | undefined;
  private sent = 0;

  /** Starts again with each pause. */
  observePause(pausedUntil: number, now: number): void {
    if (pausedUntil <= now) return;
    this.pauseEnd = pausedUntil;
    this.startedAt = undefined;
    this.sent = 0;
  }

  /** When the next request may leave, after `ahead` others that have not left yet. */
  readyAt(ahead: number, now: number): number {
    if (this.pauseEnd === undefined) return 0;
    const step = Math.ceil(Math.log2(this.sent + ahead + 2)) - 1;
    return (this.startedAt ?? now) + step * stepMs;
  }

  countSent(now: number): void {
    this.startedAt ??= now;
    this.sent += 1;
  }

  /** A request that was sent at this time succeeded: it ends the return if that was after the pause. */
  succeeded(sentAt: number): void {
    if (this.pauseEnd !== undefined && sentAt >= this.pauseEnd) this.pauseEnd = undefined;
  }
}
