import { isEmpty, lengthOf, openStart } from '../../../base/interval.ts';
import { dayMs, minuteMs } from '../../../base/time.ts';
import { ExchangeError } from '../../exchangeError.ts';
import { merged, type Answer, type Row } from './answer.ts';
import type { UnprovenReason } from './cursor.ts';
import { readPass } from './pages.ts';
import { distinctRows, edgesAreProven, maxTruncationMs } from './rules.ts';
import { nothing, type Found, type WalkRun } from './walkRun.ts';

/** Units in which a range is read if its ends cannot be proven in the one that its dates are written in. */
const coarserUnitsMs = [minuteMs, dayMs] as const;

/** A row that can show the ends of its unit. */
export function provingRow<Item>(run: WalkRun<Item>, rows: readonly Row<Item>[]) {
  return rows.find((row) => edgesAreProven(run.unitOf(row.time), [row], run.unitOf));
}

/**
 * Asks for the unit of one row alone: the row is returned if the exchange applies the ends of a question to
 * the unit. False if a fallback reads the range. Without a row that can prove the ends, the fallback is coarser
 * units, if there are any.
 */
export async function proveEnds<Item>(run: WalkRun<Item>, { rows }: Answer<Item>) {
  const sample = provingRow(run, rows);
  if (run.state.areEndsProven) return true;
  if (!sample) return !restartInCoarserUnits(run);
  const question = run.exactQuestion(run.unitOf(sample.time));
  const answer = await run.ask(question);
  const isShown = answer.rows.some(({ time }) => time === sample.time);
  run.set({ areEndsProven: true });
  if (isShown && !run.isTooWide(answer)) return true;
  startFallback(run, isShown ? 'endsIgnored' : 'edgesUnproven');
  return false;
}

/**
 * If there are no rows, none proved the ends of a question: then there must be none in whole days either,
 * nor without a start. False if these are to be read.
 */
export async function checkEmptyRange(run: WalkRun<unknown>): Promise<boolean> {
  if (isEmpty(run.options.range)) return true;
  if (run.state.areEndsProven) return run.hasReturned || !(await needsOmittedStart(run));
  if (!run.hasReturned && canReadDays(run)) run.restart(dayMs);
  else run.markIncomplete('edgesUnproven');
  return run.state.windows.length === 0;
}

/** An exchange may cut a long period to its oldest days, and answer none of a period from the first record on. */
async function needsOmittedStart(run: WalkRun<unknown>): Promise<boolean> {
  const { from, to } = run.options.range;
  if (from !== openStart || run.isStartOmitted || run.longestMs < Infinity) return false;
  const { rows } = await run.ask({ from, to });
  if (!rows.some(({ isWanted }) => isWanted)) return false;
  run.isStartOmitted = true;
  run.restart(0);
  return true;
}

/** An exchange may refuse what lies ahead, as the end of this day: then nothing is proven. */
export function restartWithoutProof(run: WalkRun<unknown>, error: unknown): Found<never> {
  const isRefused = error instanceof ExchangeError && error.failure.kind === 'refused';
  if (!isRefused || run.state.unitMs === 0 || run.hasReturned) throw error;
  run.restart(0);
  run.markIncomplete('edgesUnproven');
  run.set({ areEndsProven: true });
  return nothing;
}

/** Whether a question may be a day longer on both sides. */
function canReadDays({ longestMs }: WalkRun<unknown>): boolean {
  return longestMs >= 5 * maxTruncationMs;
}

/** Begins again in coarser units, if there are some and no row is returned yet. */
function restartInCoarserUnits(run: WalkRun<unknown>): boolean {
  const ownMs = lengthOf(run.unitOf(run.window.to));
  const unitMs = coarserUnitsMs.find((ms) => ms > ownMs);
  if (run.hasReturned || unitMs === undefined) return false;
  if (unitMs === dayMs && !canReadDays(run)) return false;
  run.restart(unitMs);
  return true;
}

/**
 * The exchange does not apply the ends of a question to the unit: begins again in coarser units, or at
 * last with the pages of the range by number. They are never proved to be complete, as rows may move
 * between pages unseen. If rows are returned already, the walk continues.
 */
export function startFallback(run: WalkRun<unknown>, reason: UnprovenReason): void {
  // Coarser units were refused before if nothing can be proved.
  if (run.state.incompleteReason === null && restartInCoarserUnits(run)) return;
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
