import type { Unit } from './history.ts';
import { newPass, withCheck, withPage } from './instantPass.ts';
import {
  alikeWith,
  denies,
  isShownAgain,
  isWhole,
  keptOf,
  mostIdle,
  withChecks,
} from './instantProof.ts';
import type { Instant } from './instantState.ts';
import { isOrdered } from './order.ts';
import type { Outcome } from './outcome.ts';
import { unseen, type Reading } from './reading.ts';
import { closed, replaced, type WalkState, type Window } from './state.ts';
import { holds } from './window.ts';

const mostPasses = 12;
/** So many passes never hide a row by accident where each page is drawn anew. */
const tellingPasses = 10;

export const newInstant: Instant = {
  ...{ kind: 'instant', page: 0, size: null, pass: newPass, checks: [] },
  ...{ isProved: false, passes: 0, least: null, before: null, since: [], alike: 0 },
};

/** A page full of one unit: what is newer first, where there may be any, then that unit. */
export function splitAround(state: WalkState, window: Window, { from, to }: Unit): WalkState {
  return replaced(state, [
    { from: window.from, to: from },
    { from, to },
    { from: to, to: window.to },
  ]);
}

/**
 * One page of a unit that may hold more rows than a page. Its pages are read from the first to the
 * last again and again, as rows that share a moment may change places, each as long as the first: so
 * the next begins where it ended, or earlier, wherever the exchange cuts it. That one has no rows
 * proves how many there are at most; when as many came since, those are all.
 */
export function absorbInstant(
  state: WalkState,
  task: Instant,
  window: Window,
  reading: Reading,
): Outcome {
  const { seen } = state;
  const known =
    seen.filter(([unit]) => holds(window, unit)).length + unseen(reading.rows, seen).length;
  const [check] = task.checks;
  const pass = check
    ? withCheck(task.pass, reading, denies(task.pass, check, reading))
    : withPage(task.pass, task.page, reading, isOrdered(state));
  const read = { ...task, pass };
  return {
    state: isShownAgain(read, known) ? closed(state) : wentOn(state, read, reading, known),
    takes: reading.rows,
    tellsBad: task.passes === 0 && !check,
  };
}

function wentOn(state: WalkState, task: Instant, reading: Reading, known: number): WalkState {
  const { pass, page } = task;
  const [check, ...checks] = task.checks;
  if (check) {
    const isProved = task.isProved && !denies(pass, check, reading);
    return checked(state, { ...task, checks, isProved }, known);
  }
  if (reading.sent > 0 && pass.idle < mostIdle)
    return { ...state, task: { ...task, page: page + 1, size: pass.first } };
  if (reading.sent > 0 || pass.cut !== null) return ended(state, task, known);
  return checked(state, withChecks(task, reading, known, state.largestPage), known);
}

function checked(state: WalkState, task: Instant, known: number): WalkState {
  return task.checks.length > 0 ? { ...state, task } : ended(state, task, known);
}

/** A pass is over: the unit is read, or its pages are read again. */
function ended(state: WalkState, task: Instant, known: number): WalkState {
  const { rows, firstIds, sent } = task.pass;
  const alike = alikeWith(task, known);
  const isGone = sent === 0 && task.isProved;
  const isAll = isGone || isWhole(task, known);
  if (isAll || alike === tellingPasses)
    return { ...closed(state), hasDrifted: state.hasDrifted || known > (isAll ? rows : firstIds) };
  const passes = task.passes + 1;
  if (passes >= mostPasses && alike === 0) return { ...closed(state), doubt: 'crowdedInstant' };
  const kept = keptOf(task, known);
  return { ...state, task: { ...newInstant, ...kept, size: kept.least, passes, alike } };
}
