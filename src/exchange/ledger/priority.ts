/** Who goes first: a cancel-all, what a person waits for, the refresh, bulk. */
export const priorities = ['cancel', 'interactive', 'refresh', 'bulk'] as const;
export type Priority = (typeof priorities)[number];

/** How much of what we may take (`ours`) a request of this priority leaves free for those before it. */
export function keptFree(priority: Priority, ours: number): number {
  const quarter = Math.floor(ours / 4);
  const forCancel = Math.min(25, quarter);
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
