import type { Applicability } from '../ledger.ts';
import type { Identity, IdentityReading } from './identities.ts';
import { judge } from './judgement.ts';
import type { ReconciliationReader } from './reconciliationReader.ts';
import type { Judgement, SubjectJudgement } from './verdicts.ts';

/** How often an identity must hold before it can contradict. */
export const minTimesHeld = 5;

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
