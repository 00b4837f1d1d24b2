import { contains, isEmpty, lengthOf, subtract, type Interval } from '../../../base/interval.ts';
import { hourMs } from '../../../base/time.ts';
import { hasAll, merged, orderOf, rowsIn, type HistoryPage, type Row } from '../page.ts';
import { finishWhole, readPages, readPasses, wholePage } from './pages.ts';
import { proveEnds, provingRow, startFallback } from './rangeEnds.ts';
import {
  depthIsProven,
  distinctRows,
  edgeCameAgain,
  endIsReached,
  orderIsProven,
} from './rules.ts';
import { nothing, type Found, type WalkRun } from './walkRun.ts';

/** What an answer gave of the window. */
type Step<Item> = {
  readonly answer: HistoryPage<Item>;
  /** The rows that it has for certain. */
  readonly complete: readonly Row<Item>[];
  /** The unit of the last row, which may continue; undefined if the window was passed. */
  readonly edge: Interval | undefined;
};

/** Reads the window that an answer is about: as a whole, as a step in order of time, or in parts. */
export async function readWindow<Item>(
  run: WalkRun<Item>,
  answer: HistoryPage<Item>,
): Promise<Found<Item>> {
  const { window } = run;
  const rows = rowsIn(answer.rows, window);
  const provenOrder = run.state.isOrderProven ? run.state.order : undefined;
  if (rows.length === 0 && endIsReached(answer, window, provenOrder)) return run.finish(answer);
  const canBeParted = rows.length > 0 && !run.isOneUnit(window);
  const isStep = run.isOrdered && canBeParted;
  if (isStep && (run.isPassed(answer) || !run.asksForAll(answer))) return readStep(run, answer);
  // A count does not prove that a longer window is whole.
  const mayBeWhole = !canBeParted || depthIsProven(answer, run.state.largestPage);
  const whole = mayBeWhole ? await wholePage(run, answer) : undefined;
  if ((whole || !isStep) && !(await proveEnds(run, answer))) return nothing;
  if (whole) return finishWhole(run, whole);
  if (isStep) return readStep(run, answer);
  if (canBeParted) return splitAtMedian(run, rows);
  return finishWhole(run, await readPasses(run, answer));
}

/**
 * Rows in order of time: an answer has all rows from the near end of the window to the unit of its last
 * row, which is asked for again. A unit is returned once, from an answer that has all of it.
 */
async function readStep<Item>(run: WalkRun<Item>, answer: HistoryPage<Item>): Promise<Found<Item>> {
  const isPassed = run.isPassed(answer);
  const rows = rowsIn(answer.rows, run.window);
  const unit = run.unitOf(rows.at(-1)?.time ?? 0);
  const complete = isPassed ? rows : rows.filter(({ time }) => !contains(unit, time));
  if (complete.length > 0)
    return takeStep(run, { answer, complete, edge: isPassed ? undefined : unit });
  return run.asksForAll(answer) ? readCrowdedUnit(run, answer, unit) : nothing;
}

/** Returns the rows of a step if the next answers agree with it. */
async function takeStep<Item>(run: WalkRun<Item>, step: Step<Item>) {
  const { answer, complete, edge } = step;
  const { isOrderProven } = run.state;
  const problem = (await findOrderProblem(run, step)) ?? (await findGap(run, step));
  if (problem && isOrderProven) run.set({ hasDrifted: true });
  else if (problem === 'orderUnproven') run.set({ order: 'none' });
  else if (problem) startFallback(run, problem);
  if (problem && !isOrderProven) return nothing;
  // If nothing follows the next answer, that proves the ends, too.
  const rest =
    edge && !isOrderProven ? await wholeRest(run, run.through(edge, run.window)) : undefined;
  if (!(await proveEnds(run, answer))) return nothing;
  run.set({ isOrderProven: true });
  if (rest) {
    const rows = distinctRows([{ ...answer, rows: complete }, rest]);
    run.next = undefined;
    return run.finish(merged(answer.question, [answer, rest], rows));
  }
  return run.finish({ ...answer, rows: complete }, edge ? [run.through(edge, run.window)] : []);
}

/** The next answer, if it has all rows that are left. */
async function wholeRest<Item>(run: WalkRun<Item>, rest: Interval) {
  const { next, state } = run;
  const mayBeWhole = next && run.asksForAll(next, rest) && depthIsProven(next, state.largestPage);
  return mayBeWhole ? wholePage(run, next) : undefined;
}

