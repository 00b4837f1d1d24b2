import type { DatabaseSync } from 'node:sqlite';
import {
  completeIn,
  coverageParts,
  missingParts,
  type CoveragePart,
} from '../coverage/coverageParts.ts';
import { clip, intersection } from '../coverage/intervals.ts';
import type { Interval, LedgerHistory } from '../ledger.ts';
import { lacksFigure } from '../storage/columns.ts';
import { numberOf } from '../storage/sql.ts';
import { WalkStore } from '../storage/walkStore.ts';
import type {
  AnalysisCoverage,
  AnalysisGap,
  AnalysisRequest,
  HistoryCoverage,
} from './analysis.ts';

/**
 * What is known of the rows of these histories. It is read before the rows: what is written meanwhile can only
 * add to them.
 */
export function analysisCoverage(
  database: DatabaseSync,
  histories: readonly LedgerHistory[],
  { period: { from = 0, to }, now }: AnalysisRequest,
): AnalysisCoverage {
  const walks = new WalkStore(database);
  const asked = { from, to: Math.min(to ?? now, now) };
  const parts = histories.map((history) => ({
    history,
    parts: coverageParts(history, walks.coverage(history), asked),
  }));
  const gaps = parts.flatMap((each) => gapsIn(each.history, each.parts, now));
  const byHistory = parts.map((each): HistoryCoverage => {
    const { history } = each;
    const unread = gaps.filter(
      (gap) => gap.history === history && gap.completeness === 'neverRead',
    );
    const lackingRows = undatedRows(database, [history]) + rowsWithout(database, [history], asked);
    const neverRead = clip(unread, asked);
    return { history, complete: completeIn(each.parts), neverRead, lackingRows };
  });
  return {
    histories,
    complete: intersection(byHistory.map(({ complete }) => complete)),
    byHistory,
    gaps: gaps.toSorted((one, other) => one.from - other.from),
    undatedRows: undatedRows(database, histories),
    lackingRows: rowsWithout(database, histories, asked),
  };
}

function undatedRows(database: DatabaseSync, histories: readonly LedgerHistory[]): number {
  return countRows(database, histories, () => 'time IS NULL');
}

/** Those of an interval that lack a figure. */
function rowsWithout(
  database: DatabaseSync,
  histories: readonly LedgerHistory[],
  { from, to }: Interval,
): number {
  const isLacking = (history: LedgerHistory): string =>
    `(${lacksFigure(history)}) AND time >= ? AND time < ?`;
  return countRows(database, histories, isLacking, [from, to]);
}

/** Of the rows that the exchange still lists. */
function countRows(
  database: DatabaseSync,
  histories: readonly LedgerHistory[],
  conditionOf: (history: LedgerHistory) => string,
  values: readonly number[] = [],
): number {
  return histories
    .map((history) => {
      const condition = `unlistedSince IS NULL AND ${conditionOf(history)}`;
      return numberOf(database, `SELECT count(*) FROM ${history} WHERE ${condition}`, ...values);
    })
    .reduce((sum, count) => sum + count, 0);
}

function gapsIn(
  history: LedgerHistory,
  parts: readonly CoveragePart[],
  now: number,
): readonly AnalysisGap[] {
  return missingParts(parts, now).flatMap(({ from, to, completeness, reason }) =>
    completeness === 'complete' ? [] : [{ history, from, to, completeness, reason }],
  );
}
