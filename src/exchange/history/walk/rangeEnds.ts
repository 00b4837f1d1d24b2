import { isEmpty, lengthOf, openStart, type Interval } from '../../../base/interval.ts';
import { dayMs, minuteMs } from '../../../base/time.ts';
import { ExchangeError } from '../../exchangeError.ts';
import { merged, rowsIn, type Answer, type Row } from './answer.ts';
import type { UnprovenReason, WalkPart } from './cursor.ts';
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
  await proveChanges(run);
  if (run.state.areEndsProven) return run.hasReturned || !(await needsOmittedStart(run));
  if (!run.hasReturned && canReadDays(run)) run.restart(dayMs);
  else run.markIncomplete('edgesUnproven');
  return run.state.windows.length === 0;
}

/**
 * Rule 9. A record that was made before a question and changed in it belongs to it: an exchange may leave it out. A
 * changed one is asked for with a start after it was made.
 */
async function proveChanges(run: WalkRun<unknown>): Promise<void> {
  const { options, history, changedRow: row } = run;
  const isBounded = options.range.from !== openStart;
  if (!history.recordsChange || !(isBounded || run.state.hasChangedRows)) return;
  if (row && !run.state.areChangesProven)
    await run.ask({ from: run.unitOf(row.createdAt).to, to: run.unitOf(row.time).to });
  if (!run.state.areChangesProven) run.markIncomplete('edgesUnproven');
}

/** An exchange may cut a long period to its oldest days, and answer none of a period from the first record on. */
async function needsOmittedStart(run: WalkRun<unknown>): Promise<boolean> {
  const { from, to } = run.options.range;
  if (from !== openStart || run.isStartOmitted || run.longestMs < Infinity) return false;
  const question = run.wideQuestion({ from, to: run.unitOf(to - 1).to });
  const { rows, sent } = await run.ask(question);
  // Newer rows may fill the page.
  if (!rows.some(({ isWanted }) => isWanted)) {
    if (sent > 0) run.markIncomplete('spanUnproven');
    return false;
  }
  run.isStartOmitted = true;
  run.restart(0);
  return true;
}

/** An exchange silently cuts to no period beyond a year, and to none shorter than a week, whose ends may be cut to days. */
const [longestCutMs, shortestCutMs] = [366 * dayMs, 7 * dayMs - 2 * maxTruncationMs];

/** How many questions about the time beside the rows of a part may be asked. */
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
  const { window, oldest, newest } = part;
  const isOpen = run.options.range.from === openStart;
  const older = { from: window.from, to: oldest === null ? window.to : run.unitOf(oldest).from };
  const newer = { from: newest === null ? window.to : run.unitOf(newest).to, to: window.to };
  const { beforeEndMs, afterStartMs } = run.state;
  const olderMs = oldest === null ? Math.min(beforeEndMs, afterStartMs) : beforeEndMs;
  if (isOpen && oldest !== null && !showsSpan(beforeEndMs, longestCutMs))
    await readWithoutStart(run, older.to);
  const parts = [
    isOpen ? [] : uncutParts(run, window, older, olderMs),
    uncutParts(run, window, newer, afterStartMs),
  ];
  const questions = parts.flatMap((some) => some ?? []);
  if (parts.includes(undefined) || questions.length > maxQuestionsBeside)
    run.markIncomplete('spanUnproven');
  else run.set({ windows: [...run.state.windows, ...questions] });
}

/** Whether a row so far from an end of its question shows that periods of this length are not cut. */
function showsSpan(spanMs: number, lengthMs: number): boolean {
  return spanMs - maxTruncationMs >= lengthMs;
}

/** What is left of a window, in parts that the exchange does not cut; undefined if none is short enough. */
function uncutParts(
  run: WalkRun<unknown>,
  window: Interval,
  left: Interval,
  spanMs: number,
): readonly Interval[] | undefined {
  const shownMs = Math.max(spanMs - maxTruncationMs, shortestCutMs);
  // Dates that are days ask for a day more on both sides.
  const uncutMs = run.datesAreDays ? shownMs - 2 * maxTruncationMs : shownMs;
  if (uncutMs >= Math.min(lengthOf(window), longestCutMs)) return [];
  const parts: Interval[] = [];
  for (let { to } = left; to > left.from && parts.length <= maxQuestionsBeside; ) {
    const edge = run.unitOf(to - Math.max(uncutMs, 1)).to;
    const from = Math.max(left.from, edge < to ? edge : run.unitOf(to - 1).from);
    parts.unshift({ from, to });
    to = from;
  }
  const isShort = parts.every((part) => lengthOf(part) <= uncutMs);
  return isShort ? parts : undefined;
}

/** Without a start, an exchange that cuts a period to its newest days shows older ones: they are read, and not proven. */
async function readWithoutStart(run: WalkRun<unknown>, to: number): Promise<void> {
  const window = { from: openStart, to };
  const { rows } = await run.ask(window);
  if (!rowsIn(rows, window).some(({ isWanted }) => isWanted)) return;
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
