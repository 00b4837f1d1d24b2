import { difference, isZero, sum, type NumberText } from '../../base/decimal.ts';
import type { Interval } from '../ledger.ts';
import { splitSums } from './bracket.ts';
import type { AgreedPeriod, Contradiction, SubjectJudgement } from './verdicts.ts';

/** A figure of the account at one checkpoint. */
export type Point = { readonly bracket: Interval; readonly figure: NumberText };

/** A row that changes the figure. */
export type Row = { readonly time: number; readonly amount: NumberText };

/** The opening balances that a point allows: its figure without the rows up to it, for every split of its bracket. */
type Opening = {
  readonly point: Point;
  /** How many rows lie between the point before and this one. */
  readonly rowCount: number;
  readonly balances: ReadonlySet<NumberText>;
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
  for (const point of points) {
    const before = takeWhile(rows, next, (time) => time < point.bracket.from);
    next += before.length;
    rowCount += before.length;
    if (before.length > 0) balance = sum([balance, ...before]);
    const inside = takeWhile(rows, next, (time) => time < point.bracket.to);
    const splits = splitSums(inside);
    // Most points repeat the figure before them.
    if (before.length > 0 || point.figure !== figure) opening = difference(point.figure, balance);
    figure = point.figure;
    if (!splits) continue;
    const balances = [...splits].map((split) =>
      isZero(split) ? opening : difference(opening, split),
    );
    yield { point, rowCount, balances: new Set(balances) };
    rowCount = 0;
  }
}

/** The amounts of the rows from `start` on that come first in order of time. */
function takeWhile(
  rows: readonly Row[],
  start: number,
  isTaken: (time: number) => boolean,
): readonly NumberText[] {
  const amounts: NumberText[] = [];
  for (let index = start; index < rows.length; index++) {
    const row = rows[index];
    if (!row || !isTaken(row.time)) break;
    amounts.push(row.amount);
  }
  return amounts;
}

function inBoth(some: ReadonlySet<NumberText>, others: ReadonlySet<NumberText>): Set<NumberText> {
  return new Set([...some].filter((each) => others.has(each)));
}

function periodOf({ openings, balances }: Run): AgreedPeriod {
  return {
    from: openings[0]?.point.bracket.from ?? 0,
    to: openings.at(-1)?.point.bracket.to ?? 0,
    intervals: openings.length - 1,
    openingBalance: anyOf(balances),
  };
}

/** From the last point that excludes the later opening balance to the first that excludes the earlier one. */
function contradictionOf(earlier: Run, later: Run): Contradiction {
  const balance = anyOf(later.balances);
  const from = earlier.openings.findLast(({ balances }) => !balances.has(balance));
  return {
    from: from?.point.bracket.from ?? 0,
    to: later.openings[0]?.point.bracket.to ?? 0,
    remainder: difference(balance, anyOf(earlier.balances)),
    key: null,
  };
}

function anyOf([balance = '0']: ReadonlySet<NumberText>): NumberText {
  return balance;
}
