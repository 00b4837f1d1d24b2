import type { Interval } from '../ledger.ts';
import { coveredSpans } from './coveredSpans.ts';
import { historiesOf, entriesIn } from './entries.ts';
import { judgeFigures, rowsBySubject } from './figureComparison.ts';
import type { Comparison, Identity, TermsByHistory } from './identities.ts';
import { judgeKeys } from './keyComparison.ts';
import type { Judgement, SubjectJudgement } from './verdicts.ts';
import type { ReconciliationReader } from './reconciliationReader.ts';
import { minuteMs } from '../../base/time.ts';
import { bracketBetween } from './bracket.ts';
import { compareFigures } from './openingBalance.ts';
import type { Point, Row } from './openings.ts';

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

/** A transaction may be booked this long after its trade: a shorter idle span may lie between the two. */
const shortestIdleMs = 2 * minuteMs;

/** Compares the sum of the rows between two idle spans with 0. */
function judgeIdleSpans(
  reader: ReconciliationReader,
  terms: TermsByHistory,
  span: Interval,
): Judgement {
  const { rows: bySubject, unknownTimes } = rowsBySubject(entriesIn(reader, terms, span));
  return new Map(
    [...bySubject].map(([subject, rows]) => {
      const found = compareFigures(idlePointsOf(rows, span), rows, unknownTimes.get(subject));
      return [subject, { ...found, intervals: [], intervalCount: 0 }];
    }),
  );
}

/** A figure of 0 in the middle of each time without rows. */
function idlePointsOf(rows: readonly Row[], { from, to }: Interval): readonly Point[] {
  const times = [from, ...rows.map(({ time }) => time), to];
  return times.slice(1).flatMap((end, index): readonly Point[] => {
    const idleMs = end - (times[index] ?? end);
    const middle = end - Math.floor(idleMs / 2);
    if (idleMs < shortestIdleMs) return [];
    return [{ bracket: bracketBetween(middle, middle), figures: ['0'] }];
  });
}
