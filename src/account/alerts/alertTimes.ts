import { steadyTimeOf, type Clock } from '../../base/time.ts';
import type { NotificationRecord, NotifiedTimes } from './alertCondition.ts';
import type { Alert } from './alerts.ts';

/**
 * The times of one window's alerts, which go on steadily: whoever sets the wall clock delays, hurries or
 * repeats no alert. Only what is shown, and what windows share, has the wall's time.
 */
export class AlertTimes implements NotificationRecord {
  readonly now: () => number;
  private readonly clock: Clock;
  private readonly memory: NotificationRecord;
  /** When each subject was shown last: as windows share it, and by this window's time. */
  private readonly notified = new Map<string, { readonly storedAt: number; readonly at: number }>();

  constructor(clock: Clock, memory: NotificationRecord) {
    this.now = steadyTimeOf(clock);
    this.clock = clock;
    this.memory = memory;
  }

  /** How far somebody has set the wall clock ahead since this window watches the account. */
  get wallAheadMs(): number {
    return this.clock.now() - this.now();
  }

  notifiedTimes(): NotifiedTimes {
    const { notified, wallAheadMs } = this;
    for (const [subject, storedAt] of this.memory.notifiedTimes(this.clock.now())) {
      const known = notified.get(subject);
      const at = Math.max(storedAt - wallAheadMs, known?.at ?? 0);
      if (known?.storedAt !== storedAt) notified.set(subject, { storedAt, at });
    }
    return new Map([...notified].map(([subject, { at }]) => [subject, at]));
  }

  recordNotified(subjects: readonly string[], at: number): void {
    const storedAt = this.clock.now();
    for (const subject of subjects) this.notified.set(subject, { storedAt, at });
    this.memory.recordNotified(subjects, storedAt);
  }
}

export function movedBy<Timed extends { readonly asOf: number }>(timed: Timed, ms: number): Timed {
  return { ...timed, asOf: timed.asOf + ms };
}

export function alertMovedBy(alert: Alert, ms: number): Alert {
  if (alert.kind === 'connection') return { ...alert, since: alert.since + ms };
  if (alert.kind === 'equity') return movedBy(alert, ms);
  if (alert.kind === 'liquidations') return alert;
  return { ...alert, positions: alert.positions.map((one) => movedBy(one, ms)) };
}
