import type { UnprovenReason, WalkWindow } from './cursor.ts';
import type { Found, WalkRun } from './walkRun.ts';

/**
 * The exchange does not apply the ends of a question to the unit: begins again in coarser units, or at
 * last with the pages of the range by number. They are never proved to be complete, as rows may move
 * between pages unseen. Where rows are returned already, the walk goes on.
 */
export function readOtherwise(run: WalkRun<unknown>, reason: UnprovenReason): void {
  const { rows, returned } = run.state;
  if (rows > 0 || returned.length > 0) {
    run.markIncomplete(reason);
    run.set({ areEndsProven: true, order: 'none' });
  } else if (!run.usesCoarserUnits()) {
    run.restart();
    run.markIncomplete(reason);
    run.set({ page: 0 });
  }
}

export async function readNumberedPage<Item>(
  run: WalkRun<Item>,
  window: WalkWindow,
  page: number,
): Promise<Found<Item>> {
  const { largestPage, windows, returned } = run.state;
  const size = page > 0 ? largestPage : undefined;
  const answer = await run.ask(run.exactQuestion(window), page, size);
  const known = new Set(returned);
  const isRepeated = answer.rows.length > 0 && answer.rows.every(({ key }) => known.has(key));
  const isEnd = answer.sent === 0 || (page > 0 && isRepeated);
  const found = run.finish(answer, { from: null, to: Infinity });
  const keys = found.rows.map(({ key }) => key);
  run.set({ page: isEnd ? 0 : page + 1, returned: [...returned, ...keys], part: null });
  if (!isEnd) run.set({ windows });
  return found;
}
