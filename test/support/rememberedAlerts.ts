import type { AlertMemory } from '../../src/account/alerts/alertWatch.ts';
import type { FirstEquity } from '../../src/account/alerts/equityFall.ts';

/** What windows know together of an account's alerts, in memory. */
export class RememberedAlerts implements AlertMemory {
  readonly told = new Map<string, number>();
  firstEquities: readonly FirstEquity[] = [];

  tell(subjects: readonly string[], now: number): void {
    for (const subject of subjects) this.told.set(subject, now);
  }

  keepFirstEquity(first: FirstEquity): void {
    this.firstEquities = [first];
  }
}
