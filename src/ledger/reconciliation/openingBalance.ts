import type { AgreedPeriod, ComparedInterval, Contradiction } from '../ledger.ts';
import { isZero, mostDecimals, scaleOf, type Scale } from '../../base/decimal.ts';
import { minuteMs } from '../../base/time.ts';
import {
  balanceOf,
  chooseFigures,
  openingsOf,
  type Opening,
  type Point,
  type Row,
  type Run,
} from './openings.ts';
import { areDoubles, floatTolerance, magnitude } from './rounding.ts';
import type { SubjectJudgement } from './verdicts.ts';

/** Where the opening balance changes: from the first of these points to the last. */
type Break = {
  readonly openings: readonly Opening[];
  readonly remainder: bigint;
  readonly isContradicted: boolean;
};

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
  const written = points.flatMap(({ figures }) => figures);
  const amounts = rows.map(({ amount }) => amount);
  const scale = scaleOf([...written, ...amounts]);
  const { integerOf } = scale;
  const scaledPoints = points.map((point) => ({
    ...point,
    figures: point.figures.map(integerOf),
  }));
  const scaledRows = rows.map((row) => ({ ...row, amount: integerOf(row.amount) }));
  // A figure of 0 does not show how many digits others would have.
  const unit = written.every(isZero) ? 1n : integerOf(`1E-${mostDecimals(written)}`);
  const hasMore = unit > 1n && scaledRows.some(({ amount }) => amount % unit !== 0n);
  const figureUnit = hasMore ? unit : 1n;
  const isDouble = areDoubles(written) || areDoubles(amounts);
  const runs: Run[] = [];
  for (const opening of openingsOf(scaledPoints, scaledRows)) {
    const run = runs.at(-1);
    if (!run || !isJoined(run, opening, { rows: scaledRows, figureUnit, isDouble }))
      runs.push({ openings: [opening], balances: opening.balances });
  }
  runs.forEach(chooseFigures);
  const openings = runs.flatMap((run) => run.openings);
  const breaks = runs.slice(1).map((run, index) => breakBetween(runs[index] ?? run, run));
  const unclear = new Set(breaks.filter((each) => isNear(each, unclearTimes)));
  const intervals = changesOf(openings, breaks).filter((each) => !unclear.has(each));
  return {
    periods: runs.map(periodOf),
    contradictions: breaks
      .filter((each) => !unclear.has(each))
      .map((each) => contradictionOf(each, scale)),
    intervals: listed(intervals).map((each) => intervalOf(each, scale)),
    intervalCount: intervals.length,
    held: runs.flatMap((run) =>
      run.openings.filter((opening, index) =>
        isEvidence(opening, run.openings[index - 1], figureUnit),
      ),
    ).length,
    unclear: points.length - openings.length + unclear.size,
    rounded: scale.textOf(largest(openings.map(({ remainder }) => remainder))),
    withoutTrade: [],
  };
}

function smallest(remainders: readonly bigint[]): bigint {
  const [first = 0n, ...others] = remainders;
  return others.reduce((least, each) => (magnitude(each) < magnitude(least) ? each : least), first);
}

function largest(remainders: readonly bigint[]): bigint {
  return remainders.map(magnitude).reduce((most, each) => (each > most ? each : most), 0n);
}

/** Whether rows explain the figure. Those that are less than its last digit do not. */
function isEvidence(opening: Opening, before: Opening | undefined, figureUnit: bigint): boolean {
  if (!before || opening.rowCount === 0) return false;
  return opening.remainder === 0n || figureUnit === 1n || opening.figure !== before.figure;
}

type Precision = {
  readonly rows: readonly Row<bigint>[];
  /** One of the last digit that figures show, if rows have more; else 1. */
  readonly figureUnit: bigint;
  readonly isDouble: boolean;
};

/** Whether the point agrees with the run before it, which it then belongs to. */
function isJoined(run: Run, opening: Opening, precision: Precision): boolean {
  let balances = inBoth(run.balances, opening.balances);
  const { figureUnit, isDouble } = precision;
  if (figureUnit > 1n || (isDouble && balances.size === 0)) {
    const [first = opening] = run.openings;
    const tolerance = toleranceOf(run.openings.at(-1) ?? opening, opening, precision);
    const remainders = nearest(run.balances, opening.balances, tolerance);
    // Rounding never adds up over a run: what is missing in each interval does.
    const whole = toleranceOf(first, opening, precision);
    balances = new Set(nearest(first.balances, new Set(remainders.keys()), whole).keys());
    opening.remainder = smallest([...balances].map((each) => remainders.get(each) ?? 0n));
  }
  if (balances.size === 0) return false;
  run.openings.push(opening);
  run.balances = balances;
  return true;
}

