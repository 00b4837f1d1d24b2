import { dayMs } from '../../base/time.ts';
import type { Interval } from '../ledger.ts';
import { bracketBetween } from './bracket.ts';
import { entriesIn } from './entries.ts';
import { rowsBySubject } from './figureComparison.ts';
import type { Terms } from './identities.ts';
import { compareFigures, type Point, type Row } from './openingBalance.ts';
import type { ReconciliationReader } from './reconciliationReader.ts';
import type { Judgement } from './verdicts.ts';

/** Compares what the rows of each day add up to with 0, for the whole days of a span (UTC). */
export function judgeDays(reader: ReconciliationReader, terms: Terms, span: Interval): Judgement {
  const bySubject = rowsBySubject(entriesIn(reader, terms, span));
  return new Map(
    [...bySubject].map(([subject, rows]) => [subject, compareFigures(midnights(rows, span), rows)]),
  );
}

/** A figure of 0 before and after each day that has rows. A row may be posted on the next day. */
function midnights(rows: readonly Row[], span: Interval): readonly Point[] {
  const days = rows.map(({ time }) => Math.floor(time / dayMs));
  return [...new Set(days.flatMap((day) => [day, day + 1]))]
    .sort((one, other) => one - other)
    .map((day) => bracketBetween(day * dayMs, day * dayMs))
    .filter(({ from, to }) => span.from <= from && to <= span.to)
    .map((bracket) => ({ bracket, figure: '0' }));
}
