import { orderOf, readingOf, rowsApart, rowsIn, type Answer } from './answer.ts';
import { hasAllRows, isLikelyWhole, isWhole, keptPlaces, noteDepth } from './pageCheck.ts';
import { readUntilTwoPassesAgree } from './pagePasses.ts';
import { proveEnds } from './rangeEnds.ts';
import { conclusiveRows } from './rules.ts';
import { earliestMs, isOneUnit, splitAt, type TimeWindow } from './timeWindow.ts';
import { nothing, type Found, type WalkRun } from './walkRun.ts';

/** Rows in no known order: a window is split until an answer has all of it. */
export async function readWithoutOrder<Item>(
  run: WalkRun<Item>,
  window: TimeWindow,
  question: TimeWindow,
  answer: Answer<Item>,
): Promise<Found<Item>> {
  if (answer.sent === 0) return run.finish(answer, window);
  if (!(await proveEnds(run, answer))) return nothing;
  if (isOneUnit(window, run.unitOf)) return readUnit(run, question, window, answer);
  if (await isWhole(run, question, answer)) return run.finish(answer, window);
  if (rowsIn(answer.rows, window).length === 0) {
    const { reading, problem } = await readUntilTwoPassesAgree(run, question, answer);
    if (!problem) return run.finish(reading, window);
  }
  return run.split(splitAt(window, run.unitOf(middleOf(window, answer))));
}

/** The time of the row in the middle. */
function middleOf(window: TimeWindow, { rows }: Answer<unknown>): number {
  const times = rowsIn(rows, window).map(({ time }) => time);
  const begin = window.from ?? Math.min(earliestMs, window.to - 1);
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? begin + (window.to - begin) / 2;
}

/** One unit, asked for alone. Its pages may show that rows are in order, where one did not. */
async function readUnit<Item>(
  run: WalkRun<Item>,
  question: TimeWindow,
  unit: TimeWindow,
  first: Answer<Item>,
): Promise<Found<Item>> {
  const pages = await readPagesOfUnit(run, question, unit, first);
  if (!pages) {
    const { reading, problem } = await readUntilTwoPassesAgree(run, question, first);
    if (problem) run.markIncomplete(problem);
    return run.finish(reading, unit);
  }
  const rows = rowsIn(readingOf(pages).rows, unit);
  const isConclusive = pages.length > 1 && rowsApart(rows) >= conclusiveRows;
  if (isConclusive && orderOf(rows) === run.state.order) run.set({ isOrderProven: true });
  return run.finish(readingOf(pages), unit);
}

/**
 * The pages of a question from its first one, which has rows of one unit only, until a row of another
 * unit or the end. Undefined where rows moved or the end is not shown.
 */
export async function readPagesOfUnit<Item>(
  run: WalkRun<Item>,
  question: TimeWindow,
  unit: TimeWindow,
  first: Answer<Item>,
): Promise<readonly Answer<Item>[] | undefined> {
  if (isLikelyWhole(run, first) && (await hasAllRows(run, question, [first])))
    return noteDepth(run, [first]);
  const known = new Set<string>();
  const pages: Answer<Item>[] = [];
  let isPassed = false;
  for (let page = first; page.rows.some(({ id }) => !known.has(id));) {
    pages.push(page);
    for (const { id } of page.rows) known.add(id);
    isPassed = page.rows.some((row) => run.isBeyond(unit, row));
    if (isPassed || page.sent < first.sent) break;
    page = await run.ask(question, pages.length, first.sent);
  }
  if (!isPassed)
    return (await hasAllRows(run, question, pages)) ? noteDepth(run, pages) : undefined;
  const passedAt = readingOf(pages).rows.findIndex((row) => run.isBeyond(unit, row));
  return (await keptPlaces(run, question, pages, passedAt)) ? pages : undefined;
}
