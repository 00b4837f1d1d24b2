import { compare, difference, type NumberText } from '../../base/decimal.ts';
import { hourMs, minuteMs } from '../../base/time.ts';

/** The shortest time between two alerts about the same subject. */
export const coolDownMs = 10 * minuteMs;

/** A window that opens does not repeat an alert that was shown within this time. */
export const recentMs = hourMs;

/** A condition ends only this far beyond its limit, so that a value at the limit causes one alert. */
const rearmPoints = '1';

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

/** Whether a condition that was met is still met: its value has left the limit, but not far enough. */
export function isStillMet(
  before: AlertCondition | undefined,
  [higher, lower]: readonly [NumberText, NumberText],
): boolean {
  return before?.isMet === true && compare(difference(higher, lower), rearmPoints) <= 0;
}

/**
 * The condition after another read. If the first read already meets the condition, nobody knows since when:
 * `unmetBeforeFirstRead` then counts as the last time it was not met. After the clock was set back,
 * `lastUnmetAt` is never later than `now`.
 */
export function updateCondition(
  before: AlertCondition | undefined,
  isMet: boolean,
  { now, unmetBeforeFirstRead }: { readonly now: number; readonly unmetBeforeFirstRead: number },
): AlertCondition {
  return {
    isMet,
    lastUnmetAt: isMet ? Math.min(before?.lastUnmetAt ?? unmetBeforeFirstRead, now) : now,
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
