import type { Books, Entry } from './books.ts';

/** The id of an entry that adds up all that ended in one part of a window. */
export function sumId({ isForeign, shortestMs }: Entry, endsAt: number): string {
  const whose = isForeign ? 'others' : 'ours';
  return `${whose}${shortestMs === undefined ? '' : `-of-${shortestMs}`}-until-${endsAt}`;
}

/**
 * Books of before and what one process booked meanwhile apart from them: nothing of either is lost.
 * What both had in a sum counts twice until it is released, as nothing tells the parts of a sum.
 */
export function merged(before: Books, apart: Books): Books {
  const entries = new Map(before.entries.map((entry) => [entry.id, entry]));
  for (const entry of apart.entries) {
    const known = entries.get(entry.id)?.weight ?? 0;
    const isSum = entry.id === sumId(entry, entry.endsAt);
    const weight = isSum ? known + entry.weight : Math.max(known, entry.weight);
    entries.set(entry.id, { ...entry, weight });
  }
  const { limits, learnedAt } = apart.learnedAt > before.learnedAt ? apart : before;
  return {
    entries: [...entries.values()],
    limits,
    learnedAt,
    lastSentAt: Math.max(before.lastSentAt, apart.lastSentAt),
    frozenUntil: Math.max(before.frozenUntil, apart.frozenUntil),
    passed: [...before.passed, ...apart.passed],
    bulkSpentAt: Math.max(before.bulkSpentAt, apart.bulkSpentAt),
    keptAt: before.keptAt,
  };
}
