import { idsOf, rowsIn, type Answer, type Row } from './answer.ts';
import { readNumberedPages } from './numberedPages.ts';
import { findOrderProblem } from './orderProof.ts';
import { depthIsProven, nothingMoved } from './rules.ts';
import { contains, isOneUnit, type TimeWindow } from './timeWindow.ts';
import { nothing, proveWhole, readWithoutOrder } from './wholeWindow.ts';
import type { Found, WalkRun } from './walkRun.ts';

/**
 * Rows in order of time: an answer has all rows from the near end of the window to the unit of its last
 * row, which is asked for again. A unit is returned once, from an answer that has all of it.
 */
export async function readInOrder<Item>(
  run: WalkRun<Item>,
  window: TimeWindow,
  question: TimeWindow,
  answer: Answer<Item>,
  tries = 0,
): Promise<Found<Item>> {
  const rows = rowsIn(answer.rows, window);
  const last = rows.at(-1);
  if (hasPassed(run, window, answer) || answer.sent === 0) return run.finish(answer, window);
  if (!last) return readWithoutOrder(run, window, answer);
  const edge = run.unitOf(last.time);
  const complete = rows.filter(({ time }) => time < edge.from || time >= edge.to);
  const { largestPage, areCutsUneven } = run.state;
  const isLikelyLast =
    (answer.sent < largestPage && !areCutsUneven) || answer.count === answer.sent;
  if (isLikelyLast || complete.length === 0) {
    if (isOneUnit(window, run.unitOf)) return readWithoutOrder(run, window, answer);
    if (depthIsProven(answer.sent, answer.count, run.state)) {
      const proof = await proveWhole(run, question, answer);
      if (proof.kind === 'restarted') return nothing;
      if (proof.kind === 'whole') return run.finish(proof.answer, window);
      if (proof.kind === 'more') run.set({ areCutsUneven: true });
    }
  }
  const isNewestFirst = run.state.order === 'newestFirst';
  if (complete.length === 0) {
    const rest = isNewestFirst
      ? { from: window.from, to: edge.from }
      : { from: edge.to, to: window.to };
    const found = await readCrowdedUnit(run, question, edge, answer);
    if (found) return run.finish(found, edge, [rest].filter(isNonEmpty));
    return continueWith(run, answer, [], [rest, edge].filter(isNonEmpty), rows);
  }
  const rest = isNewestFirst
    ? { from: window.from, to: edge.to }
    : { from: edge.from, to: window.to };
  const edgeRows = rows.filter((row) => !complete.includes(row));
  const problem = await findOrderProblem(run, { window, rest, complete, edgeRows });
  if (problem === undefined) return continueWith(run, answer, complete, [rest], edgeRows);
  if (tries < 2) return readInOrder(run, window, question, await run.ask(question), tries + 1);
  if (problem === 'order') run.set({ order: 'none' });
  else if (!run.readsInCoarserUnits(problem === 'tooWide'))
    return readNumberedPages(run, problem === 'tooWide' ? 'endsIgnored' : 'edgesUnproven');
  return nothing;
}

/**
 * A unit of several pages: they are read until a row of another unit shows, and again, as a row that
 * left may have drawn another over a border. Undefined where that proves nothing.
 */
async function readCrowdedUnit<Item>(
  run: WalkRun<Item>,
  question: TimeWindow,
  unit: TimeWindow,
  first: Answer<Item>,
): Promise<Answer<Item> | undefined> {
  const { isOrderProven } = run.state;
  const pages = [first];
  const isInUnit = ({ time }: Row<Item>) => contains(unit, time);
  for (let last = first; last.rows.length === first.sent && last.rows.every(isInUnit);) {
    last = await run.ask(question, pages.length, first.sent);
    if (nothingMoved(idsOf(pages.at(-1)?.rows ?? []), last)) return undefined;
    pages.push(last);
  }
  if (!pages.at(-1)?.rows.some((row) => !isInUnit(row))) return undefined;
  for (const [page, before] of pages.slice(0, isOrderProven ? -1 : undefined).entries()) {
    const again = await run.ask(run.exact(unit), page, first.sent);
    const shown = { ...again, rows: again.rows.filter(isInUnit) };
    if (!nothingMoved(idsOf(before.rows.filter(isInUnit)), shown)) return undefined;
  }
  if (!isOrderProven)
    run.set({
      isOrderProven: true,
      edges: { from: true, to: first.rows.some((row) => run.canProveEnds(row)) },
    });
  const rows = pages.flatMap((page) => page.rows.filter(isInUnit));
  const isOnce = new Set(idsOf(rows)).size === rows.length;
  const last = pages.at(-1);
  const depth = pages.reduce((sum, { sent }) => sum + sent, 0);
  run.set({ depth: Math.max(run.state.depth, depth) });
  // Of the next unit only: the first page of what is left.
  if (isOnce && last && !last.rows.some(isInUnit)) run.nextAnswer = { ...last, count: null };
  return isOnce ? { ...first, rows } : undefined;
}

function isNonEmpty({ from, to }: TimeWindow): boolean {
  return from === null || from < to;
}

/** Whether the answer has a row beyond the far end of the window: in order, all of it came before. */
function hasPassed<Item>(
  run: WalkRun<Item>,
  { from, to }: TimeWindow,
  answer: Answer<Item>,
): boolean {
  const last = answer.rows.at(-1);
  if (!last) return false;
  return run.state.order === 'newestFirst' ? from !== null && last.time < from : last.time >= to;
}

function continueWith<Item>(
  run: WalkRun<Item>,
  answer: Answer<Item>,
  complete: readonly Row<Item>[],
  left: readonly TimeWindow[],
  edgeRows: readonly Row<Item>[],
): Found<Item> {
  const found = run.finish({ ...answer, rows: complete }, { from: null, to: Infinity }, left);
  run.set({ edgeRows: idsOf(edgeRows) });
  return found;
}
