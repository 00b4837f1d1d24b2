import { isConclusive, merged, orderOf, rowsIn, type Answer } from './answer.ts';
import type { UnprovenReason } from './cursor.ts';
import { askBeyond, isLikelyWhole, readPages, wholePage } from './pages.ts';
import { proveEnds } from './rangeEnds.ts';
import { depthIsProven, distinctRows, endIsReached, maxTries } from './rules.ts';
import { earliestMs, isOneUnit, splitOff, type TimeWindow } from './timeWindow.ts';
import { nothing, type Found, type WalkRun } from './walkRun.ts';

/** After so many pages without a new row, the exchange gives rows for any page number. */
const maxIdlePages = 3;

/** Rows in no known order: a window is split until an answer has all of it. */
export async function readUnsorted<Item>(
  run: WalkRun<Item>,
  window: TimeWindow,
  answer: Answer<Item>,
): Promise<Found<Item>> {
  if (answer.sent === 0) return run.finish(answer, window);
  if (!(await proveEnds(run, answer))) return nothing;
  if (isOneUnit(window, run.unitOf)) return readUnit(run, window, answer);
  const whole = await wholeWindow(run, answer);
  if (whole) return run.finish(whole, window);
  const times = rowsIn(answer.rows, window).map(({ time }) => time);
  if (times.length === 0) {
    const pages = await readPasses(run, answer);
    if (!pages.problem) return run.finish(pages.answer, window);
  }
  const begin = window.from ?? Math.min(earliestMs, window.to - 1);
  const middle = times.toSorted((a, b) => a - b)[times.length >> 1];
  const { from, to } = run.unitOf(middle ?? (begin + window.to) / 2);
  const edge = from > begin ? from : to;
  return run.split(splitOff(window, { from: edge, to: edge }));
}

/** An answer that has all rows of its question, where the exchange gave more in another one. */
export async function wholeWindow<Item>(run: WalkRun<Item>, answer: Answer<Item>) {
  const isShort = depthIsProven(answer.sent, run.state.largestPage, null);
  return isShort ? wholePage(run, answer) : undefined;
}

/** One unit, asked for alone. Its pages may show that rows are in order, where one did not. */
async function readUnit<Item>(
  run: WalkRun<Item>,
  unit: TimeWindow,
  first: Answer<Item>,
): Promise<Found<Item>> {
  const whole = isLikelyWhole(run, first) ? await wholePage(run, first) : undefined;
  if (whole) return finishWhole(run, unit, whole);
  const pages = await readPages(run, first, unit);
  if (!pages) {
    const { answer, problem } = await readPasses(run, first);
    if (!problem) return finishWhole(run, unit, answer);
    run.markIncomplete(problem);
    return run.finish(answer, unit);
  }
  const rows = rowsIn(pages.rows, unit);
  if (rows.length > first.sent && isConclusive(rows) && orderOf(rows) === run.state.order)
    run.set({ isOrderProven: true });
  return pages.isEnd ? finishWhole(run, unit, pages) : run.finish(pages, unit);
}

/** Ends a window with all rows that the exchange gives: it may have more. */
export function finishWhole<Item>(run: WalkRun<Item>, window: TimeWindow, answer: Answer<Item>) {
  if (!depthIsProven(answer.sent, run.state.largestPage, answer.count))
    run.markIncomplete('depthUnproven');
  return run.finish(answer, window);
}

/**
 * Rows that share a time may change places with every answer: the pages are read again in other sizes,
 * as a pass in the same size may come from a cache, until two passes to the end have as many places as
 * there are different rows.
 */
async function readPasses<Item>(
  run: WalkRun<Item>,
  { question, sent: longest }: Answer<Item>,
): Promise<{ readonly answer: Answer<Item>; readonly problem?: UnprovenReason }> {
  let agreeing: (readonly Answer<Item>[])[] = [];
  for (let tries = 0; ; tries += 1) {
    const { pages, problem } = await readPass(run, question, longest - tries);
    const places = pages.flatMap(({ rows }) => rows).length;
    const agrees = places === agreeing[0]?.flatMap(({ rows }) => rows).length;
    agreeing = problem ? [] : [...(agrees ? agreeing : []), pages];
    if (distinctRows(agreeing.flat()).length > places) agreeing = [pages];
    // Rows of the first of these passes may have left before its end.
    const rows = distinctRows(agreeing.slice(1).flat());
    if (agreeing.length > 1 && rows.length === places)
      return { answer: merged(question, pages, rows) };
    if (problem === 'endUnproven' || tries + 1 >= Math.min(maxTries, longest)) {
      const all = distinctRows([...agreeing.flat(), ...pages]);
      return { answer: merged(question, pages, all), problem: problem ?? 'movedUnseen' };
    }
  }
}

/** Pages from the first to an empty one. */
async function readPass<Item>(
  run: WalkRun<Item>,
  question: TimeWindow,
  size: number,
): Promise<{ readonly pages: readonly Answer<Item>[]; readonly problem?: UnprovenReason }> {
  const pages: Answer<Item>[] = [];
  for (let idle = 0; idle < maxIdlePages;) {
    const page = await run.ask(question, pages.length, size);
    if (page.isRefused) break;
    const before = distinctRows(pages).length;
    pages.push(page);
    idle = distinctRows(pages).length > before ? 0 : idle + 1;
    if (!endIsReached(page)) continue;
    const places = pages.reduce((sum, { sent }) => sum + sent, 0);
    const isCut = pages.slice(0, -2).some(({ sent }) => sent < size);
    const isEnd = places % size === 0 || endIsReached(await askBeyond(run, question, places, size));
    return isEnd && !isCut ? { pages } : { pages, problem: 'movedUnseen' };
  }
  return { pages, problem: 'endUnproven' };
}
