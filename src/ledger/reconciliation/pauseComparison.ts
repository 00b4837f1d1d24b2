import { minuteMs } from '../../base/time.ts';
import type { Interval } from '../ledger.ts';
import { bracketBetween } from './bracket.ts';
import { entriesIn } from './entries.ts';
import { rowsBySubject } from './figureComparison.ts';
import type { Terms } from './identities.ts';
import { compareFigures } from './openingBalance.ts';
import type { Point, Row } from './openings.ts';
import type { ReconciliationReader } from './reconciliationReader.ts';
import type { Judgement } from './verdicts.ts';

/** A transaction may be booked so long after its trade: a shorter pause may lie between the two. */
const shortestPauseMs = 2 * minuteMs;

/** Compares what the rows between two pauses add up to with 0. */
export function judgePauses(reader: ReconciliationReader, terms: Terms, span: Interval): Judgement {
  const bySubject = rowsBySubject(entriesIn(reader, terms, span));
  return new Map(
    [...bySubject].map(([subject, rows]) => {
      const found = compareFigures(pausesOf(rows, span), rows);
      return [subject, { ...found, intervals: [], intervalCount: 0 }];
    }),
  );
}

/** A figure of 0 in the middle of each time without rows. */
function pausesOf(rows: readonly Row[], { from, to }: Interval): readonly Point[] {
  const times = [from, ...rows.map(({ time }) => time), to];
  return times.slice(1).flatMap((end, index): readonly Point[] => {
    const pauseMs = end - (times[index] ?? end);
    const middle = end - Math.floor(pauseMs / 2);
    if (pauseMs < shortestPauseMs) return [];
    return [{ bracket: bracketBetween(middle, middle), figures: ['0'] }];
  });
}
