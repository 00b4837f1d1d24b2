import { operations } from '../operations.ts';

/** Who goes first: a cancel-all, what a person waits for, the refresh, bulk. */
export const priorities = ['cancel', 'interactive', 'refresh', 'bulk'] as const;
export type Priority = (typeof priorities)[number];

const { weight: deleteWeight } = operations.cancelAll;

/**
 * How much of what we may take (`ours`) a request of this priority leaves free for those before it: to
 * a cancel-all with its reads a quarter, 25 at most, and never less than its DELETEs weigh. Those reads
 * leave a DELETE its weight where both fit; a DELETE is before all.
 */
export function keptFree(priority: Priority, ours: number): number {
  const quarter = Math.floor(ours / 4);
  switch (priority) {
    case 'cancel':
      return Math.min(deleteWeight, besidePlan(ours));
    case 'interactive':
    case 'refresh':
      return forCancel(ours, quarter);
    case 'bulk':
      return forCancel(ours, quarter) + Math.min(30, quarter);
    default:
      return priority satisfies never;
  }
}

function forCancel(ours: number, quarter: number): number {
  if (ours < deleteWeight) return quarter;
  return Math.min(25, Math.max(deleteWeight, besidePlan(ours), quarter));
}

/** What DELETEs weigh beside the read of a plan: one where both fit, and a second where bulk can still go too. */
export function besidePlan(ours: number): number {
  if (ours < 2 * deleteWeight) return 0;
  return ours < 6 * deleteWeight ? deleteWeight : 2 * deleteWeight;
}

/** How long somebody who looks on is kept waiting before being told; nobody looks on at the others. */
export function patienceMs(priority: Priority): number {
  return priority === 'cancel' || priority === 'interactive' ? 8000 : Number.POSITIVE_INFINITY;
}
