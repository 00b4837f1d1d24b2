import { always, openStart, type Interval } from '../../base/interval.ts';
import { timeOf } from '../../exchange/history/records.ts';
import {
  ledgerHistoryNames,
  type Coverage,
  type LedgerHistory,
  type LedgerQuery,
  type LedgerReader,
  type LedgerWriter,
  type OldestRow,
  type SavedWalk,
} from '../ledger.ts';
import { coverageParts, type CoveragePart } from './coverageParts.ts';

/** What is known of one history of a ledger. */
export type HistorySummary = {
  readonly history: LedgerHistory;
  readonly rows: number;
  /** Up to where it was read; null if it never was. */
  readonly readTo: number | null;
  /** A read that was begun and has not ended. */
  readonly reading: 'running' | 'paused' | null;
  /** What is being read: one from 0 on begins with the oldest row. */
  readonly walks: readonly Interval[];
  readonly reads: readonly Coverage[];
  readonly oldestRows: readonly OldestRow[];
  /** Of the map's period, up to where it was read. */
  readonly parts: readonly CoveragePart[];
};

export type LedgerSummary = {
  /** When the newest read began; null before the first. */
  readonly synchronisedAt: number | null;
  /** What the map shows: from the first moment that was read to the last. */
  readonly period: Interval;
  readonly histories: readonly HistorySummary[];
};

type Read = {
  readonly history: LedgerHistory;
  readonly rows: number;
  readonly oldest: number | undefined;
  readonly reads: readonly Coverage[];
  readonly oldestRows: readonly OldestRow[];
  readonly reading: HistorySummary['reading'];
  readonly walks: readonly Interval[];
};

/** What a ledger has of each history. Rejects with LedgerError. */
export async function readLedgerSummary(
  reader: Pick<LedgerReader, 'rows' | 'oldestRows'>,
  writer: Pick<LedgerWriter, 'coverage' | 'unfinishedWalks'>,
): Promise<LedgerSummary> {
  const walks = await writer.unfinishedWalks();
  const histories: Read[] = [];
  for (const history of ledgerHistoryNames) {
    const oldestFirst = { ...allRows(history), sort: { field: 'time', isDescending: false } };
    const { rows, total } = await reader.rows(oldestFirst, 0, 1);
    const reads = await writer.coverage(history);
    const own = walks.filter((walk) => walk.history === history);
    const oldest = timeOf(rows[0] ?? {});
    const oldestRows = await reader.oldestRows(history);
    histories.push({
      ...{ history, rows: total, oldest, oldestRows, reads, reading: readingOf(own) },
      walks: own.map((walk) => withStart(walk, oldest)),
    });
  }
  const all = histories.flatMap(({ reads }) => reads);
  const period = mapPeriod(histories);
  return {
    synchronisedAt: all.length === 0 ? null : Math.max(...all.map(({ asOf }) => asOf)),
    period,
    histories: histories.map((read) => summaryOf(read, period)),
  };
}

function readingOf(walks: readonly SavedWalk[]): HistorySummary['reading'] {
  if (walks.length === 0) return null;
  return walks.every(({ isPaused }) => isPaused) ? 'paused' : 'running';
}

function allRows(history: LedgerHistory): LedgerQuery {
  return { history, period: always, filters: {}, search: '', sort: null };
}

/** A read from 0 on was of everything: its map begins with the oldest row. */
function mapPeriod(histories: readonly Read[]): Interval {
  const all = histories.flatMap(({ reads, oldest }) =>
    reads.map((read) => withStart(read, oldest)),
  );
  if (all.length === 0) return { from: 0, to: 0 };
  return {
    from: Math.min(...all.map(({ from }) => from)),
    to: Math.max(...all.map(({ to }) => to)),
  };
}

function withStart({ from, to }: Interval, oldest: number | undefined): Interval {
  return { from: from === openStart ? Math.min(oldest ?? to, to) : from, to };
}

function summaryOf({ oldest: _oldest, ...read }: Read, period: Interval): HistorySummary {
  const { history, reads } = read;
  const readTo = reads.length === 0 ? null : Math.max(...reads.map(({ to }) => to));
  const parts = coverageParts(history, reads, { from: period.from, to: readTo ?? period.to });
  return { ...read, readTo, parts };
}
