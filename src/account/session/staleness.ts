import type { Disposable } from '../../base/disposable.ts';
import type { Emitter } from '../../base/emitter.ts';
import { hourMs, minuteMs, secondMs, type Clock } from '../../base/time.ts';
import type { AccountStore, Snapshot } from './accountStore.ts';

type StalenessOptions = {
  readonly store: AccountStore;
  readonly clock: Clock;
  /** How far apart the reads of the account are now. */
  readonly intervalMs: () => number;
  /** Fired when the figures have become stale, and when their rounded age has changed. */
  readonly didChange: Emitter<void>;
};

const staleAfterIntervals = 2;
const checkEveryMs = 5000;

/**
 * The age of figures that missed two refreshes; undefined while they missed fewer. If the clock was set
 * back since, the age is unknown and counts as Infinity.
 */
export function staleAgeMs(asOf: number, now: number, intervalMs: number): number | undefined {
  const ageMs = now - asOf;
  if (ageMs < 0) return Infinity;
  return ageMs >= staleAfterIntervals * intervalMs ? ageMs : undefined;
}

/** An age in whole tens of seconds, minutes or hours: what is shown of it, and when it is shown again. */
export function roundedAge(ageMs: number): { count: number; unit: 's' | 'min' | 'h' } {
  if (ageMs < 2 * minuteMs) return { count: 10 * Math.floor(ageMs / (10 * secondMs)), unit: 's' };
  if (ageMs < 2 * hourMs) return { count: Math.floor(ageMs / minuteMs), unit: 'min' };
  return { count: Math.floor(ageMs / hourMs), unit: 'h' };
}

/**
 * Watches the age of the account's figures. It checks the clock every few seconds, so that a machine
 * that slept shows stale figures soon after it wakes.
 */
export class StalenessMonitor implements Disposable {
  private readonly options: StalenessOptions;
  private readonly listening: Disposable;
  private stopTimer: () => void = () => undefined;
  /** The longest interval since the newest snapshot: a window that gets the focus back missed nothing yet. */
  private longestIntervalMs = 0;
  private lastReportedAge: string | undefined;
  private lastSnapshot: Snapshot | undefined;

  constructor(options: StalenessOptions) {
    this.options = options;
    this.listening = options.store.onDidChange(() => {
      if (options.store.state.snapshot !== this.lastSnapshot) this.restart();
    });
  }

  /** How old figures are that missed two refreshes; undefined while they are fresh, or there are none. */
  get staleAgeMs(): number | undefined {
    const { store, clock, intervalMs } = this.options;
    const { snapshot } = store.state;
    if (!snapshot) return undefined;
    const longestMs = Math.max(this.longestIntervalMs, intervalMs());
    return staleAgeMs(snapshot.asOf, clock.now(), longestMs);
  }

  dispose(): void {
    this.stopTimer();
    this.listening.dispose();
  }

  private restart(): void {
    this.lastSnapshot = this.options.store.state.snapshot;
    this.longestIntervalMs = this.options.intervalMs();
    this.lastReportedAge = undefined;
    this.scheduleCheck();
  }

  private scheduleCheck(): void {
    this.stopTimer();
    this.stopTimer = this.options.clock.after(checkEveryMs, () => {
      this.longestIntervalMs = Math.max(this.longestIntervalMs, this.options.intervalMs());
      this.reportChange();
      this.scheduleCheck();
    });
  }

  private reportChange(): void {
    const { staleAgeMs } = this;
    const age = staleAgeMs === undefined ? undefined : JSON.stringify(roundedAge(staleAgeMs));
    if (age === this.lastReportedAge) return;
    this.lastReportedAge = age;
    this.options.didChange.fire();
  }
}
