import { rowsIn, type Answer } from './answer.ts';
import { readPasses, readUnit, wholePage } from './pages.ts';
import { proveEnds } from './rangeEnds.ts';
import { depthIsProven } from './rules.ts';
import { earliestMs, isOneUnit, splitOff, type TimeWindow } from './timeWindow.ts';
import { nothing, type Found, type WalkRun } from './walkRun.ts';

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
  const isShort = depthIsProven({ ...answer, count: null }, run.state.largestPage);
  return isShort ? wholePage(run, answer) : undefined;
}
