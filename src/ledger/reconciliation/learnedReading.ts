import { extremes, scaleOf } from '../../base/decimal.ts';
import type { Interval } from '../../base/interval.ts';
import {
  minTimesHeld,
  type Applicability,
  type Contradiction,
  type LedgerHistory,
} from '../ledger.ts';
import type { Identity, IdentityReading, Comparison, TermsByHistory } from './identities.ts';
import { coveredSpans, type ReconciliationReader } from './reconciliationReader.ts';
import type { Judgement, SubjectJudgement } from './verdicts.ts';
import { historiesOf, entriesIn, within } from './entries.ts';
import { judgeFigures, rowsBySubject } from './figureComparison.ts';
import { judgeKeys } from './keyComparison.ts';
import { minuteMs } from '../../base/time.ts';
import { bracketBetween, withoutBracketRows } from './bracket.ts';
import { compareFigures } from './openingBalance.ts';
import type { Point, Row } from './openings.ts';
import { floatTolerance, magnitude } from './rounding.ts';

/** How often a reading of an identity held, and how often it did not. */
type ReadingEvidence = {
  readonly reading: IdentityReading;
  readonly judgement: Judgement;
  readonly held: number;
  readonly failed: number;
};

/** The reading of an identity that fits best, and whether it fits well enough to be the exchange's. */
export type LearnedReading = ReadingEvidence & {
  readonly applicability: Applicability;
  /** Assets and symbols that it contradicts and that another reading explains better: theirs is not known. */
  readonly explainedByOthers: ReadonlySet<string>;
};

export function learnReading(
  reader: ReconciliationReader,
  identity: Identity,
): LearnedReading | undefined {
  const [best, ...others] = identity.readings
    .map((reading) => evidenceOf(reading, judge(reader, identity, reading.terms)))
    .sort((one, other) => other.held - other.failed - (one.held - one.failed));
  if (!best) return undefined;
  const explained = [...best.judgement].filter(([subject, found]) =>
    others.some(({ judgement }) => explainsBetter(judgement.get(subject), found)),
  );
  const explainedByOthers = new Set(explained.map(([subject]) => subject));
  return { ...best, applicability: applicabilityOf(best), explainedByOthers };
}

function evidenceOf(reading: IdentityReading, judgement: Judgement): ReadingEvidence {
  const total = (counts: readonly number[]): number => counts.reduce((all, each) => all + each, 0);
  const subjects = [...judgement.values()];
  return {
    reading,
    judgement,
    held: total(subjects.map(({ held }) => held)),
    failed: total(subjects.map(({ contradictions }) => contradictions.length)),
  };
}

/** Whether a reading explains a contradiction of another one, and always agrees or does so more often. */
function explainsBetter(found: SubjectJudgement | undefined, other: SubjectJudgement): boolean {
  if (!found) return false;
  const explainsOne = other.contradictions.some((each) =>
    found.periods.some(({ from, to }) => from <= each.from && each.to <= to),
  );
  return explainsOne && (found.contradictions.length === 0 || surplusOf(found) > surplusOf(other));
}

function surplusOf({ held, contradictions }: SubjectJudgement): number {
  return held - contradictions.length;
}

function applicabilityOf({ held, failed }: ReadingEvidence): Applicability {
  if (held >= minTimesHeld && held > failed) return 'applies';
  return failed >= minTimesHeld ? 'doesNotApply' : 'undecided';
}

/** Compares the records of all periods in which a reading's histories are complete. */
function judge(
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
      return judgeIdleSpans(reader, comparison.mayStandAlone, terms, span);
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
    rounded: extremes([earlier.rounded, later.rounded]).max,
    withoutTrade: [...earlier.withoutTrade, ...later.withoutTrade],
  };
}

/** A transaction may be booked this long after its trade: a shorter idle span may lie between the two. */
const shortestIdleMs = 2 * minuteMs;

/** Compares the sum of the rows between two idle spans with 0. */
function judgeIdleSpans(
  reader: ReconciliationReader,
  mayStandAlone: LedgerHistory | undefined,
  terms: TermsByHistory,
  span: Interval,
): Judgement {
  const { rows: bySubject, unknownTimes } = rowsBySubject(entriesIn(reader, terms, span));
  return new Map(
    [...bySubject].map(([subject, rows]) => {
      const found = compareFigures(idlePointsOf(rows, span), rows, unknownTimes.get(subject));
      const withoutTrade = found.contradictions.filter((each) =>
        isOfLoneRows(each, rows, mayStandAlone),
      );
      const contradictions = found.contradictions.filter((each) => !withoutTrade.includes(each));
      return [subject, { ...found, contradictions, withoutTrade, intervals: [], intervalCount: 0 }];
    }),
  );
}

/** Whether rows agree without some of this history that have no opposite, and are not there twice. */
function isOfLoneRows(
  { remainder, ...interval }: Contradiction,
  all: readonly Row[],
  history: LedgerHistory | undefined,
): boolean {
  if (!history) return false;
  const rows = within(all, interval);
  const texts = rows.map(({ amount }) => amount);
  const { integerOf } = scaleOf([remainder, ...texts]);
  const missing = integerOf(remainder);
  const amounts = texts.map(integerOf);
  const opposites = new Set(amounts.filter((_, index) => rows[index]?.history !== history));
  const own = amounts.flatMap((amount, index) => {
    const row = rows[index];
    const isAlone = row?.history === history && !opposites.has(-amount);
    return isAlone ? [{ amount, name: `${row.time} ${amount}` }] : [];
  });
  const lone = [...Map.groupBy(own, ({ name }) => name).values()].flatMap((same) =>
    same.length === 1 ? same.map(({ amount }) => amount) : [],
  );
  const left = withoutBracketRows([-missing], lone) ?? lone.map((amount) => -missing - amount);
  const tolerance = floatTolerance(amounts);
  return [...left].some((each) => magnitude(each) <= tolerance);
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
