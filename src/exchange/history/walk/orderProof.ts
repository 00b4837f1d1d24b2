import { idsOf, rowsIn, type Row } from './answer.ts';
import { edgesAreProven, orderIsProven } from './rules.ts';
import type { TimeWindow } from './timeWindow.ts';
import type { WalkRun } from './walkRun.ts';

/** The first answer of a walk in order: its rows in whole units, and those of the unit it ended in. */
type FirstAnswer<Item> = {
  readonly window: TimeWindow;
  /** What is left to read after it. */
  readonly rest: TimeWindow;
  readonly complete: readonly Row<Item>[];
  readonly edgeRows: readonly Row<Item>[];
};

/**
 * Before the first rows are returned: asks for the newer or older half of them alone, and for what is
 * left. Undefined where that proves the order, and that both ends of a question are applied to the unit.
 */
export async function findOrderProblem<Item>(
  run: WalkRun<Item>,
  first: FirstAnswer<Item>,
): Promise<'order' | 'edges' | 'tooWide' | undefined> {
  if (run.state.isOrderProven) return undefined;
  const isNewestFirst = run.state.order === 'newestFirst';
  const { rows, window } = topOf(run, first);
  const top = await run.ask(run.exact(window));
  const shown = { ...top, rows: rowsIn(top.rows, window) };
  if (run.isTooWide(top)) return 'tooWide';
  if (!orderIsProven(idsOf(rows), shown))
    return edgesAreProven(idsOf(rows), shown) ? 'order' : 'edges';
  const nextAnswer = await run.ask(run.stepQuestion(first.rest));
  if (run.isTooWide(nextAnswer)) return 'tooWide';
  if (!edgesAreProven(idsOf(first.edgeRows), nextAnswer)) return 'edges';
  run.nextAnswer = nextAnswer;
  const last = isNewestFirst ? first.edgeRows : rows;
  const to = last.some((row) => run.canProveEnds(row));
  run.set({ isOrderProven: true, edges: { from: true, to } });
  return undefined;
}

/** About half of the rows, in whole units, so that an answer has room for as many others. */
function topOf<Item>(run: WalkRun<Item>, { window, complete }: FirstAnswer<Item>) {
  const isNewestFirst = run.state.order === 'newestFirst';
  const middle = complete[complete.length >> 1];
  const unit = middle ? run.unitOf(middle.time) : window;
  const top = isNewestFirst
    ? { from: unit.from, to: window.to }
    : { from: window.from, to: unit.to };
  return { rows: rowsIn(complete, top), window: top };
}
