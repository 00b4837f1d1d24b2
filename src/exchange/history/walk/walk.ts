import { contains, lengthOf, openStart, type Interval } from '../../../base/interval.ts';
import { earliestMs } from '../../../base/time.ts';
import type { BadRecord } from '../../records.ts';
import type { HistorySource } from '../source.ts';
import { isConclusive, orderOf, rowsIn, type HistoryPage } from '../page.ts';
import {
  newPart,
  unprovenReasons,
  type UnprovenReason,
  type WalkCursor,
  type WalkPart,
} from './cursor.ts';
import { readWindow } from './keyset.ts';
import {
  checkEmptyRange,
  readAllPages,
  readBeside,
  startFallback,
  restartWithoutProof,
} from './rangeEnds.ts';
import { askLast } from './pages.ts';
import { countAgrees, countOf, maxTruncationMs, nothingVanished, type UnitOf } from './rules.ts';
import { nothing, ReadsUsedUp, WalkRun, type Found, type WalkOptions } from './walkRun.ts';

/** The rows of a window that is read, and the cursor after them. */
export type WalkStep<Item> = {
  readonly items: readonly Item[];
  /** They have no id: one on a page that is read twice is reported twice. */
  readonly badRecords: readonly BadRecord[];
  readonly cursor: WalkCursor;
  /** How much of the range is read, from 0 to 1; an estimate that never falls. */
  readonly fraction: number;
};

/** `unreadableRecords`: the exchange has rows that could not be read. */
export const walkIncompleteReasons = [
  ...unprovenReasons,
  'readsUsedUp',
  'unreadableRecords',
] as const;

/**
 * `complete`: every rule of `docs/proofs.md` holds, and each record could be read. `drifted`: rows came or left where
 * they were read.
 */
export type WalkEnd = {
  readonly completeness: 'complete' | 'drifted' | 'unknown';
  readonly reason?: (typeof walkIncompleteReasons)[number];
  readonly rows: number;
  readonly reads: number;
};

/**
 * Reads every row of a history within the range, none twice, one window for each step. A rejected
 * `read` ends the walk; the cursor of the last step resumes it.
 */
export async function* walk<Item>(
  history: HistorySource<Item>,
  options: WalkOptions,
  signal?: AbortSignal,
): AsyncGenerator<WalkStep<Item>, WalkEnd> {
  const run = new WalkRun(history, options, signal);
  if (!options.cursor) run.restart(0);
  let fraction = 0;
  try {
    for (;;) {
      const found = await readNext(run).catch((error: unknown) => restartWithoutProof(run, error));
      if (!found && (await checkEmptyRange(run))) return endOf(run);
      if (!found || found === nothing) continue;
      const { rows, badRecords } = found;
      fraction = Math.max(fraction, fractionRead(run.state, options.range));
      yield { items: rows.map(({ item }) => item), badRecords, cursor: run.state, fraction };
    }
  } catch (error) {
    if (!(error instanceof ReadsUsedUp)) throw error;
    return { ...endOf(run), completeness: 'unknown', reason: 'readsUsedUp' };
  }
}

/** The fewest pages that a walk reads: one for each period of the longest length. */
export function minReads({ from, to }: Interval, maxRangeMs: number | null): number {
  const begin = from === openStart ? earliestMs : from;
  return maxRangeMs === null ? 1 : Math.max(1, Math.ceil((to - begin) / maxRangeMs));
}

/** Reads the next window; undefined when everything is read. */
async function readNext<Item>(run: WalkRun<Item>): Promise<Found<Item> | undefined> {
  const { windows, part } = run.state;
  if (part && !(windows.length > 0 && isWithin(part, run.window))) return endPart(run, part);
  if (windows.length === 0) return undefined;
  const parts = partsOf(run.window, run.unitOf, run.longestMs);
  // The longest range of a question may have become known on the way.
  if (parts.length > 1) {
    run.set({ part: null });
    run.split(parts);
  }
  if (run.readsAllPages) return readAllPages(run);
  const answer = run.next ?? (await askNext(run));
  run.next = undefined;
  if (run.state.rows === 0 && run.isTooWide(answer)) {
    startFallback(run, 'endsIgnored');
    return nothing;
  }
  findOrder(run, answer);
  return readWindow(run, answer);
}

