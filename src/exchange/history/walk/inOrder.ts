import { hourMs } from '../../../base/time.ts';
import type { TimeUnit } from '../historySource.ts';
import { hasAll, readingOf, rowsIn, type Answer, type Row } from './answer.ts';
import { readOtherwise } from './numberedPages.ts';
import { isLikelyWhole, isWhole } from './pageCheck.ts';
import { canProveEnds, proveEnds } from './rangeEnds.ts';
import { edgesAreProven, orderIsProven } from './rules.ts';
import { isOneUnit, lengthOf, nonEmpty, splitOff, type TimeWindow } from './timeWindow.ts';
import { readPagesOfUnit, readWithoutOrder } from './wholeWindow.ts';
import { nothing, type Found, type WalkRun } from './walkRun.ts';

/** The rows of a window that an answer has for certain, and what is left to read. */
type Step<Item> = {
  readonly window: TimeWindow;
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
  if (!last || isOneUnit(window, run.unitOf))
    return readWithoutOrder(run, window, question, answer);
  if (!isPassed && isLikelyWhole(run, answer)) {
    if (!(await proveEnds(run, answer))) return nothing;
    if (await isWhole(run, question, answer)) return run.finish(answer, window);
  }
  const edge = run.unitOf(last.time);
  const edgeRows = rowsIn(rows, edge);
  const rest = restBeyond(run, window, { from: edge.to, to: edge.from });
  if (edgeRows.length === rows.length && !isPassed)
    return readCrowdedUnit(run, window, question, answer, edge);
  const step = isPassed
    ? { window, complete: rows, rest: null, edgeRows: [] }
    : { window, complete: rows.filter((row) => !edgeRows.includes(row)), rest, edgeRows };
  const problem = (await findOrderProblem(run, step)) ?? (await findGap(run, step));
  if (problem && tries < maxFirstTries)
    return readInOrder(run, window, question, await run.ask(question), tries + 1);
  if (problem === 'order') run.set({ order: 'none' });
  else if (problem) readOtherwise(run, problem);
  if (problem || !(await proveEnds(run, answer))) return nothing;
  run.set({ isOrderProven: true });
  return run.finish({ ...answer, rows: step.complete }, window, step.rest ? [step.rest] : []);
}

/**
 * Before the first rows are returned, about half of them are asked for alone, so that an answer has room
 * for as many others. Oldest first, this question ends beside rows that came.
 */
async function findOrderProblem<Item>(
  run: WalkRun<Item>,
  { window, complete }: Step<Item>,
): Promise<Problem | undefined> {
  const middle = complete[complete.length >> 1];
  if (run.state.isOrderProven || !middle) return undefined;
  const unit = run.unitOf(middle.time);
  const isNewestFirst = run.state.order === 'newestFirst';
  const top = isNewestFirst
    ? { from: unit.from, to: window.to }
    : { from: window.from, to: unit.to };
  const question = run.exactQuestion(top);
  const answer = await run.ask(question);
  const [expected, shown] = [rowsIn(complete, top), rowsIn(answer.rows, top)];
  if (run.isTooWide(question, answer)) return 'endsIgnored';
  if (!orderIsProven(expected, shown)) return hasAll(shown, expected) ? 'order' : 'edgesUnproven';
  if (!isNewestFirst) noteProvenEnds(run, rowsIn(complete, unit));
  return undefined;
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
  if (!rest) return undefined;
  const { isOrderProven, order, hasDrifted } = run.state;
  const widest = run.questionFor({ ...rest, isPart: false });
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
  if (order === 'newestFirst')
    noteProvenEnds(
      run,
      edgeRows.filter((row) => hasAll(answer.rows, [row])),
    );
  if (run.isTooWide(question, answer)) return 'endsIgnored';
  return isGap ? 'edgesUnproven' : undefined;
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

function noteProvenEnds(run: WalkRun<unknown>, rows: readonly Row<unknown>[]): void {
  if (rows.some((row) => canProveEnds(run, row))) run.set({ areEndsProven: true });
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
  const rest = restBeyond(run, window, unit);
  const pages = await readPagesOfUnit(run, question, unit, answer);
  if (!pages) return run.split(nonEmpty([rest, unit]));
  const found = run.finish(readingOf(pages), unit, nonEmpty([rest]));
  const beyond = rowsIn(readingOf(pages).rows, rest);
  const [first] = beyond;
  if (first) await findGap(run, { rest, edgeRows: rowsIn(beyond, run.unitOf(first.time)) });
  return found;
}