/** What is cut off of figures has their sign. */
function toleranceOf(
  before: Opening,
  after: Opening,
  { rows, figureUnit, isDouble }: Precision,
): bigint {
  const figures = [...before.figures, ...after.figures];
  const isOnBothSides = figures.some((each) => each >= 0n) && figures.some((each) => each <= 0n);
  const digits = figureUnit === 1n ? 0n : isOnBothSides ? 2n * figureUnit : figureUnit;
  const amounts = rows.slice(before.firstInside, after.end).map(({ amount }) => amount);
  return digits + (isDouble ? floatTolerance(amounts, figures) : 0n);
}

/** The others that differ from a balance by at most the tolerance, and by how much. */
function nearest(
  balances: ReadonlySet<bigint>,
  others: ReadonlySet<bigint>,
  tolerance: bigint,
): ReadonlyMap<bigint, bigint> {
  const inOrder = (all: ReadonlySet<bigint>): bigint[] =>
    [...all].sort((one, other) => (one < other ? -1 : 1));
  const sorted = inOrder(balances);
  const near = new Map<bigint, bigint>();
  let index = 0;
  for (const other of inOrder(others)) {
    const remainderAt = (at: number): bigint => other - (sorted[at] ?? other);
    while (
      index + 1 < sorted.length &&
      magnitude(remainderAt(index + 1)) <= magnitude(remainderAt(index))
    )
      index += 1;
    if (magnitude(remainderAt(index)) <= tolerance) near.set(other, remainderAt(index));
  }
  return near;
}

function inBoth(some: ReadonlySet<bigint>, others: ReadonlySet<bigint>): ReadonlySet<bigint> {
  const common = [...some].filter((each) => others.has(each));
  return common.length === some.size ? some : new Set(common);
}

function periodOf({ openings }: Run): AgreedPeriod {
  return { ...periodBetween(openings), intervals: openings.length - 1 };
}

/** Rounding changes it from point to point. */
function firstBalanceOf(run: Run): bigint {
  return run.openings.reduce((balance, { remainder }) => balance - remainder, balanceOf(run));
}

function periodBetween(openings: readonly Opening[]) {
  return {
    from: openings[0]?.bracket.from ?? 0,
    to: openings.at(-1)?.bracket.to ?? 0,
  };
}

function contradictionOf({ openings, remainder }: Break, { textOf }: Scale): Contradiction {
  return {
    ...periodBetween(openings),
    remainder: textOf(remainder),
    key: null,
  };
}

/** From the last point that excludes the later opening balance to the first that excludes the earlier one. */
function breakBetween(earlier: Run, later: Run): Break {
  const [before, after] = [balanceOf(earlier), firstBalanceOf(later)];
  const start = earlier.openings.findLastIndex(({ balances }) => !balances.has(after));
  const suspects = [...earlier.openings.slice(start), ...later.openings.slice(0, 1)];
  const openings = punctualInterval(suspects, before, after) ?? suspects;
  return { openings, remainder: after - before, isContradicted: true };
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
    const { remainder } = opening;
    return isChanged ? [{ openings: [before, opening], remainder, isContradicted: false }] : [];
  });
}

function isNear({ openings }: Break, times: readonly number[]): boolean {
  const { from, to } = periodBetween(openings);
  return times.some((time) => from - apartMs <= time && time < to + apartMs);
}

/** The first contradicted intervals, and the newest of the others. */
function listed(intervals: readonly Break[]): readonly Break[] {
  const contradicted = intervals.filter(({ isContradicted }) => isContradicted);
  const first = new Set(contradicted.slice(0, mostContradicted));
  const others = intervals.filter((each) => !first.has(each));
  const newest = new Set(others.slice(-(mostIntervals - first.size)));
  return intervals.filter((each) => first.has(each) || newest.has(each));
}

function intervalOf(
  { openings, remainder, isContradicted }: Break,
  { textOf }: Scale,
): ComparedInterval {
  const [first, last] = [openings[0], openings.at(-1)];
  const figure = last?.figure ?? 0n;
  return {
    ...periodBetween(openings),
    figure: textOf(figure),
    change: textOf(figure - (first?.figure ?? 0n)),
    remainder: textOf(remainder),
    isContradicted,
  };
}
