import { hourMs } from '../../../base/time.ts';
import type { TimeUnit } from '../historySource.ts';
import { hasAll, orderOf, rowsIn, type Answer, type Row } from './answer.ts';
import { finishWhole, readPages } from './pages.ts';
import { noteProvenEnd, proveEnds, provingRow, readOtherwise } from './rangeEnds.ts';
import { edgesAreProven, orderIsProven } from './rules.ts';
import { contains, isOneUnit, lengthOf, splitOff, type TimeWindow } from './timeWindow.ts';
import { readUnsorted, wholeWindow } from './unsorted.ts';
import { nothing, type Found, type WalkRun } from './walkRun.ts';

/** The rows of a window that an answer has for certain, and what is left to read. */
type Step<Item> = {
  readonly window: TimeWindow;
  readonly answer: Answer<Item>;
  readonly complete: readonly Row<Item>[];
  /** It begins or ends with the unit of the last row, which may go on; null where the window was passed. */
  readonly rest: TimeWindow | null;
  /** The rows of that unit. */
  readonly edgeRows: readonly Row<Item>[];
};

/** Why the rows of a first answer cannot be returned. */
type Problem = 'order' | 'endsIgnored' | 'edgesUnproven';

/**
 * Rows in order of time: an answer has all rows from the near end of the window to the unit of its last
 * row, which is asked for again. A unit is returned once, from an answer that has all of it.
 */
export async function readInOrder<Item>(
  run: WalkRun<Item>,
  window: TimeWindow,
  answer: Answer<Item>,
): Promise<Found<Item>> {
  const rows = rowsIn(answer.rows, window);
  const isPassed = answer.rows.some((row) => run.isBeyond(window, row));
  if (answer.sent === 0 || (isPassed && rows.length === 0)) return run.finish(answer, window);
  const edge = run.unitOf(rows.at(-1)?.time ?? 0);
  const complete = isPassed ? rows : rows.filter(({ time }) => !contains(edge, time));
  const isAll = asksForAll(run, answer, window);
  if (!isAll && complete.length === 0) return nothing;
  if (rows.length === 0 || isOneUnit(window, run.unitOf)) return readUnsorted(run, window, answer);
  const whole = !isPassed && isAll ? await wholeWindow(run, answer) : undefined;
  if (whole) return (await proveEnds(run, answer)) ? run.finish(whole, window) : nothing;
  if (complete.length === 0) return readCrowdedUnit(run, window, answer, edge);
  const rest = isPassed ? null : restFrom(run, window, edge);
  const step = { window, answer, complete, rest, edgeRows: rowsIn(rows, edge) };
  const problem = (await findOrderProblem(run, step)) ?? (await findGap(run, step));
  const { isOrderProven } = run.state;
  if (problem && isOrderProven) run.set({ hasDrifted: true });
  else if (problem === 'order') run.set({ order: 'none' });
  else if (problem) readOtherwise(run, problem);
  if ((problem && !isOrderProven) || !(await proveEnds(run, answer))) return nothing;
  run.set({ isOrderProven: true });
  return run.finish({ ...answer, rows: complete }, window, rest ? [rest] : []);
}

/** Whether a question asks for all rows of a window. */
function asksForAll(run: WalkRun<unknown>, { question }: Answer<unknown>, window: TimeWindow) {
  const { from, to } = run.exactQuestion(window);
  return (question.from ?? -Infinity) <= (from ?? -Infinity) && question.to >= to;
}

/**
 * Before the first rows are returned, the farther half of them is asked for again, and half as much
 * beyond, which is the next answer. It must have room for others, or that half is asked for alone.
 */
