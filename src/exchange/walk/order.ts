import { isAnyGone, type Reading, type Row } from './reading.ts';
import type { Order, WalkState, Window } from './state.ts';
import { holds } from './window.ts';

/** How these rows are ordered by the unit of their time; unknown where they are all of one. */
function orderOf(rows: readonly Row[]): Order {
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

/** Evidence from here on is taken for an order that holds: one accident in 2^40. */
const enoughBits = 40;

/**
 * How unlikely it is that rows without an order came ordered, in bits: the logarithm of the number
 * of ways in which n rows with ties can be laid out, n! / (k₁! · k₂! · …).
 */
function evidenceOf(rows: readonly Row[]): number {
  let bits = 0;
  let tied = 0;
  rows.forEach(({ unit }, index) => {
    tied = rows[index - 1]?.unit === unit ? tied + 1 : 1;
    bits += Math.log2(index + 1) - Math.log2(tied);
  });
  return bits;
}

/**
 * The order was an accident. While it is on trial all that was read since can be read again, since
 * what was given then is still remembered; later, rows may have been missed.
 */
export function withoutOrder(state: WalkState): WalkState {
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

export function contradicts(order: Order, rows: readonly Row[]): boolean {
  if (order === 'unknown' || order === 'none') return false;
  const found = orderOf(rows);
  return found !== 'unknown' && found !== order;
}

/** In a window that was read in part before, all that was seen must come again. */
export function withGone(state: WalkState, window: Window, reading: Reading): WalkState {
  const isGone = isAnyGone(state.seen, reading, (unit) => holds(window, unit));
  return { ...withEvidence(state, reading.rows), hasDrifted: state.hasDrifted || isGone };
}

export function learn(state: WalkState, rows: readonly Row[]): WalkState {
  if (state.order !== 'unknown') return withEvidence(state, rows);
  const order = orderOf(rows);
  const isMonotone = order === 'newestFirst' || order === 'oldestFirst';
  return withEvidence({ ...state, order, trial: isMonotone ? state.windows : null }, rows);
}

function withEvidence(state: WalkState, rows: readonly Row[]): WalkState {
  if (!state.trial) return state;
  const evidence = state.evidence + evidenceOf(rows);
  return { ...state, evidence, trial: evidence >= enoughBits ? null : state.trial };
}

export function isOrdered({ order }: WalkState): boolean {
  return order === 'newestFirst' || order === 'oldestFirst';
}
