import { intersection, subtract, type Interval } from '../../src/base/interval.ts';
import type {
  AnalysisCoverage,
  AnalysisGap,
  HistoryCoverage,
} from '../../src/ledger/analysis/analysis.ts';
import type { LedgerHistory } from '../../src/ledger/ledger.ts';

/** A period that nobody read yet. */
export function unreadGap(history: LedgerHistory, { from, to }: Interval): AnalysisGap {
  return { history, from, to, completeness: 'neverRead', reason: null };
}

/** What is known of a period that is complete but for these gaps. */
export function coverageWithGaps(
  period: Interval,
  histories: readonly LedgerHistory[],
  gaps: readonly AnalysisGap[],
): AnalysisCoverage {
  const byHistory = histories.map((history): HistoryCoverage => {
    const own = gaps.filter((gap) => gap.history === history);
    const neverRead = own
      .filter(({ completeness }) => completeness === 'neverRead')
      .map(({ from, to }) => ({ from, to }));
    return {
      history,
      complete: subtract([period], own),
      neverRead,
      asOf: null,
      undatedRows: 0,
      lackingRows: 0,
    };
  });
  const complete = intersection(byHistory.map((each) => each.complete));
  return { complete, byHistory, gaps, recorded: null };
}
