import { ExchangeError } from '../../exchangeError.ts';
import type { Answer, Row } from './answer.ts';
import type { UnprovenReason } from './cursor.ts';
import { coarserUnitsMs, contains, lengthOf, widestCutMs, type TimeWindow } from './timeWindow.ts';
import type { Found, WalkRun } from './walkRun.ts';

/** Whether an exchange that cuts the end of a question to a coarser unit would leave this row out. */
function canProveEnd(run: WalkRun<unknown>, { time }: Row<unknown>, end: number): boolean {
  const { grainMs } = run.state;
  const isLeftOut = (ms: number): boolean => {
    const cut = end - (end % ms);
    return time > cut || (grainMs >= ms && time === cut && cut < end);
  };
  const ownMs = lengthOf(run.unitOf(time));
  return time < end && coarserUnitsMs.every((ms) => ms <= ownMs || isLeftOut(ms));
}

/** Whether one of the rows that came proves the end of its question. */
export function noteProvenEnds(
  run: WalkRun<unknown>,
  end: number,
  rows: readonly Row<unknown>[],
): void {
  if (rows.some((row) => canProveEnd(run, row, end))) run.set({ areEndsProven: true });
}

/**
 * Asks for the unit of one row alone: it comes if the exchange applies the ends of a question to the
 * unit. False where the range is read otherwise.
 */
export async function proveEnds<Item>(
  run: WalkRun<Item>,
  { rows }: Answer<Item>,
): Promise<boolean> {
  const sample = rows.find((row) => canProveEnd(run, row, run.unitOf(row.time).to));
  if (run.state.areEndsProven || !sample) return true;
  const question = run.exactQuestion(run.unitOf(sample.time));
  const isShown = (answer: Answer<Item>): boolean =>
    answer.rows.some(({ time }) => time === sample.time);
  const answer = await run.askFor(question, isShown);
  run.set({ areEndsProven: true });
  if (isShown(answer) && !run.isTooWide(question, answer)) return true;
  readOtherwise(run, isShown(answer) ? 'endsIgnored' : 'edgesUnproven');
  return false;
}

/**
 * Where no row proved the ends of a question, it asks beyond them: an exchange that cuts them shows rows
 * of the range there. False where the range is read otherwise.
 */
export async function checkEnds<Item>(run: WalkRun<Item>): Promise<boolean> {
  const { areEndsProven, incompleteReason, rows } = run.state;
  const { from = -Infinity, to } = run.range;
  if (areEndsProven || incompleteReason !== null || from >= to) return true;
  if (rows > 0) run.markIncomplete('edgesUnproven');
  for (const end of rows > 0 ? [] : [to, from]) {
    const answer = end === -Infinity ? undefined : await askAround(run, end);
    if (!answer || answer.sent === 0) continue;
    if (!(await proveEnds(run, answer))) return false;
    const isHidden = answer.rows.some(({ time }) => contains({ from, to }, time));
    if (isHidden) readOtherwise(run, 'edgesUnproven');
    if (isHidden) return false;
    if (!run.state.areEndsProven) run.markIncomplete('edgesUnproven');
  }
  return true;
}

/** An exchange may refuse a question that ends in the future: then nothing is proven. */
async function askAround<Item>(run: WalkRun<Item>, end: number): Promise<Answer<Item> | undefined> {
  const roomMs = Math.min(widestCutMs, Math.floor(run.longestMs / 2));
  return run.ask({ from: end - roomMs, to: end + roomMs }).catch((error: unknown) => {
    if (!(error instanceof ExchangeError)) throw error;
    run.markIncomplete('edgesUnproven');
    return undefined;
  });
}

/**
 * The exchange does not apply the ends of a question to the unit: begins again in coarser units, or at
 * last with the pages of the range by number. They are never proved to be complete, as rows may move
 * between pages unseen. Where rows are returned already, the walk goes on.
 */
export function readOtherwise(run: WalkRun<unknown>, reason: UnprovenReason): void {
  const { rows, returned } = run.state;
  run.next = undefined;
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
  window: TimeWindow,
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
