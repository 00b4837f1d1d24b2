import type { Unit } from './history.ts';
import { newPass, withPage, withCheck } from './instantPass.ts';
import { isOrdered } from './order.ts';
import type { Outcome } from './outcome.ts';
import { unseen, type Reading } from './reading.ts';
import {
  closed,
  replaced,
  type Pass,
  type Question,
  type Passed,
  type Task,
  type WalkState,
  type Window,
} from './state.ts';
import { holds } from './window.ts';

type Instant = Extract<Task, { kind: 'instant' }>;

const mostPasses = 12;
/** After so many pages without a new row the exchange may give some page for any number. */
const mostIdle = 3;
/** As many passes never hide a row by accident where each page is drawn anew. */
const tellingPasses = 10;
/** As many rows never come in the same order twice by accident. */
const tellingRows = 16;

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
 * the next begins where it ended, or earlier, wherever the exchange cuts it. That it has no rows
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

/** Whether just the rows came again of which a whole pass had proved that there are no more. */
function isShownAgain({ before, since, pass }: Instant, known: number): boolean {
  if (!before || before.hidden + pass.hidden > 0) return false;
  const { rows, provedKnown } = before;
  return provedKnown === rows && known === rows && union(since, pass.ids).length === rows;
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
  const isCounted = reading.claimed === pass.sent;
  return checked(state, withChecks(state, task, isCounted, known), known);
}

function checked(state: WalkState, task: Instant, known: number): WalkState {
  return task.checks.length > 0 ? { ...state, task } : ended(state, task, known);
}

/** Rows where a pass says that none are. */
function denies(pass: Pass, { page, size }: Question, { sent }: Reading): boolean {
  return sent > 0 && (size === null || page * size >= pass.sent);
}

/**
 * What a pass that came to an empty page is still to be asked for. A last page that is short may be
 * cut as well, unless there is nothing right behind it. An empty one may be one whose rows are all
 * left out, unless the exchange counts as many: then a longer page is asked for. A page on which only
 * known rows came may have been cut before the first unknown one: these places are seen one by one.
 */
function withChecks(state: WalkState, task: Instant, isCounted: boolean, known: number): Instant {
  const { pass, page } = task;
  const alike = alikeWith(task, known);
  if (alike > 0) return { ...task, checks: [{ page: pass.first + alike - 1, size: 1 }] };
  if (isSteady(task)) return task;
  const behind = Math.ceil(pass.sent / state.largestPage);
  const checks = [
    ...(pass.sent === page * pass.first ? [] : [{ page: pass.sent, size: 1 }]),
    ...(isCounted ? [] : [{ page: behind, size: null }]),
  ];
  return { ...task, checks, isProved: true };
}

/** How many passes in a row showed only the rows of their first page, and no other than the ones before. */
function alikeWith({ pass, before, alike }: Instant, known: number): number {
  const { firstIds, ids, hidden, sent, first, idle, cut } = pass;
  const isEven = cut === null && idle < mostIdle && hidden === 0;
  const isAlike = before?.known === known && before.firstIds === firstIds;
  return isEven && isAlike && ids.length === firstIds && sent > first ? alike + 1 : 0;
}

/** Whether this pass had as many rows as that one which was proved to have had all. */
function isSteady({ pass, before }: Instant): boolean {
  return (
    before !== null && before.provedKnown !== null && before.rows === pass.rows && pass.cut === null
  );
}

function ended(state: WalkState, task: Instant, known: number): WalkState {
  const { rows, firstIds, sent } = task.pass;
  const alike = alikeWith(task, known);
  if (sent === 0 || isWhole(task, known))
    return { ...closed(state), hasDrifted: state.hasDrifted || known > rows };
  if (alike === tellingPasses)
    return { ...closed(state), hasDrifted: state.hasDrifted || known > firstIds };
  const passes = task.passes + 1;
  if (passes >= mostPasses && alike === 0) return { ...closed(state), doubt: 'crowdedInstant' };
  return { ...state, task: { ...nextPass(task, known), passes, alike } };
}

/** Whether as many rows came as there are. One that came late may stand for one that never came. */
function isWhole(task: Instant, known: number): boolean {
  const { pass, before } = task;
  if (!before || !isSteady(task) || !isTold(pass, before)) return false;
  const isOfThose = known === pass.rows || known === before.provedKnown;
  return isOfThose && union(task.since, pass.ids).length === pass.rows;
}

function nextPass(task: Instant, known: number): Instant {
  const { pass, before } = task;
  const { rows, firstIds, hidden, print, cut } = pass;
  const isStill = isSteady(task) && (known === rows || known === before?.provedKnown);
  const proved = task.isProved ? known : null;
  const provedKnown = isStill ? (before?.provedKnown ?? null) : proved;
  const since = isStill ? union(task.since, pass.ids) : [];
  const least = cut === null ? task.least : Math.min(cut, task.least ?? cut);
  const passed = { rows, firstIds, known, hidden, print, provedKnown };
  return { ...newInstant, since, before: passed, least, size: least };
}

/**
 * Rows without an id may hide that another was shown twice: then only an order that is no accident
 * counts.
 */
function isTold({ hidden, ids, rows, print }: Pass, before: Passed): boolean {
  if (hidden + before.hidden === 0) return true;
  return ids.length === rows && rows >= tellingRows && before.print === print;
}

function union(ids: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...ids, ...more])];
}
