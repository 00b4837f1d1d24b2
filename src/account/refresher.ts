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
  readonly focusedIntervalMs?: number;
  readonly unfocusedIntervalMs?: number;
};

type Run = { readonly controller: AbortController; readonly result: Promise<Snapshot> };

const maxBackOff = 8;

/**
 * Decides when the account is read again, and is the only writer of the store. Reads on a timer
 * that it sets anew after each read, so that it survives the machine's sleep; failures make it wait
 * longer, and never less than the exchange asked for.
 */
export class Refresher implements Disposable {
  private readonly options: Required<RefresherOptions>;
  private readonly disposal = new AbortController();
  private run: Run | undefined;
  private stopTimer: () => void = () => undefined;
  private focused = true;
  private failures = 0;
  /** After a failure: no timer reads before this moment. */
  private notBefore = 0;

  constructor(options: RefresherOptions) {
    this.options = { focusedIntervalMs: 15_000, unfocusedIntervalMs: 60_000, ...options };
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

  /** Follows the window: one that gets the focus is brought up to date at once, unless a failure makes it wait. */
  setFocused(focused: boolean): void {
    this.focused = focused;
    if (this.run) return;
    const ageMs = this.options.clock.now() - (this.options.store.state.snapshot?.asOf ?? 0);
    this.schedule(focused ? Math.max(0, this.intervalMs() - ageMs) : this.intervalMs());
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
      this.options.store.replace(snapshot);
      return snapshot;
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
    const backOffMs = this.intervalMs() * Math.min(2 ** failures, maxBackOff);
    const waitMs = failures === 0 ? 0 : Math.max(backOffMs, retryAfterMs);
    this.notBefore = this.options.clock.now() + waitMs;
    this.schedule(this.intervalMs());
  }

  private intervalMs(): number {
    return this.focused ? this.options.focusedIntervalMs : this.options.unfocusedIntervalMs;
  }

  private schedule(delayMs: number): void {
    this.stopTimer();
    if (this.disposal.signal.aborted) return;
    const atLeastMs = this.notBefore - this.options.clock.now();
    this.stopTimer = this.options.clock.after(Math.max(delayMs, atLeastMs), () => {
      this.refresh().catch(() => undefined);
    });
  }
}
