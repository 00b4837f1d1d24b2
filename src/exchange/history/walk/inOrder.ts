import { hourMs } from '../../../base/time.ts';
import type { TimeUnit } from '../historySource.ts';
import { hasAll, orderOf, rowsIn, type Answer, type Row } from './answer.ts';
import { checkDepth, isLikelyWhole, readPages } from './pages.ts';
import { noteProvenEnds, proveEnds, readOtherwise } from './rangeEnds.ts';
import { edgesAreProven, orderIsProven } from './rules.ts';
import {
  contains,
  isOneUnit,
  lengthOf,
  nonEmpty,
  splitOff,
  type TimeWindow,
} from './timeWindow.ts';
import { nothing, type Found, type WalkRun } from './walkRun.ts';
import { readWithoutOrder, wholeWindow } from './withoutOrder.ts';

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

/** How often the first question is asked where other answers contradict it: rows may have moved. */
const maxFirstTries = 3;

/**
 * Rows in order of time: an answer has all rows from the near end of the window to the unit of its last
 * row, which is asked for again. A unit is returned once, from an answer that has all of it.
 */
export async function readInOrder<Item>(
  run: WalkRun<Item>,
  window: TimeWindow,
  question: TimeWindow,
  answer: Answer<Item>,
  tries = 1,
): Promise<Found<Item>> {
  const rows = rowsIn(answer.rows, window);
  const last = rows.at(-1);
  const isPassed = answer.rows.some((row) => run.isBeyond(window, row));
  if (answer.sent === 0 || (isPassed && !last)) return run.finish(answer, window);
  const isAll = isAbout(run, question, window);
  const edge = run.unitOf(last?.time ?? 0);
  const [complete, edgeRows] = [
    rows.filter(({ time }) => !contains(edge, time)),
    rowsIn(rows, edge),
  ];
  if (!isAll && complete.length === 0) return nothing;
  if (!last || isOneUnit(window, run.unitOf))
    return readWithoutOrder(run, window, question, answer);
  if (!isPassed && isAll && isLikelyWhole(run, answer)) {
    if (!(await proveEnds(run, answer))) return nothing;
    const whole = await wholeWindow(run, question, answer);
    if (whole) return run.finish(whole, window);
  }
  if (complete.length === 0 && !isPassed)
    return readCrowdedUnit(run, window, question, answer, edge);
  const rest = restBeyond(run, window, { from: edge.to, to: edge.from });
  const step = isPassed
    ? { window, answer, complete: rows, rest: null, edgeRows: [] }
    : { window, answer, complete, rest, edgeRows };
  const problem = (await findOrderProblem(run, step)) ?? (await findGap(run, step));
  if (problem) run.next = undefined;
  if (problem && tries < maxFirstTries)
    return readInOrder(run, window, question, await run.ask(question), tries + 1);
  if (problem === 'order') run.set({ order: 'none' });
  else if (problem) readOtherwise(run, problem);
  if (problem || !(await proveEnds(run, answer))) return nothing;
  run.set({ isOrderProven: true });
  return run.finish({ ...answer, rows: step.complete }, window, step.rest ? [step.rest] : []);
}

/** Whether a question asks for all rows of a window. */
function isAbout(run: WalkRun<unknown>, question: TimeWindow, window: TimeWindow): boolean {
  const { from, to } = run.exactQuestion(window);
  return (question.from ?? -Infinity) <= (from ?? -Infinity) && question.to >= to;
}

/**
 * Before the first rows are returned, the farther half of them is asked for again, and half as much
 * beyond, which is the next answer. It must have room for others, or that half is asked for alone.
 */
async function findOrderProblem<Item>(
  run: WalkRun<Item>,
  step: Step<Item>,
): Promise<Problem | undefined> {
  const { window, answer: first, complete, rest, edgeRows } = step;
  const middle = complete[complete.length >> 1];
  if (run.state.isOrderProven || !middle) return undefined;
  const half = halfFrom(run, step, run.unitOf(middle.time));
  for (const asked of rest ? [furtherThan(run, half, window), half] : [half]) {
    const question = run.exactQuestion(asked);
    const answer = await run.ask(question);
    if (asked !== half && answer.sent >= first.sent) continue;
    if (run.isTooWide(question, answer)) return 'endsIgnored';
    const [expected, shown] = [rowsIn(complete, half), rowsIn(answer.rows, half)];
    if (!orderIsProven(expected, shown)) return hasAll(shown, expected) ? 'order' : 'edgesUnproven';
    noteProvenEnds(run, asked.to, answer.rows);
    if (asked === half) return undefined;
    if (orderOf(answer.rows) !== run.state.order) return 'order';
    if (!edgesAreProven(edgeRows, answer)) return 'edgesUnproven';
    run.next = { question, answer };
    return undefined;
  }
  return undefined;
}

