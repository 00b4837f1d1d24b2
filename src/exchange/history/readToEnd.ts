import { openStart, type Interval } from '../../base/interval.ts';
import type { ExchangeClient } from '../client.ts';
import { ExchangeError, PeriodTooLongError } from '../exchangeError.ts';
import { verifiableFilters, withoutFilters } from './filterRules.ts';
import type { HistoryRecord, HistorySelection } from './records.ts';
import { historySource, readSourcePage, type HistorySource } from './source.ts';
import { unprovenConventions } from './page.ts';
import type { WalkCursor } from './walk/cursor.ts';
import { walk, walkIncompleteReasons, type WalkEnd, type WalkStep } from './walk/walk.ts';

/** Why it is unknown whether every row was read. */
export const incompleteReasons = [...walkIncompleteReasons, ...unprovenConventions] as const;
export type ReadIncompleteReason = (typeof incompleteReasons)[number];

/** What a read concluded, and why if that is not `complete`. */
export type ReadResult = Pick<WalkEnd, 'completeness'> & {
  readonly reason: ReadIncompleteReason | null;
};

/** An exchange may commit a row after newer ones: the newest seconds are left to the next read. */
export const commitDelayMs = 5000;

/** Days of reading at the usual limit, as an exchange may answer without end. The read can be resumed. */
const maxReads = 100_000;

type HistoryRead = {
  readonly client: Pick<ExchangeClient, 'history' | 'conventions' | 'exchangeInfo'>;
  readonly selection: HistorySelection;
  readonly range: Interval;
  /** Filters that are applied here instead of being sent: the same in every part of an interrupted read. */
  readonly filteredHere: readonly string[];
  /** Of the last step that was saved; undefined before the first. */
  readonly savedCursor: () => WalkCursor | undefined;
  /** Saves a step. `reads` counts the requests since the read began or was resumed. */
  readonly onStep: (step: WalkStep<HistoryRecord>, reads: number) => Promise<void>;
  /** Resolves when the next request may be sent. */
  readonly beforeRequest?: () => Promise<void>;
  readonly signal: AbortSignal;
};

/** What a read to the end concluded, and how many requests it took since it began or was resumed. */
type ReadEnd = { readonly result: ReadResult; readonly reads: number };

/**
 * Walks a history to its end, at the lowest priority. Rejects with ExchangeError or the signal's reason;
 * the saved cursor then resumes it. When the exchange refuses a long period, the client may observe its
 * limit: then shorter ones are read. If it refuses a period from the first record on for another reason,
 * the start is left to it.
 */
export async function readToEnd(read: HistoryRead): Promise<ReadEnd> {
  const reads = { count: 0 };
  const walkToEnd = async (isStartOmitted = false): Promise<ReadEnd> => {
    const end = await continueWalk(read, reads, isStartOmitted);
    return { result: readResult(read, end), reads: reads.count };
  };
  try {
    return await walkToEnd();
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    if (error instanceof PeriodTooLongError) return walkToEnd();
    const isFirst = read.savedCursor() === undefined && read.range.from === openStart;
    if (error.failure.kind !== 'refused' || !isFirst) throw error;
    return walkToEnd(true);
  }
}

/**
 * The filters of a read that are applied here instead of being sent. An exchange may filter a page after it has cut
 * it: then an empty page ends nothing. A count excludes that, and a page that is full under the filter.
 */
export async function filtersReadHere(
  client: HistoryRead['client'],
  selection: HistorySelection,
  { from, to }: Interval,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { conventions } = client;
  const notSent = conventions.filteredHere(selection.filters);
  const sent = withoutFilters(selection, notSent);
  const verifiable = verifiableFilters(sent);
  if (verifiable.length === 0 || conventions.proven.areFiltersProven) return notSent;
  const period = { from: Math.max(from, to - (conventions.longestPeriodMs ?? Infinity)), to };
  const read = (size: number) =>
    readSourcePage(client, { ...sent, period, page: 0, size }, { priority: 'bulk', signal });
  const size = conventions.pageSize(selection.operation);
  const first = await read(size).catch(asRefusal);
  if (first instanceof PeriodTooLongError)
    return filtersReadHere(client, selection, { from, to }, signal);
  if (first instanceof ExchangeError) return notSent;
  const { rows, count } = first;
  if (count !== null) return notSent;
  const isFull = rows.length >= size || (await fillsPage(read, rows.length));
  if (!isFull) return [...notSent, ...verifiable];
  conventions.recordProven({ areFiltersProven: true });
  return notSent;
}

/** The walk meets the same refusal, and knows what to do. */
function asRefusal(error: unknown): ExchangeError {
  if (error instanceof ExchangeError && error.failure.kind === 'refused') return error;
  throw error;
}

async function fillsPage(
  read: (size: number) => Promise<{ readonly rows: readonly unknown[] }>,
  rows: number,
): Promise<boolean> {
  return rows > 0 && (await read(rows)).rows.length === rows;
}

async function continueWalk(
  read: HistoryRead,
  reads: { count: number },
  isStartOmitted: boolean,
): Promise<WalkEnd> {
  const { client, selection, range, filteredHere, signal } = read;
  // A walk keeps the units of time that it began with: the exchange's zone must be known before.
  if (client.conventions.needsZone(range)) await client.exchangeInfo({ priority: 'bulk', signal });
  const history = historySource(client, selection, 'bulk', filteredHere);
  const cursor = read.savedCursor();
  const size = client.conventions.pageSize(selection.operation);
  const options = { range, size, maxReads, isStartOmitted, ...(cursor && { cursor }) };
  const steps = walk(counted(history, read, reads), options, signal);
  for (;;) {
    const step = await steps.next();
    if (step.done) return step.value;
    client.conventions.recordProven(step.value.cursor);
    await read.onStep(step.value, reads.count);
  }
}

function counted(
  history: HistorySource<HistoryRecord>,
  { beforeRequest }: HistoryRead,
  reads: { count: number },
): HistorySource<HistoryRecord> {
  return {
    ...history,
    read: async (...request) => {
      await beforeRequest?.();
      reads.count += 1;
      return history.read(...request);
    },
  };
}

/** A walk knows only the answers. If a convention of its requests is unproven, rows may be missing. */
function readResult({ client: { conventions }, range }: HistoryRead, end: WalkEnd): ReadResult {
  const [unproven] = conventions.unprovenConventions(range, end.rows === 0);
  const { completeness, reason = null } = end;
  if (!unproven) return { completeness, reason };
  const isWeaker = reason === null || reason === 'unreadableRecords';
  return { completeness: 'unknown', reason: isWeaker ? unproven : reason };
}
