import { operations, type OperationName } from '../../api/operations.ts';
import type { Charge } from './rateLimitState.ts';

/** Highest first: a cancel-all, what a person waits for, the refresh of the account, exports. */
export const priorities = ['cancel', 'interactive', 'refresh', 'bulk'] as const;
export type Priority = (typeof priorities)[number];

export type WeightRequest = {
  readonly operation: OperationName;
  readonly weight: number;
  readonly priority: Priority;
  /** How long the request can take at most, once it is sent. */
  readonly maxDurationMs: number;
  /** How long it may wait for its weight; unless given, as its priority allows. */
  readonly waitMs?: number;
};

/** What counts for a request, under a new id. */
export function createCharge({ weight, operation, maxDurationMs }: WeightRequest): Charge {
  return { id: crypto.randomUUID(), weight, operation, maxDurationMs };
}

const { weight: deleteWeight } = operations.cancelAll;

/**
 * The weight of our share that a request of this priority leaves free for higher priorities. The reads
 * of a cancel-all leave room for one DELETE, all other requests for a whole cancel-all; bulk requests
 * also leave room for what a person waits for.
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

/** Room for the reads and DELETEs of a cancel-all: a quarter of the share, but no less than the DELETEs, and at most 25. */
function cancelAllReserve(ownShare: number, quarter: number): number {
  if (ownShare < deleteWeight) return quarter;
  return Math.min(25, Math.max(deleteWeight, deleteReserve(ownShare), quarter));
}

/** Room for DELETEs beside the read of a plan: none in a share that holds less than two, two in one that holds six, else one. */
export function deleteReserve(ownShare: number): number {
  if (ownShare < 2 * deleteWeight) return 0;
  return ownShare < 6 * deleteWeight ? deleteWeight : 2 * deleteWeight;
}

/** How long a request that a person waits for may wait for its weight, in milliseconds. */
const personWaitMs = 8000;

/** How long a request of this priority may wait for its weight, in milliseconds. */
export function maxWaitMs(priority: Priority): number {
  const hasPerson = priority === 'cancel' || priority === 'interactive';
  return hasPerson ? personWaitMs : Number.POSITIVE_INFINITY;
}
