import { createHash } from 'node:crypto';
import type { Unit } from './history.ts';
import { isFull, type Outcome } from './outcome.ts';
import { isOrdered } from './order.ts';
import { unseen, type Reading, type Row } from './reading.ts';
import { closed, replaced, type Task, type WalkState, type Window } from './state.ts';
import { holds } from './window.ts';

type Instant = Extract<Task, { kind: 'instant' }>;

const mostPasses = 12;
/** As many rows never come in the same order twice by accident. */
const tellingRows = 16;
const pass = { kind: 'instant', page: 0, ids: [], hidden: 0, rows: 0, print: '' } as const;
export const newInstant: Instant = { ...pass, union: [], passes: 0, before: null };

/** A page full of one unit: what is newer first, where there may be any, then that unit. */
export function splitAround(state: WalkState, window: Window, { from, to }: Unit): WalkState {
  return replaced(state, [
    { from: window.from, to: from },
    { from, to },
    { from: to, to: window.to },
  ]);
}

/**
 * One page of a unit that holds more rows than a page. Its pages are read from the first to the last
 * again and again, as rows that share a moment may change places, until two passes agree.
 */
export function absorbInstant(
  state: WalkState,
  task: Instant,
  window: Window,
  reading: Reading,
): Outcome {
  const { rows, bad, outside, sent } = reading;
  const fresh = unseen(
    rows,
    task.ids.map((id) => [window.from ?? 0, id]),
  );
  const read: Instant = {
    ...task,
    page: task.page + 1,
    ids: [...task.ids, ...fresh.map(({ id }) => id)],
    hidden: task.hidden + bad + (isOrdered(state) ? 0 : outside),
    rows: task.rows + rows.length,
    print: printWith(task.print, fresh),
  };
  const isStuck = rows.length > 0 && fresh.length === 0;
  const isLast = sent === 0 || (isStuck && !isFull(reading, state));
  const known =
    state.seen.filter(([unit]) => holds(window, unit)).length + unseen(rows, state.seen).length;
  const next = isLast || isStuck ? ended(state, read, isLast, known) : { ...state, task: read };
  return { state: next, takes: rows, tellsBad: task.passes === 0 };
}

/**
 * Passes agree when two show each row once and in one order; or when, while their number of rows
 * stayed the same, they have shown so many together, and no others were ever seen. Rows without an
 * id may hide that another was shown twice: then only an order that is no accident counts.
 */
function ended(state: WalkState, task: Instant, isLast: boolean, known: number): WalkState {
  const { rows, hidden, ids, print, before } = task;
  const isClean = isLast && ids.length === rows && (hidden === 0 || rows >= tellingRows);
  const isSame = isClean && before?.isClean === true && before.print === print;
  const isSteady = isLast && before?.rows === rows;
  const union = isSteady ? [...new Set([...task.union, ...ids])] : [];
  const isAll = isSteady && hidden === 0 && union.length === rows && known === rows;
  if (isSame || isAll) {
    const doubt = task.page > 2 && doPagesVary(state) ? 'crowdedInstant' : state.doubt;
    return { ...closed(state), doubt, hasDrifted: state.hasDrifted || known > rows };
  }
  const passes = task.passes + 1;
  if (passes === mostPasses) return { ...closed(state), doubt: 'crowdedInstant' };
  const last = isLast ? { rows, print, isClean } : null;
  return { ...state, task: { ...pass, passes, union, before: last } };
}

/** Pages by number prove nothing where each may be of another length. */
function doPagesVary({ largestPage, shortestCut }: WalkState): boolean {
  return shortestCut !== null && shortestCut < largestPage;
}

/** The print of the wanted ids so far and these, in their order. */
function printWith(print: string, rows: readonly Row[]): string {
  return rows
    .filter(({ isWanted }) => isWanted)
    .reduce((last, { id }) => createHash('sha256').update(`${last} ${id}`).digest('hex'), print);
}
