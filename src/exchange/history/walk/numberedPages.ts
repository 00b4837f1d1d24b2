import type { UnprovenReason, WalkWindow } from './cursor.ts';
import type { Found, WalkRun } from './walkRun.ts';

/**
 * The last resort where the exchange ignores the ends of a question: the pages of the range by number.
 * They are never proved to be complete, as rows may move between pages unseen.
 */
export function readNumberedPages<Item>(run: WalkRun<Item>, reason: UnprovenReason): Found<Item> {
  const { rows, returned } = run.state;
  // Which rows were returned is no longer known: to read on would return them twice.
  if (rows > returned.length) run.set({ windows: [], part: null });
  else run.restart();
  run.markIncomplete(reason);
  run.set({ page: 0 });
  return { rows: [], badRecords: [] };
}

export async function readNumberedPage<Item>(
  run: WalkRun<Item>,
  window: WalkWindow,
  page: number,
): Promise<Found<Item>> {
  const { largestPage } = run.state;
  const answer = await run.ask(run.exact(window), page, page > 0 ? largestPage : undefined);
  const { windows, returned } = run.state;
  const known = new Set(returned);
  const isEnd =
    answer.sent === 0 ||
    (page > 0 && answer.rows.length > 0 && answer.rows.every(({ key }) => known.has(key)));
  const found = run.finish(answer, { from: null, to: Infinity }, isEnd ? [] : [window]);
  const ids = found.rows.map(({ key }) => key);
  run.set({
    page: isEnd ? 0 : page + 1,
    returned: [...returned, ...ids],
    windows: isEnd ? run.state.windows : windows,
    part: null,
  });
  return found;
}
