import type { Clock } from '../../base/clock.ts';
import type { Spending } from './books.ts';
import { patienceMs, priorities } from './priority.ts';
import type { WeightRequest } from './weightRequest.ts';

/** What ends a wait besides its turn: the signal, and what the clock says of patience. */
export type Ends = { readonly clock: Clock; readonly signal: AbortSignal | undefined };

/** A request that waits for weight, and how it is told to go. */
export type Waiter = {
  readonly request: WeightRequest;
  readonly spending: Spending;
  readonly go: () => void;
  readonly refuse: (error: Error) => void;
};

/** Those who wait: a DELETE, then by priority, then as they came. */
export class WaitingLine {
  private readonly waiters = new Set<Waiter>();

  get size(): number {
    return this.waiters.size;
  }

  /** Resolves when it is told to go; rejects with the signal's reason, or with `tooLong` at the end of patience. */
  join(
    applicant: Pick<Waiter, 'request' | 'spending'>,
    { clock, signal }: Ends,
    tooLong: () => Error,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        stopPatience();
        signal?.removeEventListener('abort', onAbort);
        this.waiters.delete(waiter);
      };
      const go = (): void => {
        leave();
        resolve();
      };
      const refuse = (error: Error): void => {
        leave();
        reject(error);
      };
      const onAbort = (): void => refuse(signal?.reason as Error);
      const waiter: Waiter = { ...applicant, go, refuse };
      const patience = patienceMs(applicant.request.priority);
      const stopPatience = Number.isFinite(patience)
        ? clock.after(patience, () => refuse(tooLong()))
        : () => undefined;
      signal?.addEventListener('abort', onAbort);
      this.waiters.add(waiter);
    });
  }

  has(waiter: Waiter): boolean {
    return this.waiters.has(waiter);
  }

  first(): Waiter | undefined {
    return this.inOrder()[0];
  }

  inOrder(): readonly Waiter[] {
    return [...this.waiters].toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

/** Before the DELETE of a cancel-all, not even the reads of an earlier one go. */
function rankOf({ request: { operation, priority } }: Waiter): number {
  return operation === 'cancelAll' ? -1 : priorities.indexOf(priority);
}
