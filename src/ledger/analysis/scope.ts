import type { DatabaseSync } from 'node:sqlite';
import { clip, intersection, openEnd, openStart, type Interval } from '../../base/interval.ts';
import { lastDays, TimeZone } from '../../base/timeZone.ts';
import { transactionHistories, type LedgerHistory } from '../ledger.ts';
import { SymbolAssets } from '../storage/symbolAssets.ts';
import {
  factsOf,
  type AnalysisCoverage,
  type AnalysisRequest,
  type AnalysisSplit,
  type AnalysisView,
  type HistoryCoverage,
} from './analysis.ts';
import type { BookReader, ReadBook } from './bookReader.ts';
import { calendarBuckets, type CalendarBuckets } from './calendar.ts';
import {
  completeIn,
  coverageParts,
  missingParts,
  recordsChange,
  type CoveragePart,
} from '../coverage/coverageParts.ts';
import { lacksFigure } from '../storage/columns.ts';
import { numberOf } from '../storage/sql.ts';
import { WalkStore } from '../storage/walkStore.ts';

/** What the views share: whose rows of when are analysed, and what is known of them. */
export type AnalysisScope = {
  readonly database: DatabaseSync;
  readonly request: AnalysisRequest;
  readonly period: Interval;
  readonly coverage: AnalysisCoverage;
  readonly calendar: CalendarBuckets;
  readonly splitBy: AnalysisSplit;
  readonly symbols: SymbolAssets;
  /** The positions of all time. */
  readonly book: () => ReadBook;
};

export function analysisScope(
  database: DatabaseSync,
  request: AnalysisRequest,
  books: BookReader,
): AnalysisScope {
  const histories = historiesOf(request);
  const recorded = recordedIn(database, request.view, histories);
  const coverage = { ...analysisCoverage(database, histories, request), recorded };
  const period = closedPeriod(recorded, request);
  const calendar = calendarBuckets(period, new TimeZone(request.zone), request.groupBy);
  const { view, splitBy } = request;
  const isSplit = factsOf(view).splits.includes(splitBy);
  return {
    ...{ database, request, period, coverage, calendar },
    splitBy: isSplit ? splitBy : 'asset',
    symbols: new SymbolAssets(database),
    book: () => books.read(database, request.now),
  };
}

/** Whose rows the figures of a view are made of. */
function historiesOf(request: AnalysisRequest): readonly LedgerHistory[] {
  return factsOf(request.view).histories.map((history) =>
    history === 'transactions' ? transactionsOf(request) : history,
  );
}

/** From the first row to the last one, or of equity the first and the last sample. */
function recordedIn(
  database: DatabaseSync,
  view: AnalysisView,
  histories: readonly LedgerHistory[],
): Interval | null {
  const tables =
    view === 'equity'
      ? [['checkpoints', 'answeredAt']]
      : histories.map((history) => [history, 'time']);
  const ends = tables.map(
    ([table, time]) =>
      `SELECT (SELECT min(${time}) FROM ${table}) AS first, (SELECT max(${time}) FROM ${table}) AS last`,
  );
  const all = `SELECT min(first) AS first, max(last) AS last FROM (${ends.join(' UNION ALL ')})`;
  const { first, last } = database.prepare(all).get() ?? {};
  const isRecorded = typeof first === 'number' && typeof last === 'number';
  return isRecorded ? { from: first, to: last + 1 } : null;
}

/** From the day of the oldest row to the newest one, or to now, where the request leaves an end open. */
function closedPeriod(recorded: Interval | null, { period, now, zone }: AnalysisRequest): Interval {
  const to = period.to === openEnd ? Math.max(now, recorded?.to ?? now) : period.to;
  const first = recorded?.from ?? to;
  const day = first < to ? lastDays(1, first, new TimeZone(zone)).from : to;
  return { from: Math.min(period.from === openStart ? day : period.from, to), to };
}

/**
 * What is known of the rows of these histories. It is read before the rows: what is written meanwhile can only
 * add to them.
 */
export function analysisCoverage(
  database: DatabaseSync,
  histories: readonly LedgerHistory[],
  { view, period: { from, to }, now }: Pick<AnalysisRequest, 'view' | 'period' | 'now'>,
): Omit<AnalysisCoverage, 'recorded'> {
  const walks = new WalkStore(database);
  const asked = { from, to: Math.min(to, now) };
  const parts = histories.map((history) => ({
    history,
    parts: coverageParts(history, walks.coverage(history), asked),
  }));
  const gaps = parts.flatMap((each) =>
    missingParts(each.parts, now).flatMap(({ from, to, completeness, reason }) =>
      completeness === 'complete'
        ? []
        : [{ history: each.history, from, to, completeness, reason }],
    ),
  );
  const byHistory = parts.map((each): HistoryCoverage => {
    const { history } = each;
    const unread = gaps.filter(
      (gap) => gap.history === history && gap.completeness === 'neverRead',
    );
    return {
      ...{ history, complete: completeIn(each.parts), neverRead: clip(unread, asked) },
      asOf: asOfParts(history, each.parts),
      undatedRows: countRows(database, history, 'time IS NULL'),
      lackingRows: countRows(
        database,
        history,
        `${lacks(history, view)} AND time >= ? AND time < ?`,
        asked,
      ),
    };
  });
  return {
    complete: intersection(byHistory.map(({ complete }) => complete)),
    byHistory,
    gaps: gaps.toSorted((one, other) => one.from - other.from),
  };
}

function asOfParts(history: LedgerHistory, parts: readonly CoveragePart[]): number | null {
  const reads = parts.flatMap(({ asOf }) => asOf ?? []);
  if (reads.length === 0) return null;
  return recordsChange(history) ? Math.min(...reads) : Math.max(...reads);
}

/** The condition of rows that lack what a view adds up: an index has all that lack something. */
export function lacks(history: LedgerHistory, view: AnalysisView): string {
  const own = lacksFigure(history, ...(history === 'trades' ? [factsOf(view).tradeFigures] : []));
  return `(${lacksFigure(history)}) AND (${own})`;
}

/** Of the rows that the exchange still lists. */
function countRows(
  database: DatabaseSync,
  history: LedgerHistory,
  condition: string,
  within?: Interval,
): number {
  const sql = `SELECT count(*) FROM ${history} WHERE unlistedSince IS NULL AND ${condition}`;
  return numberOf(database, sql, ...(within ? [within.from, within.to] : []));
}

/** The transactions of the account that the request names. */
export function transactionsOf({ account }: AnalysisRequest): LedgerHistory {
  return transactionHistories[account];
}
