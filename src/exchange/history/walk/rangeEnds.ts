import { ExchangeError } from '../../exchangeError.ts';
import { merged, type Answer, type Row } from './answer.ts';
import type { UnprovenReason } from './cursor.ts';
import { coarserUnitsMs, lengthOf, widestCutMs } from './timeWindow.ts';
import type { WalkRun } from './walkRun.ts';

/** Whether an exchange that cuts this end of a question to a coarser unit would leave the row out. */
function canProveEnd(run: WalkRun<unknown>, { time }: Row<unknown>, end: number): boolean {
  const ownMs = lengthOf(run.unitOf(time));
  return time < end && coarserUnitsMs.every((ms) => ms <= ownMs || time > end - (end % ms));
}

/** A row that can prove the end of its unit. */
export function provingRow<Item>(run: WalkRun<Item>, rows: readonly Row<Item>[]) {
  return rows.find((row) => canProveEnd(run, row, run.unitOf(row.time).to));
}

/** Whether one of the rows that came proves the end of its question. */
export function noteProvenEnd(run: WalkRun<unknown>, end: number, answer: Answer<unknown>): void {
  const isProven = answer.rows.some((row) => canProveEnd(run, row, end));
  if (isProven) run.set({ areEndsProven: true });
}

/**
 * Asks for the unit of one row alone: it comes if the exchange applies the ends of a question to the
 * unit. False where the range is read otherwise.
 */
export async function proveEnds<Item>(run: WalkRun<Item>, { rows }: Answer<Item>) {
  const sample = provingRow(run, rows);
  if (run.state.areEndsProven || !sample) return true;
  const question = run.exactQuestion(run.unitOf(sample.time));
  const isShown = (shown: Answer<Item>): boolean =>
    shown.rows.some(({ time }) => time === sample.time);
  const answer = await run.askFor(question, isShown);
  run.set({ areEndsProven: true });
  if (isShown(answer) && !run.isTooWide(answer)) return true;
  readOtherwise(run, isShown(answer) ? 'endsIgnored' : 'edgesUnproven');
  return false;
}

/**
 * Where the first rows are at whole minutes or days only, begins again in these units: then it does not
 * matter whether the exchange cuts ends to them.
 */
export function usesUnitOf<Item>(run: WalkRun<Item>, { question, rows }: Answer<Item>): boolean {
  const ownMs = lengthOf(run.unitOf(question.to));
  const isUnit = (ms: number): boolean => ms > ownMs && rows.every(({ time }) => time % ms === 0);
  const unitMs = coarserUnitsMs.findLast(isUnit);
  if (run.state.rows > 0 || rows.length === 0 || unitMs === undefined) return false;
  run.restart(unitMs);
  return true;
}

/**
 * Where no row proved the ends of a question, it asks beyond them: an exchange that cuts them shows rows
 * of the range there. False where the range is read otherwise.
 */
export async function checkEnds<Item>(run: WalkRun<Item>): Promise<boolean> {
  const { from, to } = run.options.range;
  if (run.state.areEndsProven || to <= (from ?? -Infinity)) return true;
  if (run.state.rows > 0) run.markIncomplete('edgesUnproven');
  for (const end of [to, from]) {
    if (end === undefined || run.state.incompleteReason !== null) continue;
    const answer = await askAround(run, end);
    if (answer.sent === 0) continue;
    if (usesUnitOf(run, answer) || !(await proveEnds(run, answer))) return false;
    if (!run.state.areEndsProven) run.markIncomplete('edgesUnproven');
  }
  return true;
}

/** An exchange may refuse a question that ends in the future: then nothing is proven. */
async function askAround<Item>(run: WalkRun<Item>, end: number): Promise<Answer<Item>> {
  const roomMs = Math.min(widestCutMs, Math.floor(run.longestMs / 2));
  const question = { from: end - roomMs, to: end + roomMs };
  return run.ask(question).catch((error: unknown) => {
    if (!(error instanceof ExchangeError)) throw error;
    run.markIncomplete('edgesUnproven');
    return merged<Item>(question, []);
  });
}

/**
 * The exchange does not apply the ends of a question to the unit: begins again in coarser units, or at
 * last with the pages of the range by number. They are never proved to be complete, as rows may move
 * between pages unseen. Where rows are returned already, the walk goes on.
 */
export function readOtherwise(run: WalkRun<unknown>, reason: UnprovenReason): void {
  const { rows, returned, unitMs } = run.state;
  const ownMs = lengthOf(run.unitOf(run.window.to));
  const coarserMs = coarserUnitsMs.find((ms) => ms > ownMs);
  const hasReturned = rows > 0 || returned.length > 0;
  if (!hasReturned) run.restart(coarserMs ?? unitMs);
  if (!hasReturned && coarserMs) return;
  run.next = undefined;
  run.markIncomplete(reason);
  run.set(hasReturned ? { areEndsProven: true, order: 'none' } : { page: 0 });
}

export async function readNumberedPage<Item>(run: WalkRun<Item>, page: number) {
  const { window } = run;
  const { largestPage, returned } = run.state;
  const size = page > 0 ? largestPage : undefined;
  const answer = await run.ask(run.exactQuestion(window), page, size);
  const known = new Set(returned);
  const isNew = answer.rows.some(({ key }) => !known.has(key)) || answer.badRecords.length > 0;
  const found = run.finish(answer, isNew ? [window] : [], { from: null, to: Infinity });
  const keys = found.rows.map(({ key }) => key);
  run.set({ page: isNew ? page + 1 : 0, returned: [...returned, ...keys], part: null });
  return found;
}
