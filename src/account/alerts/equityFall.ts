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
  readonly fallPercent: NumberText;
};

/** The earliest of the known figures that are of the snapshot's day, as the zone's clocks have it; else the snapshot's own. */
export function firstOfDay(
  known: readonly FirstEquity[],
  { asOf, account }: Snapshot,
  zone: TimeZone,
): FirstEquity {
  const { from } = lastDays(1, asOf, zone);
  const ofDay = known.filter(({ seenAt }) => seenAt >= from && seenAt <= asOf);
  const [first] = ofDay.sort((a, b) => a.seenAt - b.seenAt);
  return first ?? { seenAt: asOf, equity: account.equity };
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
  return { watch, first, equity, fallPercent };
}
