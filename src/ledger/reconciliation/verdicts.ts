import type { NumberText } from '../../base/decimal.ts';
import type { Interval } from '../ledger.ts';

/** A period over which figures and rows agree. */
export type AgreedPeriod = Interval & {
  readonly intervals: number;
  /** What the figure was before the first row that was read. */
  readonly openingBalance: NumberText;
};

/** A period whose rows cannot explain the change of a figure, or records with one key that do not fit. */
export type Contradiction = Interval & {
  /** What the rows lack; negative if they are too much. */
  readonly remainder: NumberText;
  /** The order or the transfer, if it is about one. */
  readonly key: string | null;
};

/** What the records say of one asset or symbol in one reading of an identity. */
export type SubjectJudgement = {
  /** Oldest first. Empty if records are compared by a key. */
  readonly periods: readonly AgreedPeriod[];
  /** Oldest first. */
  readonly contradictions: readonly Contradiction[];
  /** How many intervals with rows, orders or transfers agree. */
  readonly held: number;
  /** How many checkpoints were left out, because too many rows lie in their brackets. */
  readonly unclear: number;
};

export type Judgement = ReadonlyMap<string, SubjectJudgement>;
