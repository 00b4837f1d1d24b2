import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { AccountStore } from './accountStore.ts';

export type FreshnessOptions = {
  readonly store: AccountStore;
  readonly clock: Clock;
  /** How far apart the reads of the account are now. */
  readonly intervalMs: () => number;
};

const missedRefreshes = 2;
const checkEveryMs = 5000;
const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/**
 * The age of figures that missed two refreshes, and Infinity where the clock was set back since, as
 * nobody knows it then; undefined while they missed fewer.
 */
export function staleAgeMs(asOf: number, now: number, intervalMs: number): number | undefined {
  const ageMs = now - asOf;
  if (ageMs < 0) return Infinity;
  return ageMs >= missedRefreshes * intervalMs ? ageMs : undefined;
}

/** An age in whole tens of seconds, minutes or hours: what is shown of it, and when it is shown anew. */
export function roundedAge(ageMs: number): { count: number; unit: 's' | 'min' | 'h' } {
  if (ageMs < 2 * minuteMs) return { count: 10 * Math.floor(ageMs / (10 * secondMs)), unit: 's' };
  if (ageMs < 2 * hourMs) return { count: Math.floor(ageMs / minuteMs), unit: 'min' };
  return { count: Math.floor(ageMs / hourMs), unit: 'h' };
}

/**
 * Tells when the account's figures have become stale, and each time their rounded age has changed.
 * It looks at the clock every few seconds, so that a machine that slept tells soon after it wakes.
 */
export class Freshness implements Disposable {
  private readonly options: FreshnessOptions;
  private readonly didChange = new Emitter<void>();
  private readonly listening: Disposable;
  private stopTimer: () => void = () => undefined;
  /** The longest interval since the newest snapshot: a window that gets the focus back missed nothing yet. */
  private longestIntervalMs = 0;
  private told: string | undefined;

  readonly onDidChange: Event<void> = this.didChange.event;

  constructor(options: FreshnessOptions) {
    this.options = options;
    this.listening = options.store.onDidChange(({ failure }) => {
      if (failure === undefined) this.restart();
    });
  }

  /** How old figures are that missed two refreshes; undefined while they are fresh, or there are none. */
  get staleMs(): number | undefined {
    const { store, clock, intervalMs } = this.options;
    const { snapshot } = store.state;
    if (!snapshot) return undefined;
    const longestMs = Math.max(this.longestIntervalMs, intervalMs());
    return staleAgeMs(snapshot.asOf, clock.now(), longestMs);
  }

  dispose(): void {
    this.stopTimer();
    this.listening.dispose();
    this.didChange.dispose();
  }

  private restart(): void {
    this.longestIntervalMs = this.options.intervalMs();
    this.told = undefined;
    this.wait();
  }

  private wait(): void {
    this.stopTimer();
    this.stopTimer = this.options.clock.after(checkEveryMs, () => {
      this.longestIntervalMs = Math.max(this.longestIntervalMs, this.options.intervalMs());
      this.tell();
      this.wait();
    });
  }

  private tell(): void {
    const { staleMs } = this;
    const age = staleMs === undefined ? undefined : JSON.stringify(roundedAge(staleMs));
    if (age === this.told) return;
    this.told = age;
    this.didChange.fire();
  }
}
