import type { OperationName } from '../operations.ts';
import type { Spending } from './books.ts';
import type { Priority } from './priority.ts';

/** A request that asks for its weight. */
export type WeightRequest = {
  readonly operation: OperationName;
  readonly weight: number;
  readonly priority: Priority;
  /** How long the request can take at most, once it is sent. */
  readonly longestMs: number;
};

/** What is booked of a request, under an id of its own. */
export function spendingOf({ weight, operation, longestMs }: WeightRequest): Spending {
  return { id: crypto.randomUUID(), weight, operation, longestMs };
}
