import type { Reading } from './reading.ts';
import { leastTelling } from './secondPage.ts';
import type { Instant, Pass, Question } from './instantState.ts';

/** After so many pages without a new row the exchange may give some page for any number. */
export const mostIdle = 3;
/** As many rows never come in the same order twice by accident. */
const tellingRows = 16;

/** Whether just the rows came again of which a whole pass had proved that there are no more. */
export function isShownAgain({ before, since, pass }: Instant, known: number): boolean {
  if (!before || before.hidden + pass.hidden > 0) return false;
  const { rows, provedKnown } = before;
  return provedKnown === rows && known === rows && union(since, pass.ids).length === rows;
}

/** Whether as many rows came as there are. One that came late may stand for one that never came. */
export function isWhole(task: Instant, known: number): boolean {
  const { pass, before } = task;
  if (!isSteady(task) || !isTold(task)) return false;
  const isOfThose = known === pass.rows || known === before?.provedKnown;
  return isOfThose && union(task.since, pass.ids).length === pass.rows;
}

/** Whether this pass had as many rows as that one which was proved to have had all. */
function isSteady({ pass, before }: Instant): boolean {
  const isProved = before !== null && before.provedKnown !== null;
  return isProved && before.rows === pass.rows && pass.cut === null;
}

/** Rows without an id may hide that another was shown twice: then only an order that is no accident counts. */
function isTold({ pass, before }: Instant): boolean {
  const { hidden, ids, rows, print } = pass;
  if (hidden === 0 && before?.hidden === 0) return true;
  return ids.length === rows && rows >= tellingRows && before?.print === print;
}

/**
 * How many passes showed only the rows of their first page, and no other than the ones before; one
 * between them that had no other page at all does not count, and does not end them.
 */
export function alikeWith({ pass, before, alike }: Instant, known: number): number {
  const { firstIds, ids, hidden, sent, first, idle, cut } = pass;
  const isEven = cut === null && idle < mostIdle && hidden === 0;
  const isAlike = before?.known === known && before.firstIds === firstIds;
  if (!isEven || !isAlike || ids.length !== firstIds) return 0;
  return sent > first ? alike + 1 : alike;
}

/**
 * What a pass that came to an empty page is still to be asked for. A last page that is short may be
 * cut as well, unless there is nothing right behind it. An empty one may be so short that all of its
 * rows are left out, unless the exchange counts no more: then a longer one is asked for. A page on which only
 * known rows came may have been cut before the first unknown one: these places are seen one by one.
 */
export function withChecks(
  task: Instant,
  { claimed }: Reading,
  known: number,
  largestPage: number,
): Instant {
  const { pass, page } = task;
  const alike = alikeWith(task, known);
  if (alike > 0) return { ...task, checks: [{ page: pass.first + alike - 1, size: 1 }] };
  if (isSteady(task)) return task;
  const isDoubtful = pass.sent === 0 ? task.size !== null : claimed !== pass.sent;
  const isFew = pass.first < leastTelling && isDoubtful;
  const checks = [
    ...(pass.sent === page * pass.first ? [] : [{ page: pass.sent, size: 1 }]),
    ...(isFew ? [{ page: Math.ceil(pass.sent / largestPage), size: null }] : []),
  ];
  return { ...task, checks, isProved: true };
}

/** Rows where a pass says that none are. */
export function denies(pass: Pass, { page, size }: Question, { sent }: Reading): boolean {
  return sent > 0 && (size === null || page * size >= pass.sent);
}

/** What the next pass is to know: `since` holds what came since it was proved how many rows there are. */
export function keptOf(task: Instant, known: number): Pick<Instant, 'before' | 'since' | 'least'> {
  const { pass, before } = task;
  const { rows, firstIds, hidden, print, cut } = pass;
  const isStill = isSteady(task) && (known <= rows || known === before?.provedKnown);
  const proved = task.isProved ? known : null;
  const provedKnown = isStill ? (before?.provedKnown ?? null) : proved;
  return {
    before: { rows, firstIds, known, hidden, print, provedKnown },
    since: isStill ? union(task.since, pass.ids) : [],
    least: cut === null ? task.least : Math.min(cut, task.least ?? cut),
  };
}

function union(ids: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...ids, ...more])];
}