/** From a unit on to the last complete row. */
function halfFrom(
  run: WalkRun<unknown>,
  { window, rest }: Step<unknown>,
  unit: TimeUnit,
): TimeWindow {
  return run.state.order === 'newestFirst'
    ? { from: rest ? rest.to : window.from, to: unit.to }
    : { from: unit.from, to: rest?.from ?? window.to };
}

/** A window and half as much beyond it. */
function furtherThan(run: WalkRun<unknown>, half: TimeWindow, window: TimeWindow): TimeWindow {
  const { from, to } = half;
  if (from === null) return half;
  const reachMs = (to - from) / 2;
  return run.state.order === 'newestFirst'
    ? { from: Math.max(run.unitOf(from - 1 - reachMs).from, window.from ?? -Infinity), to }
    : { from, to: Math.min(run.unitOf(to + reachMs).to, window.to) };
}

/**
 * Asks the next question: the rows of the last unit must come again. Later, they may have left. Newest
 * first, this question ends beside rows that came. Oldest first, it begins with them where a unit more
 * would be a day of known rows.
 */
async function findGap<Item>(
  run: WalkRun<Item>,
  { rest, edgeRows }: Pick<Step<Item>, 'rest' | 'edgeRows'>,
): Promise<Problem | undefined> {
  if (!rest || run.next) return undefined;
  const { isOrderProven, order, hasDrifted } = run.state;
  const widest = run.questionFor(rest);
  const isDear = order === 'oldestFirst' && lengthOf(run.unitOf(rest.from ?? 0)) > hourMs;
  let question = isDear ? { ...widest, from: rest.from } : widest;
  let answer = await run.ask(question);
  if (!isContinued(run, edgeRows, answer)) {
    question = widest;
    answer = await run.ask(question);
  }
  const isGap = !isContinued(run, edgeRows, answer);
  run.next = { question, answer };
  run.set({ hasDrifted: hasDrifted || (isGap && isOrderProven) });
  if (isOrderProven) return undefined;
  if (run.isTooWide(question, answer)) return 'endsIgnored';
  if (isGap) return 'edgesUnproven';
  noteProvenEnds(run, rest.to, answer.rows);
  return undefined;
}

/** Whether the rows of a unit came again; not all of them, where an answer does not go beyond it. */
function isContinued<Item>(
  run: WalkRun<Item>,
  edgeRows: readonly Row<Item>[],
  next: Answer<Item>,
): boolean {
  const [edge, last] = [edgeRows[0], next.rows.at(-1)];
  const isCut = edge && last && !run.isBeyond(run.unitOf(edge.time), last);
  return isCut === true || edgesAreProven(edgeRows, next);
}

/** What is left of a window beyond a unit. */
function restBeyond(run: WalkRun<unknown>, window: TimeWindow, unit: TimeUnit): TimeWindow {
  return run.state.order === 'newestFirst'
    ? { from: window.from, to: unit.from }
    : { from: unit.to, to: window.to };
}

/** A unit of several pages. Where the order is not proven yet, it is asked for alone. */
async function readCrowdedUnit<Item>(
  run: WalkRun<Item>,
  window: TimeWindow,
  question: TimeWindow,
  answer: Answer<Item>,
  unit: TimeUnit,
): Promise<Found<Item>> {
  if (!run.state.isOrderProven) return run.split([...splitOff(window, unit), unit]);
  const read = await readPages(run, question, answer, unit);
  if (!read) return run.split(nonEmpty([restBeyond(run, window, unit), unit]));
  if (!read.isEnd) return readInOrder(run, window, question, read.answer);
  checkDepth(run, read.answer);
  return run.finish(read.answer, window);
}
