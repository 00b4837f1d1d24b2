import type { Spending } from './books.ts';
import { priorities } from './priority.ts';
import type { WeightRequest } from './weightLedger.ts';

/** A request that waits for weight, and how it is told to go. */
export type Waiter = {
  readonly request: WeightRequest;
  readonly spending: Spending;
  readonly go: () => void;
  readonly refuse: (error: Error) => void;
};

/** Those who wait: by priority, then as they came. */
export class WaitingLine {
  private readonly waiters = new Set<Waiter>();

  get size(): number {
    return this.waiters.size;
  }

  join(waiter: Waiter): void {
    this.waiters.add(waiter);
  }

  /** False when it was not there any more. */
  leave(waiter: Waiter): boolean {
    return this.waiters.delete(waiter);
  }

  has(waiter: Waiter): boolean {
    return this.waiters.has(waiter);
  }

  first(): Waiter | undefined {
    return this.inOrder()[0];
  }

  inOrder(): readonly Waiter[] {
    return priorities.flatMap((priority) =>
      [...this.waiters].filter(({ request }) => request.priority === priority),
    );
  }
}
