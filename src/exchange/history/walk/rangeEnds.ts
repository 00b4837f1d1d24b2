import { isEmpty, lengthOf, openStart, type Interval } from '../../../base/interval.ts';
import { dayMs, minuteMs } from '../../../base/time.ts';
import { ExchangeError } from '../../exchangeError.ts';
import { merged, rowsIn, type HistoryPage, type Row } from '../page.ts';
import type { UnprovenReason, WalkPart } from './cursor.ts';
import { askBeyond, readPass } from './pages.ts';
import { distinctRows, edgesAreProven, endIsReached, maxTruncationMs } from './rules.ts';
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
export async function proveEnds<Item>(run: WalkRun<Item>, { rows }: HistoryPage<Item>) {
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
  if (await isReadAgain(run)) return false;
  await checkChanges(run);
  return true;
}

async function isReadAgain(run: WalkRun<unknown>): Promise<boolean> {
  if (run.state.areEndsProven) return !run.hasReturned && (await needsOmittedStart(run));
  if (!run.hasReturned && canReadDays(run)) run.restart(dayMs);
  else run.markIncomplete('edgesUnproven');
  return run.state.windows.length > 0;
}

/** A question that proves something beside the rows: a refusal proves nothing, and ends no walk. */
function askBeside<Item>(run: WalkRun<Item>, question: Interval): Promise<HistoryPage<Item>> {
  return run.ask(question, 0, run.options.size);
}

/** How long before the range a record may have been made that was changed in it, and is looked for. */
const changeMarginMs = 2 * dayMs;

/**
 * Rule 9. An exchange may compare the ends of a question with the creation of records that show their last change:
 * a question about the time before the range then has rows of the range, which others left out.
 */
async function checkChanges(run: WalkRun<unknown>): Promise<void> {
  const { from } = run.options.range;
  if (!run.history.recordsChange) return;
  const lengthMs = Math.min(changeMarginMs, run.longestMs);
  if (from !== openStart)
    for (let to = from; to > from - changeMarginMs; to -= lengthMs) {
      const first = await askBeside(run, { from: to - lengthMs, to });
      if (!(await isReadToEnd(run, first))) run.markIncomplete('edgesUnproven');
    }
  if (run.state.hasStrayRows) run.markIncomplete('edgesUnproven');
}

/** Whether an answer has all rows of its question, or its pages were read to their end. */
async function isReadToEnd(run: WalkRun<unknown>, first: HistoryPage<unknown>): Promise<boolean> {
  if (first.sent === 0) return !first.isEndOpen;
  if (endIsReached(await askBeyond(run, first.question, first.sent))) return true;
  const { problem } = await readPass(run, first, first.sent);
  return problem === undefined;
}

/** An exchange may cut a long period to its oldest days, and answer none of a period from the first record on. */
async function needsOmittedStart(run: WalkRun<unknown>): Promise<boolean> {
  const { from, to } = run.options.range;
  if (from !== openStart || run.isStartOmitted || run.longestMs < Infinity) return false;
  const question = run.wideQuestion({ from, to: run.unitOf(to - 1).to });
  const { rows, sent, isEndOpen } = await askBeside(run, question);
  // Newer rows may fill the page.
  if (!rows.some((row) => run.isWanted(row))) {
    if (sent > 0 || isEndOpen) run.markIncomplete('spanUnproven');
    return false;
  }
  run.isStartOmitted = true;
  run.restart(0);
  return true;
}

/** An exchange silently cuts to whole days, to no more than a year, and to no less than a week. */
const [longestCutMs, shortestCutMs] = [366 * dayMs, 7 * dayMs];

/** How many questions about the time beside the rows of a range may be asked. */
const maxQuestionsBeside = 12;

/**
 * Rule 8. An exchange may cut a long question silently, to its newest or to its oldest days: then it answers
 * as if there were no rows beside those that came. A row of another question, as far from its end or its start,
 * proves that it does not; otherwise shorter questions are asked.
 */
export async function readBeside(run: WalkRun<unknown>, part: WalkPart): Promise<void> {
  if (run.longestMs < Infinity || run.readsAllPages || run.isStartOmitted) return;
  if (run.state.isSpanChecked) return;
  run.set({ isSpanChecked: true });
  const { oldest } = part;
  const isOpen = run.options.range.from === openStart;
  if (isOpen && oldest !== null && uncutMs(run, run.state.beforeEndMs) < longestCutMs)
    await readWithoutStart(run, run.unitOf(oldest).from);
  const windows = timesBeside(run, part, isOpen);
  if (!windows || windows.length > maxQuestionsBeside) run.markIncomplete('spanUnproven');
  else run.set({ windows: [...run.state.windows, ...windows] });
}

/** What is left to ask for in questions that are not cut; undefined if none is short enough. */
function timesBeside(
  run: WalkRun<unknown>,
  { window: { from, to }, oldest, newest }: WalkPart,
  isOpen: boolean,
): readonly Interval[] | undefined {
  const { beforeEndMs, afterStartMs } = run.state;
  const most = Math.min(to - from, longestCutMs);
  const partsOf = (left: Interval, spanMs: number): readonly Interval[] | undefined =>
    uncutMs(run, spanMs) < most ? shortParts(run, left, uncutMs(run, spanMs)) : [];
  if (oldest === null || newest === null)
    return isOpen ? [] : partsOf({ from, to }, Math.min(beforeEndMs, afterStartMs));
  // A question that is cut to its newest days has these.
  const olderTo = Math.min(run.unitOf(oldest).from, run.unitOf(to - uncutMs(run, beforeEndMs)).to);
  const newerFrom = Math.max(
    run.unitOf(newest).to,
    run.unitOf(from + uncutMs(run, afterStartMs)).from,
  );
  const older = isOpen ? [] : partsOf({ from, to: olderTo }, beforeEndMs);
  const newer = partsOf({ from: newerFrom, to }, afterStartMs);
  return older && newer && [...older, ...newer];
}

/** The longest question that is not cut to whole days, if a row came so far from an end of its question. */
function uncutMs(run: WalkRun<unknown>, spanMs: number): number {
  const { areEndsProven, unitMs } = run.state;
  const areExact = areEndsProven && unitMs === 0 && !run.datesAreDays;
  const shownMs = areExact ? spanMs : spanMs - maxTruncationMs;
  const longestMs = Math.max(Math.ceil(shownMs / dayMs) * dayMs, shortestCutMs);
  // Dates that are days ask for a day more on both sides.
  return run.datesAreDays ? longestMs - 2 * maxTruncationMs : longestMs;
}

/** Parts of whole units, the newest last, none longer than that; undefined if a unit is. */
function shortParts(
  run: WalkRun<unknown>,
  left: Interval,
  longestMs: number,
): readonly Interval[] | undefined {
  const parts: Interval[] = [];
  for (let { to } = left; to > left.from && parts.length <= maxQuestionsBeside;) {
    const from = Math.max(left.from, run.unitOf(to - longestMs).to);
    if (from >= to) return undefined;
    parts.unshift({ from, to });
    to = from;
  }
  return parts;
}

/** Without a start, an exchange that cuts a period to its newest days shows older ones: they are read, and not proven. */
async function readWithoutStart(run: WalkRun<unknown>, to: number): Promise<void> {
  const window = { from: openStart, to };
  const { rows, isEndOpen } = await askBeside(run, window);
  if (isEndOpen) run.markIncomplete('spanUnproven');
  if (!rowsIn(rows, window).some((row) => run.isWanted(row))) return;
  run.isStartOmitted = true;
  run.markIncomplete('spanUnproven');
  run.set({ windows: [...run.state.windows, window] });
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
