import { openStart, type Interval } from '../../base/interval.ts';
import { minuteMs, dayMs } from '../../base/time.ts';
import { coverageParts, type CoveragePart } from '../coverage/coverageParts.ts';
import { timeOf, type HistoryRecord } from '../../exchange/history/records.ts';
import { isConclusive } from '../../exchange/history/page.ts';
import { commitDelayMs } from '../../exchange/history/readToEnd.ts';
import type { LedgerHistory, LedgerWriter } from '../ledger.ts';

/** What the ledger has of a history before its newest rows, which a page may add. */
export type TailStart = {
  /** From here on, rows are not proven to be known. */
  readonly from: number;
  /** The newest known rows before, newest first. */
  readonly known: readonly HistoryRecord[];
  /** Where the known rows are complete. */
  readonly complete: Interval | null;
};

/** How many known rows a page must return again, or more until their times show an order. */
const overlapRows = 10;
const mostOverlapRows = 50;
/** Past a day of unproven rows, only a walk proves them. */
const longestUnprovenMs = dayMs;

/** Null if the history was never read nor begun: then it is not kept current. */
export async function tailStartOf(
  writer: LedgerWriter,
  history: LedgerHistory,
): Promise<TailStart | null> {
  const parts = await readParts(writer, history);
  const walks = (await writer.unfinishedWalks()).filter((walk) => walk.history === history);
  const complete = parts.findLast(({ completeness }) => completeness === 'complete') ?? null;
  const covered = unprovenTail(parts)?.from ?? parts.at(-1)?.to ?? 0;
  // What a walk reads already is as good as known.
  const from = Math.max(covered, ...walks.map(({ to }) => to));
  if (from === 0) return null;
  const known = await writer.recordsIn(history, { from: openStart, to: from }, mostOverlapRows);
  return { from, known: overlapOf(known), complete };
}

function overlapOf(known: readonly HistoryRecord[]): readonly HistoryRecord[] {
  const last = known.findIndex(
    (_record, index) => index + 1 >= overlapRows && showsOrder(known.slice(0, index + 1)),
  );
  return last < 0 ? known : known.slice(0, last + 1);
}

/** Whether rows have enough times to see an order in them. */
export function showsOrder(records: readonly HistoryRecord[]): boolean {
  return isConclusive(records.map((record) => ({ time: timeOf(record) ?? Number.NaN })));
}

/** The parts of a history up to the newest moment that was read. */
export async function readParts(
  writer: Pick<LedgerWriter, 'coverage'>,
  history: LedgerHistory,
): Promise<readonly CoveragePart[]> {
  const reads = await writer.coverage(history);
  const whole = { from: openStart, to: Math.max(0, ...reads.map(({ to }) => to)) };
  return coverageParts(history, reads, whole);
}

/** The newest part that is not proven, unless it is long; null if the newest part is complete. */
export function unprovenTail(parts: readonly CoveragePart[]): Interval | null {
  const from = parts.findLast(({ completeness }) => completeness === 'complete')?.to;
  const to = parts.at(-1)?.to ?? 0;
  if (from === undefined || from === to || to - from > longestUnprovenMs) return null;
  return { from, to };
}

/**
 * The oldest part beyond `walkedTo` that a page read and did not prove: after a day or more, the pages that
 * follow do not read it again. A walk of it begins later than the page, so a part that one read is not it.
 */
export function unwalkedPart(parts: readonly CoveragePart[], walkedTo: number): Interval | null {
  const firstComplete = parts.findIndex(({ completeness }) => completeness === 'complete');
  const later = firstComplete < 0 ? [] : parts.slice(firstComplete);
  const part = later.find(
    ({ completeness, to, asOf }) =>
      completeness !== 'complete' && asOf !== null && asOf <= to + commitDelayMs && to > walkedTo,
  );
  return part ? { from: Math.max(part.from, walkedTo), to: part.to } : null;
}

/** Where the question for the tail begins: the exchange may exclude up to a minute. */
export function questionStart({ from, known }: TailStart): number {
  const oldest = timeOf(known.at(-1) ?? {}) ?? from;
  return oldest - minuteMs - 1;
}
