import { operations } from '../operations.ts';

/** Who goes first: a cancel-all, what a person waits for, the refresh, bulk. */
export const priorities = ['cancel', 'interactive', 'refresh', 'bulk'] as const;
export type Priority = (typeof priorities)[number];

/**
 * How much of what we may take (`ours`) a request of this priority leaves free for those before it: to
 * a cancel-all with its reads a quarter, 25 at most, and never less than its DELETEs need. Those reads
 * leave free what the DELETEs need, which leave nothing.
 */
export function keptFree(priority: Priority, ours: number): number {
  const quarter = Math.floor(ours / 4);
  const forCancel = Math.min(25, Math.max(forDeletes(ours), quarter));
  switch (priority) {
    case 'cancel':
      return forDeletes(ours);
    case 'interactive':
    case 'refresh':
      return forCancel;
    case 'bulk':
      return forCancel + Math.min(30, quarter);
    default:
      return priority satisfies never;
  }
}

/** Room for a DELETE where it could go at all, and for that of a second press where bulk can still go beside it. */
function forDeletes(ours: number): number {
  const { weight } = operations.cancelAll;
  if (ours < weight) return 0;
  return ours < 6 * weight ? weight : 2 * weight;
}

/** How long somebody who looks on is kept waiting before being told; nobody looks on at the others. */
export function patienceMs(priority: Priority): number {
  return priority === 'cancel' || priority === 'interactive' ? 8000 : Number.POSITIVE_INFINITY;
}
