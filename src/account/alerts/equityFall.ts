import { compare, difference, product, quotient, sign } from '../../base/decimal.ts';
import { lastDays } from '../../base/lastDays.ts';
import type { TimeZone } from '../../base/timeZone.ts';
import type { NumberText } from '../../exchange/records.ts';
import type { Snapshot } from '../accountStore.ts';
import { leavingPoints, looked, type Watch } from './watch.ts';

/** The equity that a day is measured by: the first that any window saw on it. */
export type FirstEquity = { readonly seenAt: number; readonly equity: NumberText };

/** How far equity is below the day's first figure, in percent of that; below 0 where it is above. */
export type EquityWatch = {
  readonly watch: Watch;
  readonly first: FirstEquity;
  readonly equity: NumberText;
  readonly asOf: number;
  readonly fallPercent: NumberText;
};

/** The earliest of the known figures that are of the snapshot's day, as the zone's clocks have it; else the snapshot's own. */
export function firstOfDay(
  known: readonly FirstEquity[],
  { asOf, account }: Snapshot,
  zone: TimeZone,
): FirstEquity {
  const own = { seenAt: asOf, equity: account.equity };
  const until = known.filter(({ seenAt }) => seenAt <= asOf);
  return firstOfNewestDay([...until, own], zone) ?? own;
}

/** The earliest of those that are of the newest one's day; undefined where there is none. */
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

/** Looks at another snapshot; undefined where the day's first figure is not above 0, as no fall can be told from that. */
export function watchEquity(
  before: EquityWatch | undefined,
  { asOf, account: { equity } }: Snapshot,
  first: FirstEquity,
  limitPercent: number,
): EquityWatch | undefined {
  if (sign(first.equity) < 1) return undefined;
  const fallPercent = quotient(product(difference(first.equity, equity), '100'), first.equity);
  const known = before?.watch;
  const limit = String(limitPercent);
  const edge = known?.holds === true ? difference(limit, leavingPoints) : limit;
  const holds = sign(fallPercent) > 0 && compare(fallPercent, edge) >= 0;
  const watch = looked(known, holds, { now: asOf, firstSince: first.seenAt });
  return { watch, first, equity, asOf, fallPercent };
}
