import type { AgreedPeriod, ComparedInterval, Contradiction } from '../ledger.ts';

/** What the records show about one asset or symbol in one reading of an identity. */
export type SubjectJudgement = {
  /** Oldest first. Empty if records are compared by a key. */
  readonly periods: readonly AgreedPeriod[];
  /** Oldest first. */
  readonly contradictions: readonly Contradiction[];
  /** Some of those between checkpoints, oldest first: the first contradicted ones and the newest. */
  readonly intervals: readonly ComparedInterval[];
  /** How many there are. */
  readonly intervalCount: number;
  /** How many intervals with rows, orders or transfers agree. */
  readonly held: number;
  /** How many checkpoints were left out, because too many rows lie in their brackets, and intervals at unclear times. */
  readonly unclear: number;
};

export type Judgement = ReadonlyMap<string, SubjectJudgement>;
