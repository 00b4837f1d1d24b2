import { isAnyGone, type PageReading, type WalkRow } from './pageOutcome.ts';
import { containsUnit } from './timeWindow.ts';
import type { RowOrder, WalkState, TimeWindow } from './walkState.ts';

/** The order of rows by time unit; unknown where all share one unit. */
function rowOrderOf(rows: readonly WalkRow[]): RowOrder {
  let [rises, falls] = [false, false];
  rows.forEach(({ unit }, index) => {
    const before = rows[index - 1]?.unit ?? unit;
    rises ||= unit > before;
    falls ||= unit < before;
  });
  if (rises && falls) return 'none';
  if (rises) return 'oldestFirst';
  return falls ? 'newestFirst' : 'unknown';
}

/** With so much evidence, an order is believed: one accident in 2^40. */
const conclusiveBits = 40;

/**
 * How unlikely it is that unordered rows come in order, in bits: the logarithm of the number of
 * arrangements of n rows with ties, n! / (k₁! · k₂! · …).
 */
function evidenceOf(rows: readonly WalkRow[]): number {
  let bits = 0;
  let tied = 0;
  rows.forEach(({ unit }, index) => {
    tied = rows[index - 1]?.unit === unit ? tied + 1 : 1;
    bits += Math.log2(index + 1) - Math.log2(tied);
  });
  return bits;
}

/**
 * The order was an accident. While it is on trial, everything read since can be read again, because
 * the returned rows are still remembered; later, rows may have been missed.
 */
export function abandonOrder(state: WalkState): WalkState {
  const { windows, trial, doubt } = state;
  return {
    ...state,
    order: 'none',
    windows: trial ?? windows,
    trial: null,
    task: { kind: 'window' },
    before: null,
    firstRows: null,
    doubt: trial ? doubt : 'orderBroke',
  };
}

export function contradictsOrder(order: RowOrder, rows: readonly WalkRow[]): boolean {
  if (order === 'unknown' || order === 'none') return false;
  const found = rowOrderOf(rows);
  return found !== 'unknown' && found !== order;
}

/** In a window that was read in part, every row seen before must come again. */
export function observeRowsGone(
  state: WalkState,
  window: TimeWindow,
  reading: PageReading,
): WalkState {
  const isGone = isAnyGone(state.seen, reading, (unit) => containsUnit(window, unit));
  return { ...addOrderEvidence(state, reading.rows), hasDrifted: state.hasDrifted || isGone };
}

export function observeOrder(state: WalkState, rows: readonly WalkRow[]): WalkState {
  if (state.order !== 'unknown') return addOrderEvidence(state, rows);
  const order = rowOrderOf(rows);
  const isMonotone = order === 'newestFirst' || order === 'oldestFirst';
  return addOrderEvidence({ ...state, order, trial: isMonotone ? state.windows : null }, rows);
}

function addOrderEvidence(state: WalkState, rows: readonly WalkRow[]): WalkState {
  if (!state.trial) return state;
  const evidence = state.evidence + evidenceOf(rows);
  return { ...state, evidence, trial: evidence >= conclusiveBits ? null : state.trial };
}

export function isOrdered({ order }: WalkState): boolean {
  return order === 'newestFirst' || order === 'oldestFirst';
}
