import { orderOf, rowsApart, rowsIn, type Answer } from './answer.ts';
import { checkDepth, isLikelyWhole, readPages, readPasses, wholePage } from './pages.ts';
import { proveEnds } from './rangeEnds.ts';
import { conclusiveRows, depthIsProven } from './rules.ts';
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
  const whole = await wholeWindow(run, question, answer);
  if (whole) return run.finish(whole, window);
  if (rowsIn(answer.rows, window).length === 0) {
    const pages = await readPasses(run, question, answer);
    if (!pages.problem) return run.finish(pages.answer, window);
  }
  return run.split(splitAt(window, run.unitOf(middleOf(window, answer))));
}

/** An answer that has all rows of its question, where the exchange gave more in another one. */
export async function wholeWindow<Item>(
  run: WalkRun<Item>,
  question: TimeWindow,
  answer: Answer<Item>,
): Promise<Answer<Item> | undefined> {
  const isShort = depthIsProven({ ...answer, count: null }, run.state);
  return isShort ? wholePage(run, question, answer) : undefined;
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
  const whole = isLikelyWhole(run, first) ? await wholePage(run, question, first) : undefined;
  const pages = whole ? undefined : await readPages(run, question, first, unit);
  if (pages) {
    const rows = rowsIn(pages.answer.rows, unit);
    const isConclusive = rows.length > first.sent && rowsApart(rows) >= conclusiveRows;
    if (isConclusive && orderOf(rows) === run.state.order) run.set({ isOrderProven: true });
    if (!pages.isEnd) return run.finish(pages.answer, unit);
  }
  const all = whole ?? pages?.answer;
  const { answer, problem } = all ? { answer: all } : await readPasses(run, question, first);
  if (problem) run.markIncomplete(problem);
  else checkDepth(run, answer);
  return run.finish(answer, unit);
}
