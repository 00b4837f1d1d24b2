import type { OperationName } from '../operations.ts';
import type { Moment } from './clockStep.ts';
import { assumedLimits, type WeightLimit } from './limits.ts';
import type { UsedWeight } from './usedWeight.ts';

/** Weight that counts in a window until that long after `endsAt`; times are epoch milliseconds. */
export type Entry = {
  readonly id: string;
  readonly weight: number;
  /** When the answer came; until one does, when it will have come at the latest. */
  readonly endsAt: number;
  /** Spent by somebody else on the same limit, as a header of the exchange showed. */
  readonly isForeign: boolean;
  /** The shortest window that it counts in, as nothing tells when in that one it was spent; in all unless given. */
  readonly shortestMs?: number | undefined;
};

/** A request that a freeze let pass. */
export type Passage = { readonly id: string; readonly operation: string };

/** All that the windows of one account share about its weight. Plain data: it is kept as JSON. */
export type Books = {
  readonly entries: readonly Entry[];
  /** What exchange information told; null before. */
  readonly limits: readonly WeightLimit[] | null;
  readonly learnedAt: number;
  readonly lastSentAt: number;
  readonly frozenUntil: number;
  /** What has gone already in this freeze, each operation once. */
  readonly passed: readonly Passage[];
  /** When bulk would have spent all it sent, at its pace. */
  readonly bulkSpentAt: number;
  /** When they were kept last; null before. */
  readonly keptAt: Moment | null;
  /** Of one window alone, as nothing can be shared: others may spend by books of their own. */
  readonly isOwn?: true;
};

export const emptyBooks: Books = {
  entries: [],
  limits: null,
  learnedAt: 0,
  lastSentAt: 0,
  frozenUntil: 0,
  passed: [],
  bulkSpentAt: 0,
  keptAt: null,
};

/** For clocks that count whole milliseconds and run at slightly different rates, ours and theirs. */
const guardMs = 50;
const unansweredMs = 5000;
const unsaidFreezeMs = 60_000;
const shortestFreezeMs = 1000;
/** What an exchange asks for beyond it is not heeded: neither here nor by whoever reads again. */
export const longestFreezeMs = 15 * 60_000;

/** How a request that was let go ended. */
export type Ending =
  | { readonly kind: 'unsent' | 'unanswered' }
  | {
      readonly kind: 'answered';
      /** What headers say was spent by everybody, from the shortest window; nothing unless given. */
      readonly usedWeights?: readonly UsedWeight[];
      /** How often it was sent before the answer came; once unless given. */
      readonly timesSent?: number;
    }
  | { readonly kind: 'limited'; readonly retryAfterMs: number | undefined };

export function limitsOf({ limits }: Books): readonly WeightLimit[] {
  return limits ?? assumedLimits;
}

/** When an entry stops to count in a window. */
export function releasedAt({ endsAt }: Entry, windowMs: number): number {
  return endsAt + windowMs + guardMs;
}

/** The entries that count in a window now. */
export function counted({ entries }: Books, windowMs: number, now: number): readonly Entry[] {
  return entries.filter((entry) => countsIn(entry, windowMs, now));
}

export function countsIn(entry: Entry, windowMs: number, now: number): boolean {
  return windowMs >= (entry.shortestMs ?? 0) && releasedAt(entry, windowMs) > now;
}

export function weightOf(entries: readonly Pick<Entry, 'weight'>[]): number {
  return entries.reduce((sum, { weight }) => sum + weight, 0);
}

export type Spending = Pick<Entry, 'id' | 'weight'> & {
  readonly operation: OperationName;
  /** How long the request can take at most. */
  readonly longestMs: number;
};

/** Books a request at the moment when it is let go. */
export function reserve(books: Books, spending: Spending, now: number): Books {
  const { id, weight, operation, longestMs } = spending;
  const endsAt = now + longestMs + unansweredMs;
  const passages = books.passed.filter((passage) => passage.id !== id);
  return {
    ...books,
    entries: [...without(books, id), { id, weight, endsAt, isForeign: false }],
    lastSentAt: Math.max(books.lastSentAt, now),
    passed: now < books.frozenUntil ? [...passages, { id, operation }] : books.passed,
  };
}

/** Books how a request ended, also one that was booked nowhere before. */
export function end(books: Books, spending: Spending, ending: Ending, now: number): Books {
  const { id } = spending;
  const others = without(books, id);
  const ended = (endsAt: number, timesSent = 1): Books => {
    const weight = spending.weight * timesSent;
    return { ...books, entries: [...others, { id, weight, endsAt, isForeign: false }] };
  };
  switch (ending.kind) {
    case 'unsent':
      return { ...books, entries: others, passed: books.passed.filter((one) => one.id !== id) };
    case 'unanswered':
      return ended(now + unansweredMs);
    case 'answered':
      return withForeign(ended(now, ending.timesSent), id, ending.usedWeights ?? [], now);
    case 'limited':
      return freeze(ended(now), ending.retryAfterMs, now);
    default:
      return ending satisfies never;
  }
}

/**
 * What headers show beyond all that is booked was spent by others. One that shows more than the whole
 * limit counts something else: the exchange would not have answered.
 */
function withForeign(books: Books, causeId: string, shown: readonly UsedWeight[], now: number) {
  return shown.reduce((known, used) => {
    const limit = limitMeant(limitsOf(known), used);
    if (!limit || used.weight > limit.weight) return known;
    const { windowMs: shortestMs } = limit;
    const id = `others-${causeId}-${shortestMs}`;
    const others = without(known, id);
    const booked = weightOf(counted({ ...known, entries: others }, shortestMs, now));
    const weight = used.weight - booked;
    if (weight <= 0) return known;
    const entry = { id, weight, endsAt: now, isForeign: true, shortestMs };
    return { ...known, entries: [...others, entry] };
  }, books);
}

/** The limit of the header's own window; of a header that names none, a minute's, else the first. */
function limitMeant(
  limits: readonly WeightLimit[],
  { windowMs }: UsedWeight,
): WeightLimit | undefined {
  const meant = limits.find((limit) => limit.windowMs === (windowMs ?? 60_000));
  return windowMs === undefined ? (meant ?? limits[0]) : meant;
}

/** Books a pause that the exchange asks for, of at least a second. */
export function freeze(books: Books, retryAfterMs: number | undefined, now: number): Books {
  const asked =
    retryAfterMs === undefined
      ? books.lastSentAt + unsaidFreezeMs
      : now + Math.max(retryAfterMs, shortestFreezeMs);
  const frozenUntil = Math.max(books.frozenUntil, Math.min(asked, now + longestFreezeMs));
  return { ...books, frozenUntil, passed: now < books.frozenUntil ? books.passed : [] };
}

function without({ entries }: Books, id: string): readonly Entry[] {
  return entries.filter((entry) => entry.id !== id);
}
