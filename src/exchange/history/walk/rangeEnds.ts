import { ExchangeError } from '../../exchangeError.ts';
import { merged, type Answer, type Row } from './answer.ts';
import type { UnprovenReason } from './cursor.ts';
import { readPass } from './pages.ts';
import { distinctRows } from './rules.ts';
import { coarserUnitsMs, lengthOf, widestCutMs } from './timeWindow.ts';
import type { Found, WalkRun } from './walkRun.ts';

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
 * unit. False if the range is read otherwise, also if no row can prove it in this unit.
 */
export async function proveEnds<Item>(run: WalkRun<Item>, { rows }: Answer<Item>) {
  const sample = provingRow(run, rows);
  if (run.state.areEndsProven) return true;
  if (!sample) return !usesCoarserUnits(run);
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
 * If no row proved the ends of a question, it asks beyond them: an exchange that cuts them shows rows
 * of the range there. False if the range is read otherwise.
 */
export async function checkEnds<Item>(run: WalkRun<Item>): Promise<boolean> {
  const { from, to } = run.options.range;
  const { areEndsProven, rows } = run.state;
  if (areEndsProven || to <= (from ?? -Infinity)) return true;
  if (rows > 0) run.markIncomplete('edgesUnproven');
  for (const end of [to, from]) {
    if (end === undefined || run.state.incompleteReason !== null) continue;
    const answer = await askAround(run, end);
    if (answer.sent === 0) continue;
    if (!(await proveEnds(run, answer))) return false;
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

/** Begins again in coarser units, if there are some and no row is returned yet. */
function usesCoarserUnits(run: WalkRun<unknown>): boolean {
  const ownMs = lengthOf(run.unitOf(run.window.to));
  const unitMs = coarserUnitsMs.find((ms) => ms > ownMs);
  if (run.hasReturned || unitMs === undefined) return false;
  run.restart(unitMs);
  return true;
}

/**
 * The exchange does not apply the ends of a question to the unit: begins again in coarser units, or at
 * last with the pages of the range by number. They are never proved to be complete, as rows may move
 * between pages unseen. If rows are returned already, the walk goes on.
 */
export function readOtherwise(run: WalkRun<unknown>, reason: UnprovenReason): void {
  if (usesCoarserUnits(run)) return;
  run.readsAllPages = !run.hasReturned;
  if (!run.hasReturned) run.restart(run.state.unitMs);
  run.next = undefined;
  run.markIncomplete(reason);
  run.set({ areEndsProven: true, order: 'none' });
}

/** The rows of the next window, from its pages until one has no new row. */
export async function readAllPages<Item>(run: WalkRun<Item>): Promise<Found<Item>> {
  const first = await run.ask(run.exactQuestion(run.window));
  const { pages } = await readPass(run, first, first.sent);
  return run.finish(merged(first.question, pages, distinctRows(pages)));
}
