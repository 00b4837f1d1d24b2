import type { NumberText } from '../../base/decimal.ts';
import type { LedgerHistory } from '../ledger.ts';
import { withoutBracketRows, type Bracket } from './bracket.ts';

/** A figure of the account at one checkpoint: what it may be, at best the first. */
export type Point<Figure = NumberText> = {
  readonly bracket: Bracket;
  readonly figures: readonly Figure[];
};

/** A row that changes the figure. */
export type Row<Figure = NumberText> = {
  readonly history: LedgerHistory;
  readonly time: number;
  readonly amount: Figure;
};

/** The opening balances that a point allows: its figure without the rows up to it, for every split of its bracket. */
export type Opening = Point<bigint> & {
  /** Which of its figures it is. */
  figure: bigint;
  /** What the rows up to the point add up to, and those of its bracket. */
  readonly rowSum: bigint;
  readonly inside: readonly bigint[];
  /** The index of the first of these, and of the first row after them. */
  readonly firstInside: number;
  readonly end: number;
  /** How many rows lie between the point before and this one. */
  readonly rowCount: number;
  readonly balances: ReadonlySet<bigint>;
  /** Those that it allows if no row was posted late. */
  readonly punctual: ReadonlySet<bigint>;
  /** What it differs by from the point before, if they agree but for rounding. */
  remainder: bigint;
};

/** Neighbouring points that agree on the opening balance: all rows between them are right. */
export type Run = { readonly openings: Opening[]; balances: ReadonlySet<bigint> };

export function* openingsOf(
  points: readonly Point<bigint>[],
  rows: readonly Row<bigint>[],
): Generator<Opening> {
  let [next, rowCount, rowSum] = [0, 0, 0n];
  for (const { bracket, figures } of points) {
    for (let row = rows[next]; row && row.time < bracket.from; row = rows[next]) {
      rowSum += row.amount;
      rowCount += 1;
      next += 1;
    }
    const inside = amountsUntil(rows, next, bracket.to);
    const onTime = amountsUntil(rows, next, bracket.answeredBy);
    const balances = balancesOf(figures, rowSum, inside);
    const punctual =
      onTime.length === inside.length ? balances : balancesOf(figures, rowSum, onTime);
    const [figure] = figures;
    if (!balances || !punctual || figure === undefined) continue;
    const indices = { firstInside: next, end: next + inside.length };
    const sums = { rowSum, inside, rowCount, balances, punctual, remainder: 0n };
    yield { bracket, figures, figure, ...indices, ...sums };
    rowCount = 0;
  }
}

/** The amounts of the rows from index `start` on that are earlier than `end`. */
function amountsUntil(rows: readonly Row<bigint>[], start: number, end: number): readonly bigint[] {
  const amounts: bigint[] = [];
  for (let index = start; index < rows.length; index++) {
    const row = rows[index];
    if (!row || row.time >= end) break;
    amounts.push(row.amount);
  }
  return amounts;
}

function balancesOf(
  figures: readonly bigint[],
  rowSum: bigint,
  inside: readonly bigint[],
): ReadonlySet<bigint> | null {
  const possible = figures.map((figure) => figure - rowSum);
  return withoutBracketRows(possible, inside);
}

/** Of several possible balances, best one for which no row had to be posted late. */
export function balanceOf({ openings, balances }: Run): bigint {
  const [any = 0n, ...others] = balances;
  return (
    [any, ...others].find((balance) => openings.every(({ punctual }) => punctual.has(balance))) ??
    any
  );
}

/** Of several possible figures, chooses those that go with the opening balance of the run. */
export function chooseFigures(run: Run): void {
  const balance = balanceOf(run);
  for (const opening of run.openings) {
    const { figures, figure, rowSum, inside } = opening;
    const isRight = (each: bigint): boolean =>
      balancesOf([each], rowSum, inside)?.has(balance) ?? false;
    if (figures.length > 1) opening.figure = figures.find(isRight) ?? figure;
  }
}
