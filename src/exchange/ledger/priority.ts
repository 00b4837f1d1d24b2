import { operations } from '../operations.ts';

/** Who goes first: a cancel-all, what a person waits for, the refresh, bulk. */
export const priorities = ['cancel', 'interactive', 'refresh', 'bulk'] as const;
export type Priority = (typeof priorities)[number];

const { weight: deleteWeight } = operations.cancelAll;

/**
 * How much of what we may take (`ours`) a request of this priority leaves free for those before it: to
 * a cancel-all with its reads a quarter, 25 at most, and never less than `weightOfDeletes`. Those reads
 * leave a DELETE its weight, which is before all.
 */
export function keptFree(priority: Priority, ours: number): number {
  const quarter = Math.floor(ours / 4);
  const forCancel = Math.min(25, Math.max(weightOfDeletes(ours), quarter));
  switch (priority) {
    case 'cancel':
      return deleteWeight;
    case 'interactive':
    case 'refresh':
      return forCancel;
    case 'bulk':
      return forCancel + Math.min(30, quarter);
    default:
      return priority satisfies never;
  }
}

/** Of a DELETE, where it could go at all, and of a second press's, where bulk can still go beside both. */
export function weightOfDeletes(ours: number): number {
  if (ours < deleteWeight) return 0;
  return ours < 6 * deleteWeight ? deleteWeight : 2 * deleteWeight;
}

/** How long somebody who looks on is kept waiting before being told; nobody looks on at the others. */
export function patienceMs(priority: Priority): number {
  return priority === 'cancel' || priority === 'interactive' ? 8000 : Number.POSITIVE_INFINITY;
}
