import type { Interval } from '../ledger.ts';
import { bracketOf, type Bracket } from './bracket.ts';
import type { FigureComparison, Figures } from './identities.ts';
import type { Row } from './openings.ts';
import type { ReconciliationReader } from './reconciliationReader.ts';

/** The figures of one checkpoint. */
export type State = { readonly bracket: Bracket; readonly figures: Figures };

/** The checkpoints whose whole bracket is covered, oldest first. */
export function statesIn(
  reader: ReconciliationReader,
  { figures }: FigureComparison,
  { from, to }: Interval,
): readonly State[] {
  const states: State[] = [];
  for (const checkpoint of reader.checkpoints()) {
    const bracket = bracketOf(checkpoint);
    const known = from <= bracket.from && bracket.to <= to ? figures(checkpoint) : null;
    if (known) states.push({ bracket, figures: known });
  }
  return states.sort((one, other) => one.bracket.from - other.bracket.from);
}

/**
 * Leaves out checkpoints that say nothing new: those between two with the same figures, if there is no row
 * from the one before to the one after.
 */
export function withoutRedundant(
  states: readonly State[],
  rows: ReadonlyMap<string, readonly Row[]>,
): readonly State[] {
  const times = Float64Array.from([...rows.values()].flat(), ({ time }) => time).sort();
  let next = 0;
  return states.filter((state, index) => {
    const [before, after] = [states[index - 1], states[index + 1]];
    if (!before || !after) return true;
    while ((times[next] ?? Infinity) < before.bracket.from) next += 1;
    const to = Math.max(before.bracket.to, state.bracket.to, after.bracket.to);
    const hasNoRows = (times[next] ?? Infinity) >= to;
    return !hasNoRows || !hasSameFigures(before, state) || !hasSameFigures(state, after);
  });
}

function hasSameFigures({ figures }: State, other: State): boolean {
  if (figures.size !== other.figures.size) return false;
  for (const [subject, amounts] of figures) {
    const others = other.figures.get(subject);
    if (amounts === null || !others) return false;
    if (others.length !== amounts.length) return false;
    if (amounts.some((amount, index) => amount !== others[index])) return false;
  }
  return true;
}
