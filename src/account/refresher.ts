import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { ExchangeError } from '../exchange/errors.ts';
import type { Priority } from '../exchange/ledger/priority.ts';
import type { Account, Decoded } from '../exchange/records.ts';
import type { AccountStore, Snapshot } from './accountStore.ts';

export type RefresherOptions = {
  readonly store: AccountStore;
  readonly clock: Clock;
  readonly read: (signal: AbortSignal, priority: Priority) => Promise<Decoded<Account>>;
};

type Run = { readonly controller: AbortController; readonly result: Promise<Snapshot> };

export const defaultIntervalMs = 15_000;
const maxBackOff = 8;
const clockCheckMs = 5000;

/**
 * Decides when the account is read again, and is the only writer of the store. Reads on a timer
 * that it sets anew after each read, and that goes by the clock, so that a machine that slept reads
 * soon after it wakes; failures make it wait longer, and never less than the exchange asked for.
 */
export class Refresher implements Disposable {
  private readonly options: RefresherOptions;
  private readonly disposal = new AbortController();
  private run: Run | undefined;
  private stopTimer: () => void = () => undefined;
  private isPolling = true;
  private currentIntervalMs = defaultIntervalMs;
  private failures = 0;
  /** After a failure: no timer reads before so long after this moment. */
  private pause = { from: 0, ms: 0 };

  constructor(options: RefresherOptions) {
    this.options = options;
  }

  /** How far apart reads are while they succeed; were, when nothing is read by itself any more. */
  get intervalMs(): number {
    return this.currentIntervalMs;
  }

  /** Reads now, or joins the read that runs. Rejects with ExchangeError; the store knows as well. */
  refresh(): Promise<Snapshot> {
    return this.run?.result ?? this.start('refresh');
  }

  /** Reads now from the beginning: what was under way is dropped, because it may tell of a time before this call. */
  readAnew(priority: Priority): Promise<Snapshot> {
    this.run?.controller.abort();
    return this.start(priority);
  }

  /**
   * Reads this far apart from now on, at once where the figures are older than that unless a failure
   * makes it wait; undefined: only when it is told to.
   */
  setIntervalMs(intervalMs: number | undefined): void {
    this.isPolling = intervalMs !== undefined;
    this.currentIntervalMs = intervalMs ?? this.currentIntervalMs;
    if (this.run) return;
    const ageMs = this.options.clock.now() - (this.options.store.state.snapshot?.asOf ?? 0);
    this.schedule(Math.min(Math.max(0, this.intervalMs - ageMs), this.intervalMs));
  }

  dispose(): void {
    this.disposal.abort();
    this.run?.controller.abort();
    this.stopTimer();
  }

  private start(priority: Priority): Promise<Snapshot> {
    if (this.disposal.signal.aborted) return Promise.reject(this.disposal.signal.reason as Error);
    this.stopTimer();
    const controller = new AbortController();
    const run: Run = { controller, result: this.read(controller.signal, priority) };
    this.run = run;
    return run.result;
  }

  private async read(signal: AbortSignal, priority: Priority): Promise<Snapshot> {
    try {
      const { value, badRecords } = await this.options.read(signal, priority);
      signal.throwIfAborted();
      const snapshot = { account: value, badRecords, asOf: this.options.clock.now() };
      this.finish(0, 0);
      return this.options.store.replace(snapshot);
    } catch (error) {
      if (signal.aborted) return await this.newerRun(signal);
      const retryAfterMs = error instanceof ExchangeError ? error.failure.retryAfterMs : undefined;
      this.finish(this.failures + 1, retryAfterMs ?? 0);
      this.options.store.fail(error);
      throw error;
    }
  }

  /** Whoever waited for a dropped read gets the one that replaced it. */
  private newerRun(dropped: AbortSignal): Promise<Snapshot> {
    if (!this.run || this.run.controller.signal === dropped) dropped.throwIfAborted();
    return this.run?.result ?? this.start('refresh');
  }

  private finish(failures: number, retryAfterMs: number): void {
    this.run = undefined;
    this.failures = failures;
    const backOffMs = this.intervalMs * Math.min(2 ** failures, maxBackOff);
    const ms = failures === 0 ? 0 : Math.max(backOffMs, retryAfterMs);
    this.pause = { from: this.options.clock.now(), ms };
    this.schedule(this.intervalMs);
  }

  private schedule(delayMs: number): void {
    this.stopTimer();
    if (!this.isPolling || this.disposal.signal.aborted) return;
    const now = this.options.clock.now();
    const pausedMs = Math.min(this.pause.from + this.pause.ms - now, this.pause.ms);
    this.waitUntil(now + Math.max(delayMs, pausedMs), now);
  }

  /** Timers stand still while a machine sleeps, and clocks are set back: neither may keep figures old. */
  private waitUntil(dueAt: number, setAt: number): void {
    const { clock } = this.options;
    this.stopTimer = clock.after(Math.min(dueAt - clock.now(), clockCheckMs), () => {
      const now = clock.now();
      if (now < dueAt && now >= setAt) this.waitUntil(dueAt, setAt);
      else this.refresh().catch(() => undefined);
    });
  }
}
