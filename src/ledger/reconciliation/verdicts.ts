import type { SubjectReport } from '../ledger.ts';

/** What the records show about one asset or symbol in one reading of an identity; no period if records are compared by a key. */
export type SubjectJudgement = Omit<
  SubjectReport,
  'subject' | 'verdict' | 'reason' | 'candidates'
> & {
  /** How many checkpoints were left out, because too many rows lie in their brackets, and intervals at unclear times. */
  readonly unclear: number;
};

export type Judgement = ReadonlyMap<string, SubjectJudgement>;

export const nothingCompared: SubjectJudgement = {
  held: 0,
  periods: [],
  contradictions: [],
  withoutTrade: [],
  rounded: '0',
  intervals: [],
  intervalCount: 0,
  unclear: 0,
};
