import { areSame, merged, orderOf, rowsIn, type Answer, type Row } from './answer.ts';
import { distinctRows, endIsReached, leastDepth, nothingMoved } from './rules.ts';
import { splitOff, type TimeWindow } from './timeWindow.ts';
import type { WalkRun } from './walkRun.ts';

/** Whether an answer is likely to have all rows of its question: worth a check. */
export function isLikelyWhole(run: WalkRun<unknown>, { sent, count }: Answer<unknown>): boolean {
  return sent * 2 < run.state.largestPage || count === sent;
}

/** A first page if it has all rows of its question: nothing follows it, and then it comes again. */
export async function wholePage<Item>(run: WalkRun<Item>, first: Answer<Item>) {
  const { question, rows, sent } = first;
  const beyond = await askBeyond(run, question, sent, sent);
  if (!endIsReached(beyond) && !(await isAlone(run, first, beyond))) return undefined;
  const again = await run.ask(question, 0, sent + 1);
  const isWhole = again.sent === sent && nothingMoved(rows, again);
  return isWhole ? { ...first, count: merged(question, [first, beyond]).count } : undefined;
}

/**
 * Asks for what follows right behind so many places. A multiple of the size lies there, so that no row is
 * skipped, whether the exchange counts pages in the size that was asked for or in a shorter one.
 */
export function askBeyond<Item>(
  run: WalkRun<Item>,
  question: TimeWindow,
  places: number,
  longest: number,
): Promise<Answer<Item>> {
  let size = Math.max(1, longest);
  while (places % size > 0) size -= 1;
  return run.ask(question, places / size, size);
}

/**
 * For an exchange without empty pages: whether one or two rows of a unit are all that it gives, as it
 * showed many more at once before, and none beside the unit.
 */
async function isAlone<Item>(run: WalkRun<Item>, first: Answer<Item>, beyond: Answer<Item>) {
  const { question, rows, sent } = first;
  const unit = run.unitOf(rows[0]?.time ?? question.to);
  const isFew = sent <= 2 && rowsIn(rows, unit).length === sent;
  const hasNoEmptyPage = beyond.isRefused || areSame(beyond.rows, rows);
  if (!isFew || !hasNoEmptyPage || run.state.largestPage < leastDepth) return false;
  const from = question.from === null ? null : question.from + 1;
  for (const beside of splitOff({ from, to: question.to }, unit))
    if (!endIsReached(await run.ask(run.exactQuestion(beside)))) return false;
  return true;
}

/** The rows in the first places of a question. */
type Places<Item> = {
  readonly pages: readonly Answer<Item>[];
  readonly rows: readonly Row<Item>[];
  /** Of the last page. */
  readonly size: number;
  /** `seen`: nothing followed the last row. `proven`: and then it was in its place. */
  readonly end: 'unseen' | 'seen' | 'proven';
};

/**
 * Pages of a question in order of time, up to a row beyond a unit or to the end. Each page begins with
 * rows of the page before: where they keep their places, no row crossed the border. Undefined where rows
 * moved or the end is not shown.
 */
export async function readPages<Item>(
  run: WalkRun<Item>,
  first: Answer<Item>,
  unit: TimeWindow,
): Promise<(Answer<Item> & { readonly isEnd: boolean }) | undefined> {
  const { rows, sent: size } = first;
  let read: Places<Item> | undefined = { pages: [first], rows, size, end: 'unseen' };
  while (read && read.end !== 'proven' && !read.rows.some((row) => run.isBeyond(unit, row)))
    read = await readOn(run, read, first);
  if (!read || distinctRows(read.pages).length < read.rows.length) return undefined;
  if (read.pages.some(({ badRecords }) => badRecords.length > 0)) return undefined;
  return { ...merged(first.question, read.pages, read.rows), isEnd: read.end === 'proven' };
}

/** Rows of the last time may change places with rows that follow; all before it must keep theirs. */
async function readOn<Item>(
  run: WalkRun<Item>,
  { pages, rows, size: lastSize, end }: Places<Item>,
  { question, sent: longest }: Answer<Item>,
): Promise<Places<Item> | undefined> {
  const across = pageAcross(run, rows, longest, lastSize);
  if (!across) return undefined;
  const { page, size } = across;
  const answer = await run.ask(question, page, size);
  const known = rows.slice(page * size);
  const steady = known.filter(({ time }) => end === 'seen' || time !== known.at(-1)?.time);
  if (!nothingMoved(steady, answer)) return undefined;
  const read = { rows: [...rows.slice(0, page * size), ...answer.rows], size };
  const isSame = end === 'seen' && answer.sent === known.length;
  if (isSame || answer.sent === size)
    return { ...read, pages: [...pages, answer], end: isSame ? 'proven' : 'unseen' };
  const beyond = await askBeyond(run, question, read.rows.length, longest);
  if (!endIsReached(beyond)) return undefined;
  return { ...read, pages: [...pages, answer, beyond], end: 'seen' };
}

/** The page that reaches furthest, of those that begin with known rows of at least two times. */
function pageAcross(
  { state }: WalkRun<unknown>,
  rows: readonly Row<unknown>[],
  longest: number,
  lastSize: number,
): { readonly page: number; readonly size: number } | undefined {
  const sizes = Array.from({ length: longest }, (_, index) => longest - index);
  return sizes
    .map((size) => ({ size, page: Math.floor((rows.length - 2) / size) }))
    .filter(({ size, page }) => {
      const isAcross = page > 0 && (page + 1) * size > rows.length && size !== lastSize;
      return isAcross && orderOf(rows.slice(page * size)) === state.order;
    })
    .toSorted((a, b) => (b.page + 1) * b.size - (a.page + 1) * a.size)[0];
}
