import type { AgreedPeriod, ComparedInterval, Contradiction } from '../ledger.ts';
import { fractionDigits, plainText, scaledInteger } from '../../base/decimal.ts';
import { minuteMs } from '../../base/time.ts';
import {
  balanceOf,
  chooseFigures,
  openingsOf,
  type Opening,
  type Point,
  type Row,
  type Run,
  type ScaledPoint,
  type ScaledRow,
} from './openings.ts';
import type { SubjectJudgement } from './verdicts.ts';

/** Where the opening balance changes: from the first of these points to the last. */
type Break = { readonly openings: readonly Opening[]; readonly remainder: bigint };

/** How long before or after a change of a figure its record may be booked. */
const apartMs = minuteMs;

/** How many intervals are listed, and how many of them because they are contradicted. */
const mostIntervals = 30;
const mostContradicted = 10;

/**
 * Compares points with the rows between them, both oldest first. If all rows are right, every point gives
 * the same opening balance; where it changes, the rows before that point are wrong. At an unclear time, it
 * may change without a row.
 */
export function compareFigures(
  points: readonly Point[],
  rows: readonly Row[],
  unclearTimes: readonly number[] = [],
): SubjectJudgement {
  const numbers = [
    ...points.flatMap(({ figures }) => figures),
    ...rows.map(({ amount }) => amount),
  ];
  const fraction = numbers.reduce((most, text) => Math.max(most, fractionDigits(text)), 0);
  const scaledPoints = points.map(({ bracket, figures }): ScaledPoint => {
    return { bracket, figures: figures.map((figure) => scaledInteger(figure, fraction)) };
  });
  const scaledRows = rows.map(({ time, amount }): ScaledRow => {
    return { time, amount: scaledInteger(amount, fraction) };
  });
  const runs: Run[] = [];
  let [held, judged] = [0, 0];
  for (const opening of openingsOf(scaledPoints, scaledRows)) {
    judged += 1;
    const run = runs.at(-1);
    const common = run && inBoth(run.balances, opening.balances);
    if (run && common && common.size > 0) {
      run.openings.push(opening);
      run.balances = common;
      if (opening.rowCount > 0) held += 1;
    } else runs.push({ openings: [opening], balances: opening.balances });
  }
  runs.forEach(chooseFigures);
  const breaks = runs.slice(1).map((run, index) => breakBetween(runs[index] ?? run, run));
  const unclear = new Set(breaks.filter((each) => isNear(each, unclearTimes)));
  const intervals = changesOf(
    runs.flatMap(({ openings }) => openings),
    breaks,
  ).filter((each) => !unclear.has(each));
  return {
    periods: runs.map((run) => periodOf(run, fraction)),
    contradictions: breaks
      .filter((each) => !unclear.has(each))
      .map((each) => contradictionOf(each, fraction)),
    intervals: listed(intervals).map((each) => intervalOf(each, fraction)),
    intervalCount: intervals.length,
    held,
    unclear: points.length - judged + unclear.size,
  };
}

function inBoth(some: ReadonlySet<bigint>, others: ReadonlySet<bigint>): ReadonlySet<bigint> {
  const common = [...some].filter((each) => others.has(each));
  return common.length === some.size ? some : new Set(common);
}

function periodOf(run: Run, fraction: number): AgreedPeriod {
  const { openings } = run;
  return {
    ...periodBetween(openings),
    intervals: openings.length - 1,
    openingBalance: plainText(balanceOf(run), fraction),
  };
}

function periodBetween(openings: readonly Opening[]) {
  return {
    from: openings[0]?.bracket.from ?? 0,
    to: openings.at(-1)?.bracket.to ?? 0,
  };
}

function contradictionOf({ openings, remainder }: Break, fraction: number): Contradiction {
  return { ...periodBetween(openings), remainder: plainText(remainder, fraction), key: null };
}

/** From the last point that excludes the later opening balance to the first that excludes the earlier one. */
function breakBetween(earlier: Run, later: Run): Break {
  const [before, after] = [balanceOf(earlier), balanceOf(later)];
  const start = earlier.openings.findLastIndex(({ balances }) => !balances.has(after));
  const suspects = [...earlier.openings.slice(start), ...later.openings.slice(0, 1)];
  const openings = punctualInterval(suspects, before, after) ?? suspects;
  return { openings, remainder: after - before };
}

/** The only interval in which the opening balance can have changed if no row was posted late. */
function punctualInterval(
  openings: readonly Opening[],
  before: bigint,
  after: bigint,
): readonly Opening[] | undefined {
  const intervals = openings
    .slice(1)
    .map((_, index) => [openings.slice(0, index + 1), openings.slice(index + 1)] as const)
    .filter(
      ([earlier, later]) =>
        earlier.every(({ punctual }) => punctual.has(before)) &&
        later.every(({ punctual }) => punctual.has(after)),
    )
    .map(([earlier, later]) => [...earlier.slice(-1), ...later.slice(0, 1)]);
  return intervals.length === 1 ? intervals[0] : undefined;
}

/** The intervals in which the figure or its rows changed, oldest first. */
function changesOf(openings: readonly Opening[], breaks: readonly Break[]): readonly Break[] {
  const breakAt = new Map(
    breaks.flatMap((each) => each.openings.slice(1).map((opening) => [opening, each] as const)),
  );
  return openings.slice(1).flatMap((opening, index): readonly Break[] => {
    const before = openings[index] ?? opening;
    const found = breakAt.get(opening);
    if (found) return found.openings.at(-1) === opening ? [found] : [];
    const isChanged = opening.rowCount > 0 || opening.figure !== before.figure;
    return isChanged ? [{ openings: [before, opening], remainder: 0n }] : [];
  });
}

function isNear({ openings }: Break, times: readonly number[]): boolean {
  const { from, to } = periodBetween(openings);
  return times.some((time) => from - apartMs <= time && time < to + apartMs);
}

/** The first contradicted intervals, and the newest of the others. */
function listed(intervals: readonly Break[]): readonly Break[] {
  const contradicted = intervals.filter(({ remainder }) => remainder !== 0n);
  const first = new Set(contradicted.slice(0, mostContradicted));
  const others = intervals.filter((each) => !first.has(each));
  const newest = new Set(others.slice(-(mostIntervals - first.size)));
  return intervals.filter((each) => first.has(each) || newest.has(each));
}

function intervalOf({ openings, remainder }: Break, fraction: number): ComparedInterval {
  const [first, last] = [openings[0], openings.at(-1)];
  const figure = last?.figure ?? 0n;
  return {
    ...periodBetween(openings),
    figure: plainText(figure, fraction),
    change: plainText(figure - (first?.figure ?? 0n), fraction),
    remainder: plainText(remainder, fraction),
  };
}
