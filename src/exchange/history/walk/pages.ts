import { areSame, merged, orderOf, placesOf, rowsIn, type Answer, type Row } from './answer.ts';
import type { UnprovenReason } from './cursor.ts';
import {
  depthIsProven,
  distinctRows,
  endIsReached,
  leastDepth,
  maxTries,
  nothingMoved,
} from './rules.ts';
import { splitOff, type TimeWindow } from './timeWindow.ts';
import type { WalkRun } from './walkRun.ts';

/** After so many pages without a new row, the exchange gives rows for any page number. */
const maxIdlePages = 3;

/** Whether an answer is likely to have all rows of its question: worth a check. */
export function isLikelyWhole(run: WalkRun<unknown>, { sent, count }: Answer<unknown>): boolean {
  return sent * 2 < run.state.largestPage || count === sent;
}

/** A first page if it has all rows of its question: nothing follows it, and then it comes again. */
export async function wholePage<Item>(
  run: WalkRun<Item>,
  question: TimeWindow,
  first: Answer<Item>,
): Promise<Answer<Item> | undefined> {
  const beyond = await askBeyond(run, question, first.sent, first.sent);
  if (!endIsReached(beyond) && !(await isAlone(run, question, first, beyond))) return undefined;
  const again = await run.ask(question, 0, first.sent + 1);
  const isWhole = again.sent === first.sent && nothingMoved(first.rows, again);
  return isWhole ? merged([first, beyond], first.rows) : undefined;
}

/**
 * Asks for what follows right behind so many places. A multiple of the size lies there, so that no row is
 * skipped, whether the exchange counts pages in the size that was asked for or in a shorter one.
 */
function askBeyond<Item>(
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

/** Rows in the first places of a question. */
type Places<Item> = {
  readonly pages: readonly Answer<Item>[];
  readonly rows: readonly Row<Item>[];
  /** The size of the last page. */
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
  question: TimeWindow,
  first: Answer<Item>,
  unit: TimeWindow,
): Promise<{ readonly answer: Answer<Item>; readonly isEnd: boolean } | undefined> {
  if (first.badRecords.length > 0) return undefined;
  let read: Places<Item> = { pages: [first], rows: first.rows, size: first.sent, end: 'unseen' };
  while (read.end !== 'proven' && !read.rows.some((row) => run.isBeyond(unit, row))) {
    const next = await readOn(run, question, read);
    if (!next) return undefined;
    read = next;
  }
  const { pages, rows, end } = read;
  if (distinctRows(pages).length < rows.length) return undefined;
  return { answer: merged(pages, rows), isEnd: end === 'proven' };
}

/** Rows of the last time may change places with rows that follow; all before it must keep theirs. */
async function readOn<Item>(
  run: WalkRun<Item>,
  question: TimeWindow,
  { pages, rows, size: lastSize, end }: Places<Item>,
): Promise<Places<Item> | undefined> {
  const longest = pages[0]?.sent ?? 0;
  const across = pageAcross(run, rows, longest, lastSize);
  if (!across) return undefined;
  const { page, size } = across;
  const answer = await run.ask(question, page, size);
  const known = rows.slice(page * size);
  const steady = known.filter(({ time }) => end === 'seen' || time !== known.at(-1)?.time);
  if (answer.badRecords.length > 0 || !nothingMoved(steady, answer)) return undefined;
  const read = { rows: [...rows.slice(0, page * size), ...answer.rows], size };
  const isSame = end === 'seen' && answer.sent === known.length;
  if (isSame || answer.sent === size)
    return { ...read, pages: [...pages, answer], end: isSame ? 'proven' : 'unseen' };
  const beyond = await askBeyond(run, question, read.rows.length, longest);
  if (!endIsReached(beyond)) return undefined;
  return { ...read, pages: [...pages, answer, beyond], end: 'seen' };
}

/** The page that reaches furthest, of those that begin with rows of at least two times. */
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

/**
 * Rows that share a time may change places with every answer: the pages are read again in other sizes,
 * as a pass in the same size may come from a cache, until two passes to the end have as many places as
 * there are different rows.
 */
export async function readPasses<Item>(
  run: WalkRun<Item>,
  question: TimeWindow,
  first: Answer<Item>,
): Promise<{ readonly answer: Answer<Item>; readonly problem?: UnprovenReason }> {
  let agreeing: (readonly Answer<Item>[])[] = [];
  let pass: { pages: readonly Answer<Item>[]; problem?: UnprovenReason } = { pages: [first] };
  const least = Math.max(0, first.sent - maxTries);
  for (let size = first.sent; size > least && pass.problem !== 'endUnproven'; size -= 1) {
    pass = await readPass(run, question, size);
    const { pages, problem } = pass;
    const places = placesOf(pages);
    const agrees = places === placesOf(agreeing[0] ?? []);
    agreeing = problem ? [] : [...(agrees ? agreeing : []), pages];
    if (distinctRows(agreeing.flat()).length > places) agreeing = [pages];
    // Rows of the first of these passes may have left before its end.
    const answer = merged(pages, distinctRows(agreeing.slice(1).flat()));
    if (agreeing.length > 1 && answer.sent === places) return { answer };
  }
  const answer = merged(pass.pages, distinctRows([...agreeing.flat(), ...pass.pages]));
  return { answer, problem: pass.problem ?? 'movedUnseen' };
}

/** The pages of a question from the first to an empty one, behind which the last row really is the last. */
async function readPass<Item>(run: WalkRun<Item>, question: TimeWindow, size: number) {
  const pages: Answer<Item>[] = [];
  const known = new Set<string>();
  for (let idle = 0; idle < maxIdlePages;) {
    const page = await run.ask(question, pages.length, size);
    if (endIsReached(page)) {
      const isCut = pages.slice(0, -1).some(({ sent }) => sent !== size);
      const places = placesOf(pages);
      const isEnd =
        !isCut &&
        (places % size === 0 || endIsReached(await askBeyond(run, question, places, size)));
      return { pages: [...pages, page], ...(!isEnd && ({ problem: 'movedUnseen' } as const)) };
    }
    if (page.isRefused) break;
    const isIdle = page.rows.length > 0 && page.rows.every(({ id }) => known.has(id));
    idle = isIdle ? idle + 1 : 0;
    for (const { id } of page.rows) known.add(id);
    pages.push(page);
  }
  return { pages, problem: 'endUnproven' } as const;
}

/** Notes whether all rows of a question were given. */
export function checkDepth<Item>(run: WalkRun<Item>, answer: Answer<Item>): void {
  if (!depthIsProven(answer, run.state)) run.markIncomplete('depthUnproven');
  run.countBeside(answer);
}
