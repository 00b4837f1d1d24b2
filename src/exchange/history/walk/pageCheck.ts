import { areSame, placesOf, readingOf, rowsIn, type Answer, type Row } from './answer.ts';
import { leastDepth } from './cursor.ts';
import { depthIsProven, endIsReached, nothingMoved, withRowsOf } from './rules.ts';
import { splitOff, type TimeWindow } from './timeWindow.ts';
import type { WalkRun } from './walkRun.ts';

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
  return hasAllRows(run, question, [answer]);
}

/**
 * Whether pages have all rows of their question: nothing follows the last one, and then none of them
 * crossed a border.
 */
export async function hasAllRows<Item>(
  run: WalkRun<Item>,
  question: TimeWindow,
  pages: readonly Answer<Item>[],
): Promise<boolean> {
  const [first, second] = pages;
  if (!first) return false;
  const beyond = await askBeyond(run, question, pages);
  if (second) return endIsReached(beyond) && keptPlaces(run, question, pages);
  if (!endIsReached(beyond) && !(await isAlone(run, question, first, beyond))) return false;
  const again = await run.ask(question, 0, first.sent + 1);
  return again.sent === first.sent && nothingMoved(first.rows, again);
}

/**
 * Asks for what follows right behind the rows of pages. A multiple of the size lies there, so that no row
 * is skipped, whether the exchange counts pages in the size that was asked for or in a shorter one.
 */
export function askBeyond<Item>(
  run: WalkRun<Item>,
  question: TimeWindow,
  pages: readonly Answer<Item>[],
): Promise<Answer<Item>> {
  const places = placesOf(pages);
  let size = Math.max(1, pages[0]?.sent ?? 1);
  while (places % size > 0) size -= 1;
  return run.ask(question, places / size, size);
}

/**
 * For an exchange without empty pages: whether one or two rows of a unit are all that it gives, as it
 * showed many more at once before, and none beside the unit.
 */
async function isAlone<Item>(
  run: WalkRun<Item>,
  { from, to }: TimeWindow,
  { rows, sent }: Answer<Item>,
  beyond: Answer<Item>,
): Promise<boolean> {
  const unit = run.unitOf(rows[0]?.time ?? to);
  const isFew = sent <= 2 && rowsIn(rows, unit).length === sent;
  const hasNoEmptyPage = beyond.isRefused || areSame(beyond.rows, rows);
  if (!isFew || !hasNoEmptyPage || run.state.largestPage < leastDepth) return false;
  for (const beside of splitOff({ from: from === null ? null : from + 1, to }, unit))
    if (!endIsReached(await run.ask(run.exactQuestion(beside)))) return false;
  return true;
}

/**
 * Reads pages again, from the second one on, in a smaller size: rows in the same places, up to so many,
 * show that none crossed a border before.
 */
export async function keptPlaces<Item>(
  run: WalkRun<Item>,
  question: TimeWindow,
  pages: readonly Answer<Item>[],
  places = Infinity,
): Promise<boolean> {
  const { rows } = readingOf(pages);
  const size = sizeToCheck(rows, pages[0]?.sent ?? 0);
  const distinct = [...withRowsOf(new Map(), pages).values()].flat();
  if (size === undefined || distinct.length < placesOf(pages)) return false;
  for (let page = 1; page * size < Math.min(places, rows.length); page += 1) {
    const known = rows.slice(page * size, (page + 1) * size);
    const again = await run.ask(question, page, size);
    const isMore = places === Infinity && again.sent > known.length;
    if (isMore || !nothingMoved(known, again)) return false;
  }
  return true;
}

/**
 * Shorter than a page that came, so that its rows cover the first border; between rows of different
 * times, which keep their order.
 */
function sizeToCheck(rows: readonly Row<unknown>[], longest: number): number | undefined {
  const shortest = Math.max(2, Math.ceil(longest / 2));
  const isClean = (size: number): boolean =>
    rows.every(
      ({ time }, place) => place === 0 || place % size > 0 || time !== rows[place - 1]?.time,
    );
  for (let size = longest - 1; size >= shortest; size -= 1) if (isClean(size)) return size;
  return undefined;
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
