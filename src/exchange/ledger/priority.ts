import { operations } from '../operations.ts';

/** Who goes first: a cancel-all, what a person waits for, the refresh, bulk. */
export const priorities = ['cancel', 'interactive', 'refresh', 'bulk'] as const;
export type Priority = (typeof priorities)[number];

/**
 * How much of what we may take (`ours`) a request of this priority leaves free for those before it: to
 * a cancel-all a quarter, 25 at most, and never less than it weighs where it could go at all.
 */
export function keptFree(priority: Priority, ours: number): number {
  const { weight: cancelWeight } = operations.cancelAll;
  const quarter = Math.floor(ours / 4);
  const forCancel = ours < cancelWeight ? quarter : Math.min(25, Math.max(cancelWeight, quarter));
  switch (priority) {
    case 'cancel':
      return 0;
    case 'interactive':
    case 'refresh':
      return forCancel;
    case 'bulk':
      return forCancel + Math.min(30, quarter);
    default:
      return priority satisfies never;
  }
}

/** How long somebody who looks on is kept waiting before being told; nobody looks on at the others. */
export function patienceMs(priority: Priority): number {
  return priority === 'cancel' || priority === 'interactive' ? 8000 : Number.POSITIVE_INFINITY;
}
