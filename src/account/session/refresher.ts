import type { Disposable } from '../../base/disposable.ts';
import { secondMs, type Clock } from '../../base/time.ts';
import type { ExchangeClient } from '../../exchange/client.ts';
import { ExchangeError, longPauseMs } from '../../exchange/exchangeError.ts';
import type { Priority } from '../../exchange/rateLimit/priority.ts';
import type { AccountStore, Snapshot } from './accountStore.ts';

type RefresherOptions = {
  readonly store: AccountStore;
  readonly clock: Clock;
  readonly client: Pick<ExchangeClient, 'accounts' | 'serverNow'>;
  /** Called each second while a failed read waits to be repeated. */
  readonly onCountdown?: () => void;
};

type Run = { readonly controller: AbortController; readonly result: Promise<Snapshot> };

export const defaultIntervalMs = 15_000;
const maxBackOffFactor = 8;
const clockCheckMs = 5000;

/**
 * Decides when the account is read again, and is the only writer of the store. Each read sets the timer
 * of the next one. The timer follows the steady clock, so that a machine that slept reads soon after it wakes.
 * Failures make it wait longer, and no less than the exchange asked for, until a long pause may be over.
 */
export class Refresher implements Disposable {
  private readonly options: RefresherOptions;
  private readonly disposal = new AbortController();
  private run: Run | undefined;
  private stopTimer: () => void = () => undefined;
  private isPolling = true;
  private currentIntervalMs = defaultIntervalMs;
  private failures = 0;
  /** When the timer reads next, by the steady clock; NaN if none does. */
  private dueAt = Number.NaN;
  /** When the last read ended well, by the steady clock. */
  private readAt = -Infinity;
  /** After a failure, no timer reads before, by the steady clock. */
  private pausedUntil = 0;

  constructor(options: RefresherOptions) {
    this.options = options;
  }

  /** How far apart reads are while they succeed; the last such interval while polling is off. */
  get intervalMs(): number {
    return this.currentIntervalMs;
  }

  /** How long until the timer reads again; NaN while a read runs or polling is off. */
  get nextReadInMs(): number {
    return Math.max(0, this.dueAt - this.options.clock.steadyNow());
  }

  /** Reads now, or joins the read that runs. Rejects with ExchangeError; the store knows as well. */
  refresh(): Promise<Snapshot> {
    return this.run?.result ?? this.start('refresh');
  }

  /** Starts a new read: one that is under way is dropped, because it may show a time before this call. */
  refreshNow(priority: Priority): Promise<Snapshot> {
    this.run?.controller.abort();
    return this.start(priority);
  }

  /**
   * Reads this far apart from now on, at once if the figures are older than that unless a failure
   * makes it wait; undefined: only on request.
   */
  setIntervalMs(intervalMs: number | undefined): void {
    this.isPolling = intervalMs !== undefined;
    this.currentIntervalMs = intervalMs ?? this.currentIntervalMs;
    if (this.run) return;
    this.schedule(this.readAt + this.intervalMs);
  }

  dispose(): void {
    this.disposal.abort();
    this.run?.controller.abort();
    this.stopTimer();
  }

  private start(priority: Priority): Promise<Snapshot> {
    if (this.disposal.signal.aborted) return Promise.reject(this.disposal.signal.reason as Error);
    this.stopTimer();
    this.dueAt = Number.NaN;
    const controller = new AbortController();
    const run: Run = { controller, result: this.read(controller.signal, priority) };
    this.run = run;
    return run.result;
  }

  private async read(signal: AbortSignal, priority: Priority): Promise<Snapshot> {
    const { client, store, clock } = this.options;
    const sentAt = clock.steadyNow();
    try {
      const { value, badRecords } = await client.accounts({ priority, signal });
      signal.throwIfAborted();
      const [asOf, readAt] = [clock.now(), Math.floor(client.serverNow())];
      const answeredAt = clock.steadyNow();
      this.readAt = answeredAt;
      this.scheduleNext(0, 0);
      return store.replace({ account: value, badRecords, asOf, readAt, sentAt, answeredAt });
    } catch (error) {
      if (signal.aborted) return await this.resultOfNewerRun(signal);
      const retryAfterMs = error instanceof ExchangeError ? error.failure.retryAfterMs : undefined;
      this.scheduleNext(this.failures + 1, retryAfterMs ?? 0);
      store.fail(error);
      throw error;
    }
  }

  /** Callers of a dropped read get the result of the one that replaced it. */
  private resultOfNewerRun(dropped: AbortSignal): Promise<Snapshot> {
    const newer = this.run;
    if (newer && newer.controller.signal !== dropped) return newer.result;
    return Promise.reject(dropped.reason as Error);
  }

  private scheduleNext(failures: number, retryAfterMs: number): void {
    this.run = undefined;
    this.failures = failures;
    const backOffMs = this.intervalMs * Math.min(2 ** failures, maxBackOffFactor);
    const ms = failures === 0 ? 0 : Math.max(backOffMs, Math.min(retryAfterMs, longPauseMs));
    const now = this.options.clock.steadyNow();
    this.pausedUntil = now + ms;
    this.schedule(now + this.intervalMs);
  }

  private schedule(dueAt: number): void {
    this.stopTimer();
    this.dueAt = Number.NaN;
    if (!this.isPolling || this.disposal.signal.aborted) return;
    this.waitUntil(Math.max(dueAt, this.pausedUntil));
  }

  /** Timers may stand still while a machine sleeps, which must not keep figures old. */
  private waitUntil(dueAt: number): void {
    const { clock, onCountdown } = this.options;
    const checkMs = this.failures > 0 ? secondMs : clockCheckMs;
    this.dueAt = dueAt;
    this.stopTimer = clock.after(Math.min(this.nextReadInMs, checkMs), () => {
      if (this.failures > 0) onCountdown?.();
      if (clock.steadyNow() < dueAt) this.waitUntil(dueAt);
      else this.refresh().catch(() => undefined);
    });
  }
}
