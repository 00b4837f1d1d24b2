import type { DatabaseSync } from 'node:sqlite';
import { lastDays, TimeZone } from '../../base/timeZone.ts';
import type { Interval, LedgerHistory } from '../ledger.ts';
import { SymbolAssets } from '../storage/symbolAssets.ts';
import {
  viewSplits,
  type AnalysisCoverage,
  type AnalysisRequest,
  type AnalysisSplit,
} from './analysis.ts';
import { analysisCoverage } from './analysisCoverage.ts';
import { calendarBuckets, type CalendarBuckets } from './calendarBuckets.ts';

/** What the views share: whose rows of when are analysed, and what is known of them. */
export type AnalysisScope = {
  readonly database: DatabaseSync;
  readonly request: AnalysisRequest;
  readonly period: Interval;
  readonly coverage: AnalysisCoverage;
  readonly calendar: CalendarBuckets;
  readonly splitBy: AnalysisSplit;
  readonly symbols: SymbolAssets;
};

/** The figures of a view are made of these histories. */
export function analysisScope(
  database: DatabaseSync,
  request: AnalysisRequest,
  histories: readonly LedgerHistory[],
): AnalysisScope {
  const coverage = analysisCoverage(database, histories, request);
  const period = closedPeriod(database, request, histories);
  const calendar = calendarBuckets(period, new TimeZone(request.zone), request.groupBy);
  const { view, splitBy } = request;
  const isSplit = viewSplits[view].includes(splitBy);
  return {
    ...{ database, request, period, coverage, calendar },
    splitBy: isSplit ? splitBy : 'asset',
    symbols: new SymbolAssets(database),
  };
}

/** From the day of the oldest row to the newest one, or to now, where the request leaves an end open. */
function closedPeriod(
  database: DatabaseSync,
  { view, period, now, zone }: AnalysisRequest,
  histories: readonly LedgerHistory[],
): Interval {
  const tables =
    view === 'equity'
      ? [['checkpoints', 'answeredAt']]
      : histories.map((history) => [history, 'time']);
  const ends = tables.map(([table, time]) =>
    database
      .prepare(
        `SELECT (SELECT min(${time}) FROM ${table}) AS first, (SELECT max(${time}) FROM ${table}) AS last`,
      )
      .get(),
  );
  const times = (end: 'first' | 'last'): number[] =>
    ends.flatMap((each) => (typeof each?.[end] === 'number' ? [each[end]] : []));
  const to = period.to ?? Math.max(now, ...times('last').map((last) => last + 1));
  const first = Math.min(...times('first'));
  const day = first < to ? lastDays(1, first, new TimeZone(zone)).from : to;
  return { from: Math.min(period.from ?? day, to), to };
}
