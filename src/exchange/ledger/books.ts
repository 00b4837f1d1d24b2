import type { OperationName } from '../operations.ts';
import { assumedLimits, type WeightLimit } from './limits.ts';

/** Weight that counts in a window until that long after `endsAt`; times are epoch milliseconds. */
export type Entry = {
  readonly id: string;
  readonly weight: number;
  /** When the answer came; until one does, when it will have come at the latest. */
  readonly endsAt: number;
  /** Spent by somebody else on the same limit, as a header of the exchange showed. */
  readonly isForeign: boolean;
};

/** All that the windows of one account share about its weight. Plain data: it is kept as JSON. */
export type Books = {
  readonly entries: readonly Entry[];
  /** What exchange information told; null before. */
  readonly limits: readonly WeightLimit[] | null;
  readonly learnedAt: number;
  readonly lastSentAt: number;
  readonly frozenUntil: number;
  /** What has gone once already in this freeze. */
  readonly passed: readonly string[];
  /** When bulk would have spent all it sent, at its pace. */
  readonly bulkSpentAt: number;
};

export const emptyBooks: Books = {
  entries: [],
  limits: null,
  learnedAt: 0,
  lastSentAt: 0,
  frozenUntil: 0,
  passed: [],
  bulkSpentAt: 0,
};

/** For clocks that count whole milliseconds and run at slightly different rates, ours and theirs. */
const guardMs = 50;
const unansweredMs = 5000;
const unsaidFreezeMs = 60_000;
const longestFreezeMs = 15 * 60_000;

/** How a request that was let go ended. */
export type Ending =
  | { readonly kind: 'unsent' | 'unanswered' }
  | {
      readonly kind: 'answered';
      /** What a header says was spent in this minute by everybody. */
      readonly usedWeight: number | undefined;
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
  return entries.filter((entry) => releasedAt(entry, windowMs) > now);
}

export function weightOf(entries: readonly Entry[]): number {
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
  return {
    ...books,
    entries: [...without(books, id), { id, weight, endsAt, isForeign: false }],
    lastSentAt: Math.max(books.lastSentAt, now),
    passed: now < books.frozenUntil ? [...books.passed, operation] : books.passed,
  };
}

/** Books how a request ended, also one that was booked nowhere before. */
export function end(books: Books, spending: Spending, ending: Ending, now: number): Books {
  const { id, weight } = spending;
  const others = without(books, id);
  const ended = (endsAt: number): Books => ({
    ...books,
    entries: [...others, { id, weight, endsAt, isForeign: false }],
  });
  switch (ending.kind) {
    case 'unsent':
      return { ...books, entries: others };
    case 'unanswered':
      return ended(now + unansweredMs);
    case 'answered':
      return withForeign(ended(now), id, ending.usedWeight ?? 0, now);
    case 'limited':
      return freeze(ended(now), ending.retryAfterMs, now);
    default:
      return ending satisfies never;
  }
}

/** What a header shows beyond all that is booked was spent by others. */
function withForeign(books: Books, causeId: string, used: number, now: number): Books {
  const id = `others-${causeId}`;
  const others = without(books, id);
  const windowMs = limitsOf(books)[0]?.windowMs ?? 0;
  const weight = used - weightOf(counted({ ...books, entries: others }, windowMs, now));
  if (weight <= 0) return books;
  return { ...books, entries: [...others, { id, weight, endsAt: now, isForeign: true }] };
}

function freeze(books: Books, retryAfterMs: number | undefined, now: number): Books {
  const asked = retryAfterMs === undefined ? books.lastSentAt + unsaidFreezeMs : now + retryAfterMs;
  const frozenUntil = Math.max(books.frozenUntil, Math.min(asked, now + longestFreezeMs));
  return { ...books, frozenUntil, passed: now < books.frozenUntil ? books.passed : [] };
}

function without({ entries }: Books, id: string): readonly Entry[] {
  return entries.filter((entry) => entry.id !== id);
}

/** The clock jumped forward: what had ended ended later than it says, by the new clock, but not after now. */
export function delayed(books: Books, jumpMs: number, now: number): Books {
  const entries = books.entries.map((entry) => ({
    ...entry,
    endsAt: Math.max(entry.endsAt, Math.min(entry.endsAt + jumpMs, now)),
  }));
  return { ...books, entries };
}

/**
 * The same books, shorter: what counts nowhere any more is dropped, and what ended within the same
 * thousandth of a window becomes one entry of that thousandth's end. Times beyond all that can be,
 * after a clock was set back, are brought near.
 */
export function compact(books: Books, now: number): Books {
  const windowsMs = limitsOf(books).map(({ windowMs }) => windowMs);
  const merged = new Map<string, Entry>();
  for (const entry of books.entries) {
    const countingMs = windowsMs.filter((windowMs) => releasedAt(entry, windowMs) > now);
    if (countingMs.length === 0) continue;
    const next = entry.endsAt > now ? bounded(entry, now) : rounded(entry, Math.min(...countingMs));
    const before = merged.get(next.id);
    merged.set(next.id, before ? { ...next, weight: before.weight + next.weight } : next);
  }
  const frozenUntil = Math.min(books.frozenUntil, now + longestFreezeMs);
  return { ...books, entries: [...merged.values()], frozenUntil };
}

const longestRequestMs = 120_000;

function bounded(entry: Entry, now: number): Entry {
  return { ...entry, endsAt: Math.min(entry.endsAt, now + longestRequestMs) };
}

function rounded({ weight, endsAt, isForeign }: Entry, windowMs: number): Entry {
  const stepMs = Math.max(1, Math.floor(windowMs / 1000));
  const step = Math.ceil(endsAt / stepMs) * stepMs;
  return { id: `${isForeign ? 'others' : 'ours'}-until-${step}`, weight, endsAt: step, isForeign };
}