/** In parts, the newest last, if the length of a question is bounded; with room for wider ends. */
function partsOf(window: Interval, unitOf: UnitOf, longestMs: number): Interval[] {
  if (longestMs === Infinity) return [window];
  const roomMs = longestMs >= 5 * maxTruncationMs ? 2 * maxTruncationMs : longestMs / 2;
  const begin = window.from === openStart ? unitOf(earliestMs).from : window.from;
  const parts: Interval[] = [];
  for (let { to } = window; to > begin; to = parts[0]?.from ?? begin) {
    const edge = unitOf(to - (longestMs - roomMs)).to;
    parts.unshift({ from: Math.max(begin, edge < to ? edge : unitOf(to - 1).from), to });
  }
  return parts;
}

function isWithin({ window }: WalkPart, { to }: Interval): boolean {
  return contains(window, to - 1);
}

/** Where a part of the range begins, asks again if the exchange counts rows and gives none. */
async function askNext<Item>(run: WalkRun<Item>): Promise<HistoryPage<Item>> {
  const { window, state } = run;
  const question = run.questionFor(window);
  if (state.part) return run.ask(question);
  run.set({ part: newPart(window) });
  const first = await run.ask(question);
  const answer = first.sent === 0 && first.count ? await run.ask(question) : first;
  run.set({ part: run.state.part && { ...run.state.part, count: answer.count } });
  return answer;
}

async function endPart<Item>(run: WalkRun<Item>, part: WalkPart): Promise<Found<Item>> {
  const problem = await findCountProblem(run, part);
  if (problem) run.markIncomplete(problem);
  const { count, isDepthCounted } = part;
  if (isDepthCounted && countOf(run.state.part ?? part) > (count ?? 0))
    run.markIncomplete('depthUnproven');
  run.set({ part: null });
  await readBeside(run, part);
  return nothing;
}

/**
 * Compares what was found in a part with what the exchange counted at its start, or counts now. If it counts
 * too few rows, or none, the last row that was found must be in its place, and none behind it.
 */
async function findCountProblem(
  run: WalkRun<unknown>,
  part: WalkPart,
): Promise<UnprovenReason | undefined> {
  const { window, count, rows } = part;
  const isCount = count !== null && count >= rows;
  const isTooLong = lengthOf(window) > run.longestMs;
  if (isCount ? countAgrees(part, count) : isTooLong || rows === 0) return undefined;
  if (isTooLong) return 'countDisagrees';
  const question = run.wideQuestion(window);
  // The count includes older rows of the unit in which the window begins: they are read too.
  if (window.from > earliestMs) await run.ask({ ...question, to: run.unitOf(window.from).to });
  const found = run.state.part ?? part;
  if (isCount) return countAgrees(found, count) ? undefined : 'countDisagrees';
  const { rest, answer } = askLast(run, question, countOf(found));
  const { sent, rows: shown } = await answer;
  if (sent !== rest) return sent > rest ? 'countDisagrees' : 'depthUnproven';
  const last = rowsIn(shown, window).at(-1);
  return run.isOrdered && last && last.time !== found.last ? 'orderUnproven' : undefined;
}

/** The first conclusive answer shows the order; another order later shows that there is none. */
function findOrder(run: WalkRun<unknown>, { rows }: HistoryPage<unknown>): void {
  const { order, rows: returned } = run.state;
  const found = orderOf(rows);
  if (order === 'unknown' && found && isConclusive(rows)) run.set({ order: found });
  const known = run.state.order;
  if (!found || known === 'unknown' || known === 'none' || found === known) return;
  if (returned > 0) run.markIncomplete('orderUnproven');
  run.set({ order: 'none' });
}

function endOf({ state, shown }: WalkRun<unknown>): WalkEnd {
  const { incompleteReason, hasDrifted, bad, rows, reads } = state;
  const reason = incompleteReason ?? (bad > 0 ? 'unreadableRecords' : undefined);
  if (reason) return { completeness: 'unknown', reason, rows, reads };
  const isComplete = !hasDrifted && nothingVanished(shown);
  return { completeness: isComplete ? 'complete' : 'drifted', rows, reads };
}

/** By the count of the exchange if there is one, otherwise by the time that is left to read. */
export function fractionRead({ windows: left, part }: WalkCursor, { from, to }: Interval): number {
  if (left.length === 0) return 1;
  const isOnePart = part && left.every((window) => isWithin(part, window));
  if (isOnePart && part.count && part.count > part.rows) return part.rows / part.count;
  if (from === openStart) return 0;
  const leftMs = left.reduce((sum, window) => sum + lengthOf(window), 0);
  return Math.max(0, 1 - leftMs / Math.max(1, to - from));
}
