import type { Interval } from '../ledger.ts';
import { coveredSpans } from './coveredSpans.ts';
import { historiesOf } from './entries.ts';
import { judgeFigures } from './figureComparison.ts';
import type { Comparison, Identity, TermsByHistory } from './identities.ts';
import { judgeKeys } from './keyComparison.ts';
import { judgeIdleSpans } from './idleSpanComparison.ts';
import type { Judgement, SubjectJudgement } from './verdicts.ts';
import type { ReconciliationReader } from './reconciliationReader.ts';

/** Compares the records of all periods in which a reading's histories are complete. */
export function judge(
  reader: ReconciliationReader,
  { comparison }: Identity,
  terms: TermsByHistory,
): Judgement {
  const judgements = new Map<string, SubjectJudgement>();
  const others = comparison.by === 'figures' ? historiesOf(comparison.unclearNear) : [];
  for (const span of coveredSpans(reader, [...historiesOf(terms), ...others])) {
    for (const [subject, found] of judgeSpan(reader, comparison, terms, span)) {
      const before = judgements.get(subject);
      judgements.set(subject, before ? together(before, found) : found);
    }
  }
  return judgements;
}

function judgeSpan(
  reader: ReconciliationReader,
  comparison: Comparison,
  terms: TermsByHistory,
  span: Interval,
): Judgement {
  switch (comparison.by) {
    case 'figures':
      return judgeFigures(reader, comparison, terms, span);
    case 'idleSpans':
      return judgeIdleSpans(reader, terms, span);
    case 'keys':
      return judgeKeys(reader, comparison, terms, span);
  }
}

function together(earlier: SubjectJudgement, later: SubjectJudgement): SubjectJudgement {
  return {
    periods: [...earlier.periods, ...later.periods],
    contradictions: [...earlier.contradictions, ...later.contradictions],
    intervals: [...earlier.intervals, ...later.intervals],
    intervalCount: earlier.intervalCount + later.intervalCount,
    held: earlier.held + later.held,
    unclear: earlier.unclear + later.unclear,
  };
}
