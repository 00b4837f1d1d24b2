import type { AlertMemory } from '../../src/account/alerts/alertWatch.ts';
import type { Missed } from '../../src/account/alerts/explainVanished.ts';
import type { HeldPositions } from '../../src/account/alerts/heldPositions.ts';
import type { FirstEquity } from '../../src/account/alerts/equityFall.ts';
import type { Told } from '../../src/account/alerts/watch.ts';

/** What windows know together of an account's alerts, in memory. */
export class RememberedAlerts implements AlertMemory {
  private readonly times = new Map<string, number>();
  firstEquities: readonly FirstEquity[] = [];
  held: HeldPositions | undefined;
  missed: readonly Missed[] = [];

  told(now: number): Told {
    return new Map([...this.times].filter(([, at]) => at <= now));
  }

  tell(subjects: readonly string[], now: number, of = now): void {
    for (const subject of subjects) this.times.set(subject, of);
  }

  keepFirstEquity(first: FirstEquity): void {
    this.firstEquities = [first];
  }

  keepHeld(held: HeldPositions): void {
    if (!this.held || this.held.asOf <= held.asOf) this.held = held;
  }

  keepMissed(missed: readonly Missed[]): void {
    this.missed = [...this.missed, ...missed];
  }
}
