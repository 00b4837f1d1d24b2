import * as v from 'valibot';
import type { Unmatched } from './dialect/historyPage.ts';
import type { BadRecord } from './records.ts';
import { absorb, nextRequest, settled } from './walk/absorb.ts';
import { countsMore } from './walk/claims.ts';
import { goneOn } from './walk/goOn.ts';
import type { History, TimeRange, Unit } from './walk/history.ts';
import { noRowsPastTheEnd } from './walk/pastTheEnd.ts';
import { readingOf } from './walk/reading.ts';
import { begin, stateSchema, type Doubt, type Frame, type WalkState } from './walk/state.ts';
import { earliestMs, wholeWindow } from './walk/window.ts';

/** Where a walk stands, as JSON data: enough to go on from there in another process. */
export type WalkCursor = WalkState;

export type WalkOptions = {
  /** `to` stands still: a time of the server with a lag, before which nothing more comes in. */
  readonly range: TimeRange;
  /** How many rows to ask for at once. */
  readonly size: number;
  /** How many pages are read at most, those before the cursor included. */
  readonly maxReads: number;
  /** From a walk over the same history and range that was interrupted. */
  readonly cursor?: WalkCursor;
};

/** One answer's worth: rows that were not given before, and from where to go on after them. */
export type WalkStep<Item> = {
  readonly items: readonly Item[];
  /** They have no id: one that stands where the walk reads twice is told twice. */
  readonly badRecords: readonly BadRecord[];
  readonly cursor: WalkCursor;
  /** Filters that the exchange did not heed until now, and how many rows break each at most. */
  readonly unmatched: readonly Unmatched[];
  /** What the exchange claimed for the whole range; null where it claimed nothing. It may lie. */
  readonly totalElements: number | null;
  /** How much of the range is done, from 0 to 1; an estimate that does not fall. */
  readonly part: number;
};

/**
 * Why it is not known whether a walk gave every row: `readsUsedUp`, at `maxReads`; `endsIgnored`,
 * the exchange answers with rows outside the range; `unreadablePage`, no row of a full page had a
 * time; `pagesRepeat`, it gave one page for two; `pagesVary`, a page came in another length each
 * time; `crowdedInstant`, more rows than a page share a moment, and change places or come in pages
 * of changing lengths; `orderBroke`, rows were in order of time, then no more; `pageRefused`, it
 * refused a page after the first one that was needed; `filterIgnored`, it gave rows that a filter
 * excludes.
 */
export type WalkDoubt = Doubt | 'readsUsedUp' | 'filterIgnored';

/**
 * `complete`: every stretch of time was read until nothing was left of it, in an order that held.
 * `drifted`: the same, but rows that were read twice came or went meanwhile, or the exchange, which had
 * counted right, counted more at first than it gave. `unknown`: see `reason`.
 */
export type WalkEnd = {
  readonly completeness: 'complete' | 'drifted' | 'unknown';
  readonly reason?: WalkDoubt;
  readonly rows: number;
  readonly reads: number;
};

/**
 * Reads every row of a history within the range, none twice, one answer a step. What `read` rejects
 * with ends it; the last step's cursor goes on from there.
 */
export async function* walk<Item>(
  history: History<Item>,
  { range, size, maxReads, cursor }: WalkOptions,
  signal?: AbortSignal,
): AsyncGenerator<WalkStep<Item>, WalkEnd> {
  const frame = frameOf(history, range, size);
  let part = 0;
  let state = cursor ? goneOn(cursor, frame) : settled(begin(frame), frame);
  for (let next = nextRequest(state); next; next = nextRequest(state)) {
    if (state.reads >= maxReads) return endOf(state, 'readsUsedUp');
    signal?.throwIfAborted();
    const { from, to } = next.window;
    const asked = { from: from ?? undefined, to };
    const { page, size: asks } = next;
    const answer = await history
      .read(asked, page, asks ?? frame.size, signal)
      .catch((error: unknown) => noRowsPastTheEnd(page, error));
    const absorbed = absorb(state, readingOf(answer, history, range), frame);
    state = absorbed.state;
    part = Math.max(part, partOf(state, frame));
    yield {
      items: absorbed.given.flatMap(({ index }) => answer.items.slice(index, index + 1)),
      badRecords: absorbed.tellsBad ? answer.badRecords : [],
      cursor: state,
      unmatched: state.unmatched,
      totalElements: state.claimed,
      part,
    };
  }
  return endOf(state, state.doubt ?? (state.unmatched.length > 0 ? 'filterIgnored' : null));
}

/** A cursor that was kept as JSON; undefined where it is none, or of another version. */
export function parseWalkCursor(value: unknown): WalkCursor | undefined {
  const parsed = v.safeParse(stateSchema, value);
  return parsed.success ? parsed.output : undefined;
}

/** How many answers a walk takes at least: one for each stretch of time that may be asked at once. */
export function fewestReads({ from, to }: TimeRange, maxRangeMs: number | null): number {
  return maxRangeMs === null ? 1 : Math.max(1, Math.ceil((to - (from ?? earliestMs)) / maxRangeMs));
}

function frameOf<Item>(history: History<Item>, range: TimeRange, size: number): Frame {
  const { maxRangeMs, maxPageSize } = history;
  const unitOf = (timeMs: number): Unit => history.unitOf(timeMs);
  return {
    whole: wholeWindow(range, unitOf, maxRangeMs !== null),
    unitOf,
    longestMs: maxRangeMs ?? Infinity,
    size: Math.min(size, maxPageSize ?? size),
  };
}

function endOf(state: WalkState, reason: WalkDoubt | null): WalkEnd {
  const { hasDrifted, rows, reads } = state;
  if (reason) return { completeness: 'unknown', reason, rows, reads };
  return { completeness: hasDrifted || countsMore(state) ? 'drifted' : 'complete', rows, reads };
}

/** By what the exchange claims where that can be, else by the time that is left to read. */
function partOf({ windows, rows, left }: WalkState, { whole }: Frame): number {
  if (windows.length === 0) return 1;
  if (left !== null && left > 0) return rows / (rows + left);
  const from = whole.from;
  if (from === null) return 0;
  const leftMs = windows.reduce((sum, window) => sum + window.to - (window.from ?? from), 0);
  return 1 - leftMs / (whole.to - from);
}
