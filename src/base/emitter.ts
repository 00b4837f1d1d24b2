import type { Disposable } from './disposable.ts';

export type Event<T> = (listener: (value: T) => void) => Disposable;

/** One event: whoever owns the emitter fires it, everybody else gets `event` to listen to. */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = (listener) => {
    const own = (value: T): void => listener(value);
    this.listeners.add(own);
    return { dispose: () => this.listeners.delete(own) };
  };

  fire(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }

  dispose(): void {
    this.listeners.clear();
  }
}
