import { ExchangeError } from '../../exchangeError.ts';
import type { TimeRange } from '../historySource.ts';
import type { Answer, Row } from './answer.ts';
import { readOtherwise } from './numberedPages.ts';
import { coarserUnitsMs, contains, lengthOf, widestCutMs } from './timeWindow.ts';
import type { WalkRun } from './walkRun.ts';

/** Whether an exchange that cuts an end to a coarser unit would cut the end of this row's unit. */
export function canProveEnds(run: WalkRun<unknown>, { time }: Row<unknown>): boolean {
  const unit = run.unitOf(time);
  const isCut = (ms: number): boolean =>
    time > unit.to - (unit.to % ms) || (run.state.grainMs >= ms && unit.to % ms !== 0);
  return coarserUnitsMs.every((ms) => ms <= lengthOf(unit) || isCut(ms));
}

/**
 * Asks for the unit of one row alone: it comes if the exchange applies the ends of a question to the
 * unit. False where the range is read otherwise.
 */
export async function proveEnds<Item>(
  run: WalkRun<Item>,
  { rows }: Answer<Item>,
): Promise<boolean> {
  const sample = rows.find((row) => canProveEnds(run, row));
  if (run.state.areEndsProven || !sample) return true;
  const question = run.exactQuestion(run.unitOf(sample.time));
  const isShown = (answer: Answer<Item>): boolean =>
    answer.rows.some(({ time }) => time === sample.time);
  const { answer, isExpected } = await run.askFor(question, isShown);
  run.set({ areEndsProven: true });
  if (isExpected && !run.isTooWide(question, answer)) return true;
  readOtherwise(run, isExpected ? 'endsIgnored' : 'edgesUnproven');
  return false;
}

/**
 * Where no row proved the ends of a question, it asks beyond them: an exchange that cuts them shows rows
 * of the range there. False where the range is read otherwise.
 */
export async function checkEnds<Item>(
  run: WalkRun<Item>,
  { from, to }: TimeRange,
): Promise<boolean> {
  if (run.state.areEndsProven || run.state.incompleteReason !== null) return true;
  if (run.state.rows > 0) run.markIncomplete('edgesUnproven');
  for (const end of run.state.rows > 0 ? [] : [to, from]) {
    if (end === undefined) continue;
    const answer = await askAround(run, end);
    if (!answer || answer.sent === 0) continue;
    if (!(await proveEnds(run, answer))) return false;
    const isHidden = answer.rows.some(({ time }) => contains({ from: from ?? null, to }, time));
    if (isHidden) readOtherwise(run, 'edgesUnproven');
    if (isHidden) return false;
    if (!answer.rows.some((row) => canProveEnds(run, row))) run.markIncomplete('edgesUnproven');
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
