import type { Outcome } from './outcome.ts';
import { isAnyGone, unseen, type Reading } from './reading.ts';
import type { WalkState } from './state.ts';

/**
 * The first page, read once more at the end: what came late or left there shows that the history
 * changed below the walk. What came late is given.
 */
export function absorbEndCheck(state: WalkState, reading: Reading): Outcome {
  const first = state.firstRows;
  const done: WalkState = { ...state, firstRows: null, task: { kind: 'window' } };
  if (!first) return { state: done, takes: [], tellsBad: false };
  const last = reading.rows.at(-1)?.unit;
  const isNewestFirst = state.order === 'newestFirst';
  const isShown = (unit: number): boolean =>
    [first.edge, last ?? first.edge].every((edge) => (isNewestFirst ? unit > edge : unit < edge));
  const shown = reading.rows.filter(({ unit, isWanted }) => isWanted && isShown(unit));
  const late = unseen(shown, first.rows);
  const hasDrifted = state.hasDrifted || late.length > 0 || isAnyGone(first.rows, reading, isShown);
  return { state: { ...done, hasDrifted }, takes: late, tellsBad: false };
}