async function findOrderProblem<Item>(
  run: WalkRun<Item>,
  { window, answer: first, complete, rest, edgeRows }: Step<Item>,
): Promise<Problem | undefined> {
  const farther = complete.slice(complete.length >> 1);
  const middle = provingRow(run, farther) ?? farther[0];
  if (run.state.isOrderProven || !middle) return undefined;
  const half = isNewestFirst(run)
    ? { from: rest ? rest.to : window.from, to: run.unitOf(middle.time).to }
    : { from: run.unitOf(middle.time).from, to: rest?.from ?? window.to };
  let asked = rest ? furtherThan(run, half, window) : half;
  let next = await run.ask(run.exactQuestion(asked));
  const isNext = rest !== null && next.sent < first.sent;
  if (!isNext && rest) {
    asked = half;
    next = await run.ask(run.exactQuestion(half));
  }
  if (run.isTooWide(next)) return 'endsIgnored';
  const [known, shown] = [rowsIn(complete, half), rowsIn(next.rows, half)];
  if (!orderIsProven(known, shown)) return hasAll(shown, known) ? 'order' : 'edgesUnproven';
  noteProvenEnd(run, asked.to, next);
  if (!isNext) return undefined;
  if (orderOf(next.rows) !== run.state.order) return 'order';
  if (!edgesAreProven(edgeRows, next)) return 'edgesUnproven';
  run.next = next;
  return undefined;
}

function isNewestFirst(run: WalkRun<unknown>): boolean {
  return run.state.order === 'newestFirst';
}

/** A part of a window, and half as much beyond it. */
function furtherThan(run: WalkRun<unknown>, half: TimeWindow, window: TimeWindow): TimeWindow {
  const { from, to } = half;
  const begin = from ?? to;
  const reachMs = (to - begin) / 2;
  return isNewestFirst(run)
    ? { from: Math.max(run.unitOf(begin - 1 - reachMs).from, window.from ?? -Infinity), to }
    : { from, to: Math.min(run.unitOf(to + reachMs).to, window.to) };
}

/**
 * Asks the next question: the rows of the last unit must come again. Oldest first, it begins with them
 * where a unit more would be a day of known rows.
 */
async function findGap<Item>(
  run: WalkRun<Item>,
  { rest, edgeRows }: Step<Item>,
): Promise<Problem | undefined> {
  if (!rest || run.next) return undefined;
  const widest = run.questionFor(rest);
  const isDear = !isNewestFirst(run) && lengthOf(run.unitOf(rest.from ?? 0)) > hourMs;
  let next = await run.ask(isDear ? { ...widest, from: rest.from } : widest);
  if (!isContinued(run, edgeRows, next)) next = await run.ask(widest);
  run.next = next;
  if (!run.state.isOrderProven && run.isTooWide(next)) return 'endsIgnored';
  if (!isContinued(run, edgeRows, next)) return 'edgesUnproven';
  noteProvenEnd(run, rest.to, next);
  return undefined;
}

/** Whether the rows of a unit came again; not all of them, where an answer does not go beyond it. */
function isContinued(
  run: WalkRun<unknown>,
  edgeRows: readonly Row<unknown>[],
  next: Answer<unknown>,
): boolean {
  const [edge, last] = [edgeRows[0], next.rows.at(-1)];
  const isCut = edge && last && !run.isBeyond(run.unitOf(edge.time), last);
  return isCut === true || edgesAreProven(edgeRows, next);
}

/** What is left of a window from a unit on. */
function restFrom(run: WalkRun<unknown>, { from, to }: TimeWindow, unit: TimeUnit): TimeWindow {
  return isNewestFirst(run) ? { from, to: unit.to } : { from: unit.from, to };
}

/** A unit of several pages. Where the order is not proven yet, it is asked for alone. */
async function readCrowdedUnit<Item>(
  run: WalkRun<Item>,
  window: TimeWindow,
  answer: Answer<Item>,
  unit: TimeUnit,
): Promise<Found<Item>> {
  const read = run.state.isOrderProven ? await readPages(run, answer, unit) : undefined;
  if (!read) return run.split([...splitOff(window, unit), unit]);
  return read.isEnd ? finishWhole(run, window, read) : readInOrder(run, window, read);
}
