import type { Disposable } from './disposable.ts';

export type Event<T> = (listener: (value: T) => void) => Disposable;

/**
 * One event: its owner fires it, all others get `event` to listen to. What a listener throws reaches
 * neither the other listeners nor the owner: it goes to `onProblem`, or else to the process, as any
 * uncaught error.
 */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<{ readonly listener: (value: T) => void }>();
  private readonly onProblem: (error: unknown) => void;

  constructor(onProblem: (error: unknown) => void = throwUncaught) {
    this.onProblem = onProblem;
  }

  readonly event: Event<T> = (listener) => {
    const entry = { listener };
    this.listeners.add(entry);
    return { dispose: () => this.listeners.delete(entry) };
  };

  readonly fire = (value: T): void => {
    for (const { listener } of [...this.listeners])
      try {
        listener(value);
      } catch (error) {
        this.onProblem(error);
      }
  };

  dispose(): void {
    this.listeners.clear();
  }
}

function throwUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
