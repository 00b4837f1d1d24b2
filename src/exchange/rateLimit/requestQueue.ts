import type { Clock } from '../../base/time.ts';
import { priorities, type WeightRequest } from './priority.ts';
import type { Charge } from './rateLimitState.ts';

export type QueuedRequest = {
  readonly request: WeightRequest;
  readonly charge: Charge;
  /** When it has waited too long. */
  readonly waitUntil: number;
  readonly grant: () => void;
  readonly refuse: (error: Error) => void;
};

/** What ends a wait early: the caller's signal, or the time that a request may wait. */
type WaitOptions = {
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  /** The error for a request that waited too long. */
  readonly tooLong: () => Error;
};

/** The requests that wait: DELETEs first, then by priority, then in order of arrival. */
export class RequestQueue {
  private readonly requests = new Set<QueuedRequest>();

  get size(): number {
    return this.requests.size;
  }

  /** Resolves when the request is granted; rejects with the signal's reason, or when it is refused. */
  enqueue(
    entry: Pick<QueuedRequest, 'request' | 'charge' | 'waitUntil'>,
    { clock, signal, tooLong }: WaitOptions,
  ): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const leave = (): void => {
      stopTimer();
      signal?.removeEventListener('abort', onAbort);
      this.requests.delete(queued);
    };
    const grant = (): void => {
      leave();
      resolve(undefined);
    };
    const refuse = (error: Error): void => {
      leave();
      reject(error);
    };
    const onAbort = (): void => refuse(signal?.reason as Error);
    const queued: QueuedRequest = { ...entry, grant, refuse };
    const waitMs = entry.waitUntil - clock.now();
    const stopTimer = Number.isFinite(waitMs)
      ? clock.after(waitMs, () => refuse(tooLong()))
      : () => undefined;
    signal?.addEventListener('abort', onAbort);
    this.requests.add(queued);
    return promise;
  }

  has(queued: QueuedRequest): boolean {
    return this.requests.has(queued);
  }

  inOrder(): readonly QueuedRequest[] {
    return [...this.requests].toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

/** Not even the reads of an earlier cancel-all are sent before a DELETE. */
function rankOf({ request: { operation, priority } }: QueuedRequest): number {
  return operation === 'cancelAll' ? -1 : priorities.indexOf(priority);
}
