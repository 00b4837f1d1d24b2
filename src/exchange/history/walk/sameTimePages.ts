import type { TimeUnit } from './historySource.ts';
import { unseen, type PageOutcome, type PageReading } from './pageOutcome.ts';
import { isOrdered } from './rowOrder.ts';
import {
  newPass,
  addCheck,
  addPage,
  countUnchangedPasses,
  contradictsEnd,
  haveSameRowsReturned,
  isPassComplete,
  passSummaryOf,
  maxIdlePages,
  scheduleChecks,
} from './sameTimePasses.ts';
import { containsUnit } from './timeWindow.ts';
import {
  withoutCurrentWindow,
  withCurrentWindowReplaced,
  type SameTimeTask,
  type WalkState,
  type TimeWindow,
} from './walkState.ts';

const maxPasses = 12;
/** A row that changes places at random does not hide through so many passes. */
const conclusivePasses = 10;

export const newSameTimeTask: SameTimeTask = {
  ...{ kind: 'instant', page: 0, size: null, pass: newPass, checks: [] },
  ...{ isProved: false, passes: 0, least: null, before: null, since: [], alike: 0 },
};

/** A page full of one unit: the newer part is read first, then that unit, then the older part. */
export function splitAtUnit(
  state: WalkState,
  window: TimeWindow,
  { from, to }: TimeUnit,
): WalkState {
  return withCurrentWindowReplaced(state, [
    { from: window.from, to: from },
    { from, to },
    { from: to, to: window.to },
  ]);
}

/**
 * One page of a unit that may hold more rows than a page. Rows that share a time may change places, so
 * that its pages are read from first to last again and again, each as long as the first: the next page
 * then begins where the last ended, or earlier. An empty page proves the largest possible number of
 * rows; once as many came, they are all.
 */
export function reduceSameTime(
  state: WalkState,
  task: SameTimeTask,
  window: TimeWindow,
  reading: PageReading,
): PageOutcome {
  const { seen } = state;
  const known =
    seen.filter(([unit]) => containsUnit(window, unit)).length + unseen(reading.rows, seen).length;
  const [check] = task.checks;
  const pass = check
    ? addCheck(task.pass, reading, contradictsEnd(task.pass, check, reading))
    : addPage(task.pass, task.page, reading, isOrdered(state));
  const read = { ...task, pass };
  return {
    state: haveSameRowsReturned(read, known)
      ? withoutCurrentWindow(state)
      : continuePass(state, read, reading, known),
    acceptedRows: reading.rows,
    reportsBadRecords: task.passes === 0 && !check,
  };
}

function continuePass(
  state: WalkState,
  task: SameTimeTask,
  reading: PageReading,
  known: number,
): WalkState {
  const { pass, page } = task;
  const [check, ...checks] = task.checks;
  if (check) {
    const isProved = task.isProved && !contradictsEnd(pass, check, reading);
    return continueChecks(state, { ...task, checks, isProved }, known);
  }
  if (reading.sent > 0 && pass.idle < maxIdlePages)
    return { ...state, task: { ...task, page: page + 1, size: pass.first } };
  if (reading.sent > 0 || pass.cut !== null) return endPass(state, task, known);
  return continueChecks(state, scheduleChecks(task, reading, known, state.largestPage), known);
}

function continueChecks(state: WalkState, task: SameTimeTask, known: number): WalkState {
  return task.checks.length > 0 ? { ...state, task } : endPass(state, task, known);
}

/** Ends a pass: the unit is complete, or its pages are read again. */
function endPass(state: WalkState, task: SameTimeTask, known: number): WalkState {
  const { rows, firstIds, sent } = task.pass;
  const alike = countUnchangedPasses(task, known);
  const isGone = sent === 0 && task.isProved;
  const isAll = isGone || isPassComplete(task, known);
  if (isAll || alike === conclusivePasses)
    return {
      ...withoutCurrentWindow(state),
      hasDrifted: state.hasDrifted || known > (isAll ? rows : firstIds),
    };
  const passes = task.passes + 1;
  if (passes >= maxPasses && alike === 0)
    return { ...withoutCurrentWindow(state), doubt: 'crowdedInstant' };
  const kept = passSummaryOf(task, known);
  return { ...state, task: { ...newSameTimeTask, ...kept, size: kept.least, passes, alike } };
}
