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
  AnalysisView,
  HistoryCoverage,
} from './analysis.ts';

/**
 * What is known of the rows of these histories. It is read before the rows: what is written meanwhile can only
 * add to them.
 */
export function analysisCoverage(
  database: DatabaseSync,
  histories: readonly LedgerHistory[],
  { view, period: { from = 0, to }, now }: AnalysisRequest,
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
    const isLacking = `(${lacksFigure(history)}) AND (${lacksOwnFigure(history, view)})`;
    return {
      ...{ history, complete: completeIn(each.parts), neverRead: clip(unread, asked) },
      undatedRows: countRows(database, history, 'time IS NULL'),
      lackingRows: countRows(database, history, `${isLacking} AND time >= ? AND time < ?`, asked),
    };
  });
  return {
    histories,
    complete: intersection(byHistory.map(({ complete }) => complete)),
    byHistory,
    gaps: gaps.toSorted((one, other) => one.from - other.from),
  };
}

/** What a view adds up or compares of trades; of transactions it is the amount. */
const tradeFigures: Readonly<Record<AnalysisView, readonly string[]>> = {
  realizedPl: ['rpnl'],
  fees: ['fee'],
  numbers: ['fee', 'rpnl'],
  feeAudit: ['amount', 'price', 'fee'],
  ...{ funding: [], cashFlow: [], cash: [], equity: [] },
};

function lacksOwnFigure(history: LedgerHistory, view: AnalysisView): string {
  return history === 'trades' ? lacksFigure(history, tradeFigures[view]) : lacksFigure(history);
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

function gapsIn(
  history: LedgerHistory,
  parts: readonly CoveragePart[],
  now: number,
): readonly AnalysisGap[] {
  return missingParts(parts, now).flatMap(({ from, to, completeness, reason }) =>
    completeness === 'complete' ? [] : [{ history, from, to, completeness, reason }],
  );
}
