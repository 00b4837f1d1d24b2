import { isOrdered } from './order.ts';
import { takeNone, type Outcome } from './outcome.ts';
import { unseen, type Reading } from './reading.ts';
import { leastTelling } from './secondPage.ts';
import { closed, type Seen, type Task, type WalkState } from './state.ts';

const pagesRemembered = 3;

type Pages = Extract<Task, { kind: 'pages' }>;

export function newPages(reason: Pages['reason']): Pages {
  return { kind: 'pages', page: 0, size: null, recent: [], found: false, reason };
}

/**
 * The last resort, where a window cannot be made smaller: page after page by number. More than one
 * page cannot be proved whole, since rows may move between them unseen, and pages of a range that is
 * ignored be cut at another length: each is asked for by the length of the first.
 */
export function absorbPages(state: WalkState, task: Pages, reading: Reading): Outcome {
  const { rows, sent } = reading;
  if (sent === 0 && isFewBefore(task)) return takeNone({ ...state, task: { ...task, size: null } });
  const ids = rows.map(({ id }) => id);
  const isRepeated = ids.length > 0 && ids.join('\n') === task.recent.slice(-ids.length).join('\n');
  const isPast = task.found && ids.length === 0 && isOrdered(state);
  const isDoubtful = sent > 0 && (task.page > 0 || task.reason === 'endsIgnored');
  const doubt = isRepeated ? 'pagesRepeat' : isDoubtful ? task.reason : state.doubt;
  const read: Pages = {
    ...task,
    page: task.page + 1,
    size: task.size ?? sent,
    recent: recentWith(task.recent, reading, state),
    found: task.found || ids.length > 0,
  };
  const isEnd = sent === 0 || isRepeated || isPast;
  const next: WalkState = isEnd ? closed(state) : { ...state, task: read };
  const known = task.recent.map((id): Seen => [0, id]);
  return { state: { ...next, doubt }, takes: unseen(rows, known), tellsBad: true };
}

/** An empty page behind one of few rows may be so short that all of its rows are left out. */
function isFewBefore({ page, size, found }: Pages): boolean {
  return page === 1 && !found && size !== null && size < leastTelling;
}

/** The ids of the last pages: what moves by less than that comes again and is known. */
export function recentWith(
  recent: readonly string[],
  { rows, sent }: Reading,
  { largestPage }: WalkState,
): string[] {
  const most = pagesRemembered * Math.max(sent, largestPage);
  return [...recent, ...rows.map(({ id }) => id)].slice(-most);
}
