import { countsIn, limitsOf, longestFreezeMs, type Books, type Entry } from './books.ts';
import { sumId } from './mergedBooks.ts';
import { isInStep, type Moment } from './clockStep.ts';

const longestRequestMs = 120_000;
const longestPaceMs = 60_000;
/** As fine as a bulk walk needs, and few enough to be read and written in a millisecond. */
const partsOfWindow = 500;

/** Times beyond all that can be, as after a clock was set back, brought near. */
export function bounded(books: Books, now: number): Books {
  const by = (latest: number) => (time: number) => Math.min(time, latest);
  const request = by(now + longestRequestMs);
  const entries = books.entries.map((entry) => ({ ...entry, endsAt: request(entry.endsAt) }));
  return {
    ...books,
    entries,
    learnedAt: by(now)(books.learnedAt),
    lastSentAt: by(now)(books.lastSentAt),
    frozenUntil: by(now + longestFreezeMs)(books.frozenUntil),
    bulkSpentAt: by(now + longestPaceMs)(books.bulkSpentAt),
  };
}

/**
 * The clock was set: forward, what ended or ends does so as much later by the new clock; back, it
 * counts until either clock would release it. Books that were kept since then know it already.
 */
export function afterClockStep(books: Books, jumpMs: number, at: Moment): Books {
  if (books.keptAt && isInStep(books.keptAt, at)) return books;
  return bounded(jumpMs > 0 ? shifted(books, jumpMs) : books, at.wallMs);
}

function shifted(books: Books, jumpMs: number): Books {
  return {
    ...books,
    entries: books.entries.map((entry) => ({ ...entry, endsAt: entry.endsAt + jumpMs })),
    lastSentAt: books.lastSentAt + jumpMs,
    frozenUntil: books.frozenUntil + jumpMs,
    bulkSpentAt: books.bulkSpentAt + jumpMs,
  };
}

/**
 * The same books, shorter: what counts nowhere any more is dropped, and what ended within the same
 * part of a window becomes one entry of that part's end.
 */
export function compact(books: Books, now: number): Books {
  const windowsMs = limitsOf(books).map(({ windowMs }) => windowMs);
  const near = bounded(books, now);
  const kept = new Map<string, Entry>();
  for (const entry of near.entries) {
    const countingMs = windowsMs.filter((windowMs) => countsIn(entry, windowMs, now));
    if (countingMs.length === 0) continue;
    const next = entry.endsAt > now ? entry : rounded(entry, Math.min(...countingMs));
    const before = kept.get(next.id);
    kept.set(next.id, before ? { ...next, weight: before.weight + next.weight } : next);
  }
  return { ...near, entries: [...kept.values()] };
}

function rounded(entry: Entry, windowMs: number): Entry {
  const stepMs = Math.max(1, Math.floor(windowMs / partsOfWindow));
  const endsAt = Math.ceil(entry.endsAt / stepMs) * stepMs;
  return { ...entry, id: sumId(entry, endsAt), endsAt };
}
