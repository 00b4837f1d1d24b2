import { minuteMs } from '../../base/time.ts';
import type { Interval } from '../ledger.ts';
import { bracketBetween } from './bracket.ts';
import { entriesIn } from './entries.ts';
import { rowsBySubject } from './figureComparison.ts';
import type { TermsByHistory } from './identities.ts';
import { compareFigures } from './openingBalance.ts';
import type { Point, Row } from './openings.ts';
import type { ReconciliationReader } from './reconciliationReader.ts';
import type { Judgement } from './verdicts.ts';

/** A transaction may be booked this long after its trade: a shorter idle span may lie between the two. */
const shortestIdleMs = 2 * minuteMs;

/** Compares the sum of the rows between two idle spans with 0. */
export function judgeIdleSpans(
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
