import { steadyTimeOf, type Clock } from '../../base/time.ts';
import type { NotificationRecord, NotifiedTimes } from './alertCondition.ts';
import type { Alert } from './alerts.ts';

/** When a subject was shown last: as windows share it, and by this window's steady time. */
type Notified = { readonly storedAt: number; readonly at: number };

/**
 * The times of one window's alerts, which go on steadily: whoever sets the wall clock delays, hurries or
 * repeats no alert. Only what is shown, and what windows share, has the wall's time.
 */
export class AlertTimes implements NotificationRecord {
  readonly now: () => number;
  private readonly clock: Clock;
  private readonly memory: NotificationRecord;
  private readonly notified = new Map<string, Notified>();

  constructor(clock: Clock, memory: NotificationRecord) {
    this.now = steadyTimeOf(clock);
    this.clock = clock;
    this.memory = memory;
  }

  /** How far somebody has set the wall clock ahead since this window watches the account. */
  get wallAheadMs(): number {
    return this.clock.now() - this.now();
  }

  /** A time that was taken by the wall clock just now, or before it was set. */
  fromWall<Timed extends { readonly asOf: number }>(timed: Timed): Timed {
    return { ...timed, asOf: timed.asOf - this.wallAheadMs };
  }

  toWall<Timed extends { readonly asOf: number }>(timed: Timed): Timed {
    return { ...timed, asOf: timed.asOf + this.wallAheadMs };
  }

  notifiedTimes(): NotifiedTimes {
    const { notified, wallAheadMs } = this;
    for (const [subject, storedAt] of this.memory.notifiedTimes(this.clock.now())) {
      const known = notified.get(subject);
      if (known?.storedAt === storedAt) continue;
      const at = Math.max(storedAt - wallAheadMs, known?.at ?? 0);
      notified.set(subject, { storedAt, at });
    }
    return new Map([...notified].map(([subject, { at }]) => [subject, at]));
  }

  recordNotified(subjects: readonly string[], at: number): void {
    const storedAt = this.clock.now();
    for (const subject of subjects) this.notified.set(subject, { storedAt, at });
    this.memory.recordNotified(subjects, storedAt);
  }

  /** An alert with the times that a person would have read on the wall. */
  asShown(alert: Alert): Alert {
    switch (alert.kind) {
      case 'positions':
        return { ...alert, positions: alert.positions.map((one) => this.toWall(one)) };
      case 'equity':
        return this.toWall(alert);
      case 'connection':
        return { ...alert, since: alert.since + this.wallAheadMs };
      case 'liquidations':
        return alert;
    }
  }
}
