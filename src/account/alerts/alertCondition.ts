import {
  compare,
  difference,
  type NumberText,
  product,
  quotient,
  sign,
} from '../../base/decimal.ts';
import { hourMs, minuteMs } from '../../base/time.ts';
import { lastDays, type TimeZone } from '../../base/timeZone.ts';
import type { Snapshot } from '../session/accountStore.ts';

/** The shortest time between two alerts about the same subject. */
export const coolDownMs = 10 * minuteMs;

/** A window that opens does not repeat an alert that was shown within this time. */
export const recentMs = hourMs;

/** A condition on a percentage ends only this far beyond its limit, so that a value at the limit causes one alert. */
const rearmPercentagePoints = '1';

/** When each subject was shown last, in any window: epoch milliseconds. */
export type NotifiedTimes = ReadonlyMap<string, number>;

/** Which alerts were shown in the last week. All windows of an account share it. */
export type NotificationRecord = {
  /** When each subject was shown last. Times of the future are left out: the clock was set back since. */
  notifiedTimes(): NotifiedTimes;
  recordNotified(subjects: readonly string[], now: number): void;
};

/** Something that causes an alert when it begins, as one window has seen it. */
export type AlertCondition = {
  readonly isMet: boolean;
  /** When it was last seen not to be met. An alert before that was about an earlier time. */
  readonly lastUnmetAt: number;
};

/** Whether a condition on a percentage that was met is still met: it has left the limit, but not far enough. */
export function isPercentageStillMet(
  before: AlertCondition | undefined,
  [higher, lower]: readonly [NumberText, NumberText],
): boolean {
  return before?.isMet === true && compare(difference(higher, lower), rearmPercentagePoints) <= 0;
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

/** The equity that a day's fall is measured from: the first that any window saw on that day. */
export type FirstEquity = { readonly seenAt: number; readonly equity: NumberText };

/** How far equity is below the first figure of the day, in percent of it; negative if it is above. */
export type EquityCondition = {
  readonly condition: AlertCondition;
  readonly first: FirstEquity;
  readonly equity: NumberText;
  readonly asOf: number;
  readonly fallPercent: NumberText;
};

/** The earliest known figure of the snapshot's day in the zone, otherwise the snapshot's own, if it has one. */
export function firstOfDay(
  known: readonly FirstEquity[],
  { asOf, account: { equity } }: Snapshot,
  zone: TimeZone,
): FirstEquity | undefined {
  if (equity === null) return undefined;
  const { from } = lastDays(1, asOf, zone);
  const ofDay = known.filter(({ seenAt }) => seenAt >= from && seenAt <= asOf);
  const [first] = ofDay.toSorted((a, b) => a.seenAt - b.seenAt);
  return first ?? { seenAt: asOf, equity };
}

/**
 * The condition after another snapshot; undefined if the first figure is not above 0, as it has no
 * percentage. If equity is unknown, the last condition stays.
 */
export function updateEquityCondition(
  before: EquityCondition | undefined,
  { asOf, account: { equity } }: Snapshot,
  first: FirstEquity | undefined,
  limitPercent: number,
): EquityCondition | undefined {
  if (equity === null || !first) return before;
  if (sign(first.equity) < 1) return undefined;
  const fallPercent = quotient(product(difference(first.equity, equity), '100'), first.equity);
  const known = before?.condition;
  const limit = String(limitPercent);
  const isBeyond =
    compare(fallPercent, limit) >= 0 || isPercentageStillMet(known, [limit, fallPercent]);
  const isMet = sign(fallPercent) > 0 && isBeyond;
  const condition = updateCondition(known, isMet, {
    now: asOf,
    unmetBeforeFirstRead: first.seenAt,
  });
  return { condition, first, equity, asOf, fallPercent };
}
