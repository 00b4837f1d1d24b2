import { isRefusedForTime } from '../failures.ts';
import type { Dialect } from './dialect.ts';
import type { DialectBook } from './dialectBook.ts';
import type { Observation } from './facts.ts';
import { valuesMatch } from './judge.ts';
import { byLists, fullestOf, type Attempt, type TriedForm } from './listForms.ts';

/**
 * Asks with each form of lists until the rows show which is understood, and remembers what came of it.
 * A form that drops values gives fewer rows: until one is proved, that which gives the most is used.
 */
export async function tryLists<Item>(
  book: DialectBook,
  attempt: (dialect: Dialect) => Promise<Attempt<Item>>,
  now: () => number,
): Promise<Attempt<Item>> {
  const [usual, ...others] = byLists(book.dialect);
  const first = await attempt(usual);
  // Another form would be refused for its time as well.
  if ('refusal' in first && isRefusedForTime(first.refusal.failure)) return first;
  const tried: TriedForm<Item>[] = [{ ...first, lists: usual.lists }];
  for (const other of others) {
    if (book.sourceOf('lists') === 'seen') break;
    tried.push({ ...(await attempt(other)), lists: other.lists });
  }
  const proved = tried.at(-1);
  if (proved && book.sourceOf('lists') === 'seen') return proved;
  const fullest = fullestOf(tried);
  if (!fullest) return first;
  book.learn('lists', {
    ...{ concluded: 'undecided', leaning: fullest.lists, reason: 'valuesDoNotTell' },
    evidence: tried.map(({ observation }) => observation),
    seenAt: now(),
  });
  return fullest;
}

/** What rows that were asked for by several statuses tell of how these were written. */
export type ListsSeen = {
  readonly asked: readonly string[];
  readonly items: readonly object[];
  readonly lists: Dialect['lists'];
  readonly observation: Observation;
};

/** Learns the form of lists that these rows prove, and forgets one that they contradict. */
export function noteLists(
  book: DialectBook,
  { asked, items, lists, observation }: ListsSeen,
  now: number,
): void {
  if (asked.length < 2) return;
  const seen = items.map((item) => String((item as { readonly status?: unknown }).status));
  const isContradicted = seen.some((status) => !asked.includes(status));
  if (isContradicted && book.sourceOf('lists') === 'seen') book.forget('lists');
  if (book.sourceOf('lists') !== 'assumed' || !valuesMatch(asked, seen)) return;
  const matched = { concluded: lists, reason: 'valuesMatch', evidence: [observation] } as const;
  book.learn('lists', { ...matched, seenAt: now });
}
