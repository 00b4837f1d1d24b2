import type { AgreedPeriod, Contradiction } from '../ledger.ts';
import { difference, sum, type NumberText } from '../../base/decimal.ts';
import { withoutBracketRows, type Bracket } from './bracket.ts';
import type { SubjectJudgement } from './verdicts.ts';

/** A figure of the account at one checkpoint. */
export type Point = { readonly bracket: Bracket; readonly figure: NumberText };

/** A row that changes the figure. */
export type Row = { readonly time: number; readonly amount: NumberText };

/** The opening balances that a point allows: its figure without the rows up to it, for every split of its bracket. */
type Opening = {
  readonly point: Point;
  /** How many rows lie between the point before and this one. */
  readonly rowCount: number;
  readonly balances: ReadonlySet<NumberText>;
  /** Those that it allows if no row was posted late. */
  readonly punctual: ReadonlySet<NumberText>;
};

/** Neighbouring points that agree on the opening balance: all rows between them are right. */
type Run = { readonly openings: Opening[]; balances: ReadonlySet<NumberText> };

/**
 * Compares points with the rows between them, both oldest first. If all rows are right, every point gives
 * the same opening balance; where it changes, the rows before that point are wrong.
 */
export function compareFigures(points: readonly Point[], rows: readonly Row[]): SubjectJudgement {
  const runs: Run[] = [];
  let [held, judged] = [0, 0];
  for (const opening of openingsOf(points, rows)) {
    judged += 1;
    const run = runs.at(-1);
    const common = run && inBoth(run.balances, opening.balances);
    if (run && common && common.size > 0) {
      run.openings.push(opening);
      run.balances = common;
      if (opening.rowCount > 0) held += 1;
    } else runs.push({ openings: [opening], balances: opening.balances });
  }
  return {
    periods: runs.map(periodOf),
    contradictions: runs.slice(1).map((run, index) => contradictionOf(runs[index] ?? run, run)),
    held,
    unclear: points.length - judged,
  };
}

function* openingsOf(points: readonly Point[], rows: readonly Row[]): Generator<Opening> {
  let [next, rowCount, balance, figure, opening] = [0, 0, '0', '0', '0'];
  for (const { bracket, ...point } of points) {
    const before = amountsUntil(rows, next, bracket.from);
    next += before.length;
    rowCount += before.length;
    if (before.length > 0) balance = sum([balance, ...before]);
    // Most points repeat the figure before them.
    if (before.length > 0 || point.figure !== figure) opening = difference(point.figure, balance);
    figure = point.figure;
    const inside = amountsUntil(rows, next, bracket.to);
    const onTime = amountsUntil(rows, next, bracket.answeredBy);
    const balances = withoutBracketRows(opening, inside);
    const punctual =
      onTime.length === inside.length ? balances : withoutBracketRows(opening, onTime);
    if (!balances || !punctual) continue;
    yield { point: { bracket, ...point }, rowCount, balances, punctual };
    rowCount = 0;
  }
}

/** The amounts of the rows from index `start` on that are earlier than `end`. */
function amountsUntil(rows: readonly Row[], start: number, end: number): readonly NumberText[] {
  const amounts: NumberText[] = [];
  for (let index = start; index < rows.length; index++) {
    const row = rows[index];
    if (!row || row.time >= end) break;
    amounts.push(row.amount);
  }
  return amounts;
}

function inBoth(
  some: ReadonlySet<NumberText>,
  others: ReadonlySet<NumberText>,
): ReadonlySet<NumberText> {
  const common = [...some].filter((each) => others.has(each));
  return common.length === some.size ? some : new Set(common);
}

function periodOf(run: Run): AgreedPeriod {
  const { openings } = run;
  return {
    from: openings[0]?.point.bracket.from ?? 0,
    to: openings.at(-1)?.point.bracket.to ?? 0,
    intervals: openings.length - 1,
    openingBalance: balanceOf(run),
  };
}

/** From the last point that excludes the later opening balance to the first that excludes the earlier one. */
function contradictionOf(earlier: Run, later: Run): Contradiction {
  const [before, after] = [balanceOf(earlier), balanceOf(later)];
  const start = earlier.openings.findLastIndex(({ balances }) => !balances.has(after));
  const suspects = [...earlier.openings.slice(start), ...later.openings.slice(0, 1)];
  const openings = punctualInterval(suspects, before, after) ?? suspects;
  return {
    from: openings[0]?.point.bracket.from ?? 0,
    to: openings.at(-1)?.point.bracket.to ?? 0,
    remainder: difference(after, before),
    key: null,
  };
}

/** The only interval in which the opening balance can have changed if no row was posted late. */
function punctualInterval(
  openings: readonly Opening[],
  before: NumberText,
  after: NumberText,
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

/** Of several possible balances, best one for which no row had to be posted late. */
function balanceOf({ openings, balances }: Run): NumberText {
  const [any = '0', ...others] = balances;
  return (
    [any, ...others].find((balance) => openings.every(({ punctual }) => punctual.has(balance))) ??
    any
  );
}
