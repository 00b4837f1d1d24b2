import { operations, type OperationName } from '../operations.ts';
import type { Charge } from './rateLimitState.ts';

/** Highest first: a cancel-all, what a person waits for, the refresh of the account, exports. */
export const priorities = ['cancel', 'interactive', 'refresh', 'bulk'] as const;
export type Priority = (typeof priorities)[number];

/** A request that asks for its weight. */
export type WeightRequest = {
  readonly operation: OperationName;
  readonly weight: number;
  readonly priority: Priority;
  /** How long the request can take at most, once it is sent. */
  readonly maxDurationMs: number;
};

/** What counts for a request, under a new id. */
export function createCharge({ weight, operation, maxDurationMs }: WeightRequest): Charge {
  return { id: crypto.randomUUID(), weight, operation, maxDurationMs };
}

const { weight: deleteWeight } = operations.cancelAll;

/**
 * How much of our share a request of this priority leaves free for higher priorities: for a cancel-all
 * with its reads a quarter, at most 25, and never less than its DELETEs weigh. Those reads leave room
 * for a DELETE where both fit.
 */
export function reservedWeight(priority: Priority, ownShare: number): number {
  const quarter = Math.floor(ownShare / 4);
  switch (priority) {
    case 'cancel':
      return Math.min(deleteWeight, deleteReserve(ownShare));
    case 'interactive':
    case 'refresh':
      return cancelAllReserve(ownShare, quarter);
    case 'bulk':
      return cancelAllReserve(ownShare, quarter) + Math.min(30, quarter);
  }
}

function cancelAllReserve(ownShare: number, quarter: number): number {
  if (ownShare < deleteWeight) return quarter;
  return Math.min(25, Math.max(deleteWeight, deleteReserve(ownShare), quarter));
}

/** What DELETEs weigh beside the read of a plan: one where both fit, two where bulk requests fit as well. */
export function deleteReserve(ownShare: number): number {
  if (ownShare < 2 * deleteWeight) return 0;
  return ownShare < 6 * deleteWeight ? deleteWeight : 2 * deleteWeight;
}

/** How long a read that a person waits for may wait for its weight, in milliseconds. */
export const interactiveWaitMs = 8000;
/** A window of a minute, and what requests that are under way can add to it. */
export const deleteWaitMs = 90_000;

/**
 * How long a request may wait for its weight, in milliseconds. A DELETE waits longer than reads: a
 * person confirmed it after the question said when it can be sent.
 */
export function maxWaitMs({
  operation,
  priority,
}: Pick<WeightRequest, 'operation' | 'priority'>): number {
  if (operation === 'cancelAll') return deleteWaitMs;
  const hasPerson = priority === 'cancel' || priority === 'interactive';
  return hasPerson ? interactiveWaitMs : Number.POSITIVE_INFINITY;
}
