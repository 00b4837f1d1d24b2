import type { QueryPairs } from '../auth/signRequest.ts';
import { ExchangeError } from '../exchangeError.ts';
import { operations, type OperationName } from '../../api/operations.ts';
import type { Priority } from '../rateLimit/priority.ts';

/** What a log may know of a request: no value of a parameter, no header, no body. */
export type RequestLogEntry = {
  readonly method: string;
  readonly path: string;
  readonly parameterNames: readonly string[];
  readonly priority: Priority;
  /** 1 for the first time that it was sent; only a read has more. */
  readonly attempt: number;
  /** HTTP status, and the kind of the failure if there was one. */
  readonly result: string;
  /** From the sending on, without the wait for weight. */
  readonly durationMs: number;
  /** What it cost against the limit (section 8); 0 when it never left. */
  readonly weight: number;
};

/** The record of one sending that ended with this status, or with what was thrown. */
export function toLogEntry(
  name: OperationName,
  pairs: QueryPairs,
  priority: Priority,
  attempt: number,
  durationMs: number,
  end: unknown,
): RequestLogEntry {
  const { method, path, weight } = operations[name];
  const parameterNames = pairs.map(([parameter]) => parameter);
  const neverLeft = end instanceof ExchangeError && end.failure.sent === 'no';
  return {
    method,
    path,
    parameterNames,
    priority,
    attempt,
    durationMs: Math.round(durationMs),
    result: resultOf(end),
    weight: neverLeft ? 0 : weight,
  };
}

function resultOf(end: unknown): string {
  if (typeof end === 'number') return String(end);
  if (!(end instanceof ExchangeError)) return 'aborted';
  const { status, kind } = end.failure;
  return status === undefined ? kind : `${status} ${kind}`;
}
