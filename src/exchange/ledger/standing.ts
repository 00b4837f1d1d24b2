import { counted, limitsOf, weightOf, type Books } from './books.ts';
import type { WeightLimit } from './limits.ts';
import { ourPart } from './rules.ts';

/** How things stood at a time with the limit of which the greatest part was used; times are epoch milliseconds. */
export type WeightStanding = {
  readonly at: number;
  readonly used: number;
  readonly ours: number;
  readonly limit: number;
  readonly windowMs: number;
  /** Until when nothing goes because the exchange said so; undefined where it did not. */
  readonly frozenUntil: number | undefined;
  /** How many requests of this window wait for weight. */
  readonly waiting: number;
};

export function standingOf(
  books: Books,
  share: number,
  now: number,
): Omit<WeightStanding, 'waiting'> {
  const standings = limitsOf(books).map((limit) => standingWith(books, limit, share, now));
  const [tightest = { used: 0, ours: 0, limit: 0, windowMs: 0 }] = standings.toSorted(
    (one, other) => other.used / other.limit - one.used / one.limit,
  );
  const frozenUntil = books.frozenUntil > now ? books.frozenUntil : undefined;
  return { ...tightest, at: now, frozenUntil };
}

function standingWith(books: Books, limit: WeightLimit, share: number, now: number) {
  const used = weightOf(counted(books, limit.windowMs, now));
  return { used, ours: ourPart(limit, share), limit: limit.weight, windowMs: limit.windowMs };
}
