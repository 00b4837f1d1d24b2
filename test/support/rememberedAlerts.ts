import type { NotifiedTimes, FirstEquity } from '../../src/account/alerts/alertCondition.ts';
import type { AlertMemory } from '../../src/account/alerts/alertMonitor.ts';
import type { HeldPositions } from '../../src/account/alerts/vanishedPositions.ts';

/** The alert memory that the windows of a test share. */
export class RememberedAlerts implements AlertMemory {
  private readonly times = new Map<string, number>();
  firstEquities: readonly FirstEquity[] = [];
  held: HeldPositions | undefined;

  notifiedTimes(): NotifiedTimes {
    return new Map(this.times);
  }

  recordNotified(subjects: readonly string[], now: number): void {
    for (const subject of subjects) this.times.set(subject, now);
  }

  saveFirstEquity(first: FirstEquity): void {
    this.firstEquities = [first];
  }

  saveHeld(held: HeldPositions): void {
    if (!this.held || this.held.asOf <= held.asOf) this.held = held;
  }
}
