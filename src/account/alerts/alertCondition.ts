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
 * The condition after another read. `firstUnmetAt` is its `lastUnmetAt` if the first read already
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

/** Whether the condition is met, and no alert was shown since it began. */
export function isNew(
  { isMet, lastUnmetAt }: AlertCondition,
  notifiedAt: number | undefined,
): boolean {
  return isMet && (notifiedAt === undefined || notifiedAt < lastUnmetAt);
}

/**
 * Whether it is also not too soon: an alert that the cool-down after the last one delays is due after it
 * if its condition is still met.
 */
export function isDue(
  condition: AlertCondition,
  notifiedAt: number | undefined,
  now: number,
): boolean {
  const isCool = notifiedAt === undefined || now - notifiedAt >= coolDownMs;
  return isNew(condition, notifiedAt) && isCool;
}
