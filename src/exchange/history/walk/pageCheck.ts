import { areSame, placesOf, readingOf, type Answer, type Row } from './answer.ts';
import { leastDepth } from './cursor.ts';
import { depthIsProven, endIsReached, nothingMoved, withRowsOf } from './rules.ts';
import type { TimeWindow } from './timeWindow.ts';
import type { WalkRun } from './walkRun.ts';

/** `more`: rows follow. `moved`: rows came, left or changed places. */
type PageCheck = 'whole' | 'more' | 'moved';

/** Whether an answer is likely to have all rows of its question: worth a check. */
export function isLikelyWhole(run: WalkRun<unknown>, { sent, count }: Answer<unknown>): boolean {
  return sent * 2 < run.state.largestPage || count === sent;
}

/** Whether an answer has all rows of its question. An exchange may give no more than it gave at most. */
export async function isWhole<Item>(
  run: WalkRun<Item>,
  question: TimeWindow,
  answer: Answer<Item>,
): Promise<boolean> {
  if (!depthIsProven(answer.sent, null, run.state)) return false;
  return (await checkPages(run, question, [answer])) === 'whole';
}

/**
 * Whether pages have all rows of their question, or those in the first `places` where the question is
 * known to go on.
 */
export async function checkPages<Item>(
  run: WalkRun<Item>,
  question: TimeWindow,
  pages: readonly Answer<Item>[],
  places = Infinity,
): Promise<PageCheck> {
  const check = await checkBorders(run, question, pages, places);
  const [first, second] = pages;
  return check === 'moved' && first && !second ? checkPageBeyond(run, question, first) : check;
}

/**
 * Reads pages again, from the second one on, in a smaller size: rows in the same places show that none
 * crossed a border before, and that none follows the last one.
 */
async function checkBorders<Item>(
  run: WalkRun<Item>,
  question: TimeWindow,
  pages: readonly Answer<Item>[],
  places: number,
): Promise<PageCheck> {
  const { rows } = readingOf(pages);
  const size = sizeToCheck(rows, pages[0]?.sent ?? 0);
  const distinct = [...withRowsOf(new Map(), pages).values()].flat();
  if (size === undefined || distinct.length < placesOf(pages)) return 'moved';
  for (let page = 1; page * size < Math.min(places, rows.length); page += 1) {
    const known = rows.slice(page * size, (page + 1) * size);
    const again = await run.ask(question, page, size);
    const isEnd = places === Infinity && (page + 1) * size >= rows.length;
    if (isEnd && again.sent > known.length) return 'more';
    if (isEnd ? !endIsReached(known, again, size) : !nothingMoved(known, again)) return 'moved';
  }
  return 'whole';
}

/**
 * Where rows are too few or change places: asks for the next page, and then for all of them in another
 * size. If the exchange has no empty pages, it must have shown many more than one or two rows at once.
 */
async function checkPageBeyond<Item>(
  run: WalkRun<Item>,
  question: TimeWindow,
  { rows, sent }: Answer<Item>,
): Promise<PageCheck> {
  const beyond = await run.ask(question, 1, sent);
  const hasNoEmptyPage = beyond.isRefused || areSame(beyond.rows, rows);
  const isSingle = sent <= 2 && run.state.largestPage >= leastDepth;
  if (!endIsReached([], beyond, sent) && !(hasNoEmptyPage && isSingle)) return 'more';
  const again = await run.ask(question, 0, sent + 1);
  return again.sent === sent && nothingMoved(rows, again) ? 'whole' : 'moved';
}

/**
 * Shorter than a page that came, so that its rows cover the first border, and so that the last page has
 * room for another row; between rows of different times, which keep their order.
 */
function sizeToCheck(rows: readonly Row<unknown>[], longest: number): number | undefined {
  const shortest = Math.max(2, Math.ceil(longest / 2));
  const sizes = Array.from(
    { length: Math.max(0, longest - shortest) },
    (_, less) => longest - 1 - less,
  );
  const withRoom = sizes.filter((size) => rows.length % size > 0);
  const isClean = (size: number): boolean =>
    rows.every(
      ({ time }, place) => place === 0 || place % size > 0 || time !== rows[place - 1]?.time,
    );
  return withRoom.find(isClean);
}

/** All pages of a question: the exchange must be known to give so many rows of one. */
export function noteDepth<Item>(
  run: WalkRun<Item>,
  pages: readonly Answer<Item>[],
): readonly Answer<Item>[] {
  const places = placesOf(pages);
  if (!depthIsProven(places, pages[0]?.count ?? null, run.state))
    run.markIncomplete('depthUnproven');
  run.set({ depth: Math.max(run.state.depth, places) });
  run.countBeside(pages);
  return pages;
}
