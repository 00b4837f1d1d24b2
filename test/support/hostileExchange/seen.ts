import { operations, type OperationName } from '../../../src/api/operations.ts';
import type { SeenRequest } from '../hostileServer.ts';

/** A request of an operation, as it arrived. */
export type SeenOperation = SeenRequest & {
  readonly operation: OperationName;
  /** The number of this request of its operation, counted from 1. */
  readonly nth: number;
  readonly query: URLSearchParams;
  readonly weight: number;
  /** Milliseconds of `performance.now()`. */
  readonly at: number;
};

/** The requested operation; undefined if the API has no such operation. */
export function operationOf(method: string, path: string): OperationName | undefined {
  const [bare] = path.split('?');
  const names = Object.keys(operations) as OperationName[];
  return names.find((name) => operations[name].method === method && operations[name].path === bare);
}
