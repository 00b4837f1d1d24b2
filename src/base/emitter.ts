import type { Disposable } from './disposable.ts';

export type Event<T> = (listener: (value: T) => void) => Disposable;

/**
 * One event: whoever owns the emitter fires it, everybody else gets `event` to listen to. What a
 * listener throws reaches neither the others nor whoever fires: `onProblem` is told, or else the
 * process, as of any uncaught error.
 */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<(value: T) => void>();
  private readonly onProblem: (error: unknown) => void;

  constructor(onProblem: (error: unknown) => void = throwApart) {
    this.onProblem = onProblem;
  }

  readonly event: Event<T> = (listener) => {
    const own = (value: T): void => listener(value);
    this.listeners.add(own);
    return { dispose: () => this.listeners.delete(own) };
  };

  fire(value: T): void {
    for (const listener of [...this.listeners]) this.tell(listener, value);
  }

  dispose(): void {
    this.listeners.clear();
  }

  private tell(listener: (value: T) => void, value: T): void {
    try {
      listener(value);
    } catch (error) {
      this.onProblem(error);
    }
  }
}

function throwApart(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
