import { compare, difference, product, quotient, sign } from '../../base/decimal.ts';
import { lastDays, type TimeZone } from '../../base/timeZone.ts';
import type { NumberText } from '../../exchange/records.ts';
import type { Snapshot } from '../session/accountStore.ts';
import { isStillMet, updateCondition, type AlertCondition } from './alertCondition.ts';

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
  const own = { seenAt: asOf, equity };
  const until = known.filter(({ seenAt }) => seenAt <= asOf);
  return firstOfNewestDay([...until, own], zone) ?? own;
}

/** The earliest figure of the newest day; undefined if none is known. */
export function firstOfNewestDay(
  known: readonly FirstEquity[],
  zone: TimeZone,
): FirstEquity | undefined {
  const sorted = known.toSorted((a, b) => a.seenAt - b.seenAt);
  const newest = sorted.at(-1);
  if (!newest) return undefined;
  const { from } = lastDays(1, newest.seenAt, zone);
  return sorted.find(({ seenAt }) => seenAt >= from);
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
  const isBeyond = compare(fallPercent, limit) >= 0 || isStillMet(known, [limit, fallPercent]);
  const isMet = sign(fallPercent) > 0 && isBeyond;
  const condition = updateCondition(known, isMet, {
    now: asOf,
    unmetBeforeFirstRead: first.seenAt,
  });
  return { condition, first, equity, asOf, fallPercent };
}