/**
 * Before the first rows are returned, most of them are asked for again, and a few beyond them, which is
 * the next answer. It must have room for others, or they are asked for without the few beyond.
 */
async function findOrderProblem<Item>(run: WalkRun<Item>, step: Step<Item>) {
  const { answer: first, complete, edge } = step;
  const most = complete.slice(complete.length >> 2);
  const nearest = provingRow(run, most) ?? most[0];
  if (run.state.isOrderProven || !nearest) return undefined;
  const end = edge ? { from: edge.to, to: edge.from } : run.window;
  const unit = run.unitOf(nearest.time);
  const again = run.through(unit, end);
  let asked = edge ? furtherThan(run, again) : again;
  let next = await run.ask(run.exactQuestion(asked));
  const isNext = edge !== undefined && next.sent < first.sent;
  if (edge && !isNext) [asked, next] = [again, await run.ask(run.exactQuestion(again))];
  if (run.isTooWide(next)) return 'endsIgnored';
  // A day beside these rows may fill the answer.
  if (next.sent >= first.sent && lengthOf(unit) < hourMs) return 'orderUnproven';
  const [known, shown] = [rowsIn(complete, again), rowsIn(next.rows, again)];
  const isSorted = (orderOf(next.rows) ?? run.state.order) === run.state.order;
  if (!orderIsProven(known, shown) || !isSorted)
    return hasAll(shown, known) ? 'orderUnproven' : 'edgesUnproven';
  run.noteProvenEnds(asked, next);
  if (!isNext) return undefined;
  run.next = next;
  return edgeCameAgain(rowsIn(first.rows, edge), next.rows) ? undefined : 'edgesUnproven';
}

/** A part of the window, and a sixth as much beyond it. */
function furtherThan(run: WalkRun<unknown>, { from, to }: Interval): Interval {
  const reachMs = (to - from) / 6;
  return run.isNewestFirst
    ? { from: Math.max(run.unitOf(from - 1 - reachMs).from, run.window.from), to }
    : { from, to: Math.min(run.unitOf(to + reachMs).to, run.window.to) };
}

/**
 * Asks the next question: the answer must repeat the rows of the last unit, as far as it goes. Oldest
 * first, it begins with them if a unit more would be a day of known rows.
 */
async function findGap<Item>(run: WalkRun<Item>, { answer, edge }: Step<Item>) {
  if (!edge || run.next) return undefined;
  const edgeRows = rowsIn(answer.rows, edge);
  const isGap = ({ rows }: HistoryPage<Item>): boolean => {
    const last = rows.at(-1);
    const isReached = ({ time }: Row<Item>): boolean =>
      !last || run.isBeyond({ from: time, to: time + 1 }, last);
    return !edgeCameAgain(edgeRows.filter(isReached), rows);
  };
  const rest = run.through(edge, run.window);
  const widest = run.through(run.exactQuestion(rest), run.questionFor(rest));
  const isExpensive = !run.isNewestFirst && lengthOf(edge) > hourMs;
  let next = await run.ask(isExpensive ? { ...widest, from: rest.from } : widest);
  if (isGap(next)) next = await run.ask(widest);
  run.next = next;
  if (!run.state.isOrderProven && run.isTooWide(next)) return 'endsIgnored';
  if (isGap(next)) return 'edgesUnproven';
  run.noteProvenEnds(rest, next);
  return undefined;
}

/** A unit of several pages. If the order is not proven yet, it is asked for alone. */
async function readCrowdedUnit<Item>(
  run: WalkRun<Item>,
  answer: HistoryPage<Item>,
  unit: Interval,
) {
  const read = run.state.isOrderProven ? await readPages(run, answer, unit) : undefined;
  return read ? readStep(run, read) : run.split([...subtract([run.window], [unit]), unit]);
}

/** Rows in no known order: a window is split until an answer has all of it. */
function splitAtMedian<Item>(run: WalkRun<Item>, rows: readonly Row<Item>[]) {
  const { from, to } = run.window;
  const times = rows.map(({ time }) => time).toSorted((a, b) => a - b);
  const unit = run.unitOf(times[times.length >> 1] ?? to);
  const edge = unit.from > from ? unit.from : unit.to;
  const parts = [
    { from, to: edge },
    { from: edge, to },
  ];
  return run.split(parts.filter((part) => !isEmpty(part)));
}
