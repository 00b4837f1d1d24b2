import { acceptNone, unseen, isFull, type PageOutcome, type PageReading } from './pageOutcome.ts';
import { isOrdered } from './rowOrder.ts';
import { minConclusiveRows } from './secondPage.ts';
import {
  withoutCurrentWindow,
  type SeenRow,
  type WalkTask,
  type WalkState,
  type WalkContext,
  type TimeWindow,
} from './walkState.ts';

const pagesRemembered = 3;

type PagesTask = Extract<WalkTask, { kind: 'pages' }>;

export function newPagesTask(reason: PagesTask['reason']): PagesTask {
  return { kind: 'pages', page: 0, size: null, recent: [], found: false, reason };
}

/**
 * The last resort where a window cannot be made smaller: pages by number, each as long as the first.
 * More than one page is never proved complete, because rows may move between pages unseen.
 */
export function reducePages(state: WalkState, task: PagesTask, reading: PageReading): PageOutcome {
  const { rows, sent } = reading;
  if (sent === 0 && isFewBefore(task))
    return acceptNone({ ...state, task: { ...task, size: null } });
  const ids = rows.map(({ id }) => id);
  const isRepeated = ids.length > 0 && ids.join('\n') === task.recent.slice(-ids.length).join('\n');
  const isPast = task.found && ids.length === 0 && isOrdered(state);
  const isDoubtful = sent > 0 && (task.page > 0 || task.reason === 'endsIgnored');
  const doubt = isRepeated ? 'pagesRepeat' : isDoubtful ? task.reason : state.doubt;
  const read: PagesTask = {
    ...task,
    page: task.page + 1,
    size: task.size ?? sent,
    recent: appendRecent(task.recent, reading, state),
    found: task.found || ids.length > 0,
  };
  const isEnd = sent === 0 || isRepeated || isPast;
  const next: WalkState = isEnd ? withoutCurrentWindow(state) : { ...state, task: read };
  const known = task.recent.map((id): SeenRow => [0, id]);
  return { state: { ...next, doubt }, acceptedRows: unseen(rows, known), reportsBadRecords: true };
}

/** A page after one of few rows may be empty because its few rows were left out. */
function isFewBefore({ page, size, found }: PagesTask): boolean {
  return page === 1 && !found && size !== null && size < minConclusiveRows;
}

/** The ids of the last pages: a row that moves by less is recognized when it comes again. */
export function appendRecent(
  recent: readonly string[],
  { rows, sent }: PageReading,
  { largestPage }: WalkState,
): string[] {
  const most = pagesRemembered * Math.max(sent, largestPage);
  return [...recent, ...rows.map(({ id }) => id)].slice(-most);
}

type ReverseTask = Extract<WalkTask, { kind: 'reverse' }>;

/** No history has so many pages: the exchange returns rows for any page number. */
const maxPageNumber = 2 ** 30;
export const newReverseTask: ReverseTask = {
  ...{ kind: 'reverse', page: 1, low: 0, high: null },
  ...{ isBack: false, recent: [] },
};

/** Finds the last page, and reads pages by number from there to the first. */
export function reduceReverse(
  state: WalkState,
  task: ReverseTask,
  reading: PageReading,
): PageOutcome {
  return task.isBack ? goBack(state, task, reading) : acceptNone(findLast(state, task, reading));
}

/** Doubles the page number until a page is empty, then bisects: `low` has rows, `high` has none. */
function findLast(state: WalkState, task: ReverseTask, reading: PageReading): WalkState {
  const { page } = task;
  if (page >= maxPageNumber) return { ...state, task: newPagesTask('endsIgnored') };
  const low = reading.sent > 0 ? page : task.low;
  const end = isFull(reading, state) ? task.high : page + 1;
  const high = reading.sent > 0 ? end : page;
  if (high === null) return { ...state, task: { ...task, low, page: page * 2 } };
  const isBack = high - low === 1;
  const doubt = isBack && low > 0 ? 'endsIgnored' : state.doubt;
  const next = isBack ? low : Math.floor((low + high) / 2);
  return { ...state, doubt, task: { ...task, low, high, page: next, isBack } };
}

function goBack(state: WalkState, task: ReverseTask, reading: PageReading): PageOutcome {
  const recent = appendRecent(task.recent, reading, state);
  const next: WalkState =
    task.page === 0
      ? withoutCurrentWindow(state)
      : { ...state, task: { ...task, page: task.page - 1, recent } };
  const known = task.recent.map((id): SeenRow => [0, id]);
  return { state: next, acceptedRows: unseen(reading.rows, known), reportsBadRecords: true };
}

/**
 * The exchange ignores the ends of a range: joins the windows that adjoin, and reads them by page
 * number. Rows move to later pages as new ones come, where the newest are first, and to earlier pages
 * as rows leave, where the oldest are first: hence the direction.
 */
export function readRestByPageNumber(state: WalkState, { longestMs }: WalkContext): WalkState {
  const windows = state.windows.reduceRight<readonly TimeWindow[]>(([next, ...later], window) => {
    const isJoined = next?.from === window.to && spanMs(window, next) <= longestMs;
    if (next && !isJoined) return [window, next, ...later];
    return [next ? { from: window.from, to: next.to } : window, ...later];
  }, []);
  const isReverse = state.order === 'oldestFirst';
  return { ...state, windows, task: isReverse ? newReverseTask : newPagesTask('endsIgnored') };
}

function spanMs({ from }: TimeWindow, { to }: TimeWindow): number {
  return from === null ? 0 : to - from;
}
