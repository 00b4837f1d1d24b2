import { hourMs, minuteMs } from '../../base/time.ts';

/** The shortest time between two alerts about the same subject. */
export const coolDownMs = 10 * minuteMs;

/** A window that opens does not repeat an alert that was shown within this time. */
export const recentMs = hourMs;

/** A condition ends only this far beyond its limit, so that a value at the limit causes one alert. */
export const rearmPoints = '1';

/** When each subject was shown last, in any window: epoch milliseconds. */
export type NotifiedTimes = ReadonlyMap<string, number>;

/** Which alerts were shown. All windows of an account share it. */
export type NotificationRecord = {
  /** When each subject was shown last. Times after `now` are left out: the clock was set back since. */
  notifiedTimes(now: number): NotifiedTimes;
  recordNotified(subjects: readonly string[], now: number): void;
};

/** Something that causes an alert when it begins, as one window has seen it. */
export type AlertCondition = {
  readonly isMet: boolean;
  /** When it was last seen not to be met. An alert before that was about an earlier time. */
  readonly lastUnmetAt: number;
};

/**
 * The condition after another read. `firstUnmetAt` is its `lastUnmetAt` where the first read already
 * meets it. After the clock was set back, `lastUnmetAt` is never later than `now`.
 */
export function updateCondition(
  before: AlertCondition | undefined,
  isMet: boolean,
  { now, firstUnmetAt }: { readonly now: number; readonly firstUnmetAt: number },
): AlertCondition {
  return {
    isMet,
    lastUnmetAt: isMet ? Math.min(before?.lastUnmetAt ?? firstUnmetAt, now) : now,
  };
}

/**
 * Whether to show an alert: the condition is met, no alert was shown since it began, and the cool-down
 * after the last one is over. An alert that the cool-down delays is due after it if still met.
 */
export function isDue(
  { isMet, lastUnmetAt }: AlertCondition,
  notifiedAt: number | undefined,
  now: number,
): boolean {
  if (!isMet) return false;
  if (notifiedAt === undefined) return true;
  return notifiedAt < lastUnmetAt && now - notifiedAt >= coolDownMs;
}
