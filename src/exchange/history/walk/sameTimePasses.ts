import { createHash } from 'node:crypto';
import { unseen, type PageReading, type WalkRow } from './pageOutcome.ts';
import { minConclusiveRows } from './secondPage.ts';
import type { Pass, SameTimeTask, PageRequest } from './walkState.ts';

export const newPass: Pass = {
  ...{ first: 0, firstIds: 0, last: 0, sent: 0, rows: 0, hidden: 0, idle: 0 },
  ...{ cut: null, ids: [], print: '' },
};

/** Adds the next page to a pass; where rows are ordered, those outside the unit do not mix with its own. */
export function addPage(pass: Pass, page: number, reading: PageReading, isOrdered: boolean): Pass {
  const { rows, bad, rowsOutsidePeriod, sent } = reading;
  const fresh = freshOf(pass, reading);
  const isFirst = page === 0;
  return {
    first: isFirst ? sent : pass.first,
    firstIds: isFirst ? fresh.length : pass.firstIds,
    last: sent > 0 ? sent : pass.last,
    sent: pass.sent + sent,
    rows: pass.rows + rows.length,
    hidden: pass.hidden + bad + (isOrdered ? 0 : rowsOutsidePeriod),
    idle: sent > 0 && fresh.length === 0 ? pass.idle + 1 : 0,
    cut: shortestCutPage(pass, page, sent),
    ids: [...pass.ids, ...fresh.map(({ id }) => id)],
    print: extendPrint(pass.print, fresh),
  };
}

/** Adds a page that checks whether the pass was complete; `isDenied` where it should have been empty. */
export function addCheck(pass: Pass, reading: PageReading, isDenied: boolean): Pass {
  const ids = [...pass.ids, ...freshOf(pass, reading).map(({ id }) => id)];
  const isCut = isDenied && pass.ids.length > pass.firstIds;
  return { ...pass, ids, cut: isCut ? pass.last : pass.cut };
}

/** The shortest page that had rows behind it and another length than the first: the next page began elsewhere. */
function shortestCutPage({ cut, first, last, sent: before }: Pass, page: number, sent: number) {
  const isEven = sent === 0 || page === 0 || (before === page * first && sent <= first);
  return isEven ? cut : Math.min(cut ?? last, last);
}

function freshOf({ ids }: Pass, { rows }: PageReading): WalkRow[] {
  return unseen(
    rows,
    ids.map((id) => [0, id]),
  );
}

/** A hash of the ids so far, in their order. */
function extendPrint(print: string, rows: readonly WalkRow[]): string {
  return rows.reduce(
    (last, { id }) => createHash('sha256').update(`${last} ${id}`).digest('hex'),
    print,
  );
}

/** After so many pages without a new row, the exchange may return rows for any page number. */
export const maxIdlePages = 3;
/** So many rows do not come in the same order twice by accident. */
const minRowsForOrderProof = 16;

/** Whether the same rows came again after a pass had proved that there are no others. */
export function haveSameRowsReturned(
  { before, since, pass }: SameTimeTask,
  known: number,
): boolean {
  if (!before || before.hidden + pass.hidden > 0) return false;
  const { rows, provedKnown } = before;
  return provedKnown === rows && known === rows && union(since, pass.ids).length === rows;
}

/** Whether as many rows came as there are. A row that came late may take the place of one that never came. */
export function isPassComplete(task: SameTimeTask, known: number): boolean {
  const { pass, before } = task;
  if (!matchesProvedPass(task) || !areRowsDistinct(task)) return false;
  const isOfThose = known === pass.rows || known === before?.provedKnown;
  return isOfThose && union(task.since, pass.ids).length === pass.rows;
}

/** Whether this pass had as many rows as the one that was proved complete. */
function matchesProvedPass({ pass, before }: SameTimeTask): boolean {
  const isProved = before !== null && before.provedKnown !== null;
  return isProved && before.rows === pass.rows && pass.cut === null;
}

/** Unreadable rows may hide that another row came twice: then only a repeated order proves anything. */
function areRowsDistinct({ pass, before }: SameTimeTask): boolean {
  const { hidden, ids, rows, print } = pass;
  if (hidden === 0 && before?.hidden === 0) return true;
  return ids.length === rows && rows >= minRowsForOrderProof && before?.print === print;
}

/**
 * How many passes in a row had only the rows of their first page, the same as before. A pass of a
 * single page neither counts nor ends the series.
 */
export function countUnchangedPasses({ pass, before, alike }: SameTimeTask, known: number): number {
  const { firstIds, ids, hidden, sent, first, idle, cut } = pass;
  const isEven = cut === null && idle < maxIdlePages && hidden === 0;
  const isAlike = before?.known === known && before.firstIds === firstIds;
  if (!isEven || !isAlike || ids.length !== firstIds) return 0;
  return sent > first ? alike + 1 : alike;
}

/**
 * Schedules the checks of a pass that reached an empty page. A short last page may be cut: the row
 * behind it is requested. A short empty page may lack its rows: unless the reported total agrees, a
 * longer one is requested. A page of known rows only may end before the first unknown one: the places
 * behind it are requested one by one.
 */
export function scheduleChecks(
  task: SameTimeTask,
  { claimed }: PageReading,
  known: number,
  largestPage: number,
): SameTimeTask {
  const { pass, page } = task;
  const alike = countUnchangedPasses(task, known);
  if (alike > 0) return { ...task, checks: [{ page: pass.first + alike - 1, size: 1 }] };
  if (matchesProvedPass(task)) return task;
  const isDoubtful = pass.sent === 0 ? task.size !== null : claimed !== pass.sent;
  const isFew = pass.first < minConclusiveRows && isDoubtful;
  const checks = [
    ...(pass.sent === page * pass.first ? [] : [{ page: pass.sent, size: 1 }]),
    ...(isFew ? [{ page: Math.ceil(pass.sent / largestPage), size: null }] : []),
  ];
  return { ...task, checks, isProved: true };
}

/** Whether a page has rows where the pass found its end. */
export function contradictsEnd(
  pass: Pass,
  { page, size }: PageRequest,
  { sent }: PageReading,
): boolean {
  return sent > 0 && (size === null || page * size >= pass.sent);
}

/** What the next pass needs of this one; `since` holds the rows since their number was proved. */
export function passSummaryOf(
  task: SameTimeTask,
  known: number,
): Pick<SameTimeTask, 'before' | 'since' | 'least'> {
  const { pass, before } = task;
  const { rows, firstIds, hidden, print, cut } = pass;
  const isStill = matchesProvedPass(task) && (known <= rows || known === before?.provedKnown);
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
