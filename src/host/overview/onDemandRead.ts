import type { AccountSession } from '../../account/session/accountSession.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../base/time.ts';

/** What was read on demand, if anything, and why the newest read failed, if it did. */
export type OnDemandState<Value> = {
  readonly isReading: boolean;
  readonly last?: { readonly value: Value; readonly readAt: number };
  readonly failure?: unknown;
};

export type OnDemandReadOptions<Value> = {
  readonly read: (session: AccountSession, signal: AbortSignal) => Promise<Value>;
  readonly clock: Clock;
  readonly onChange: () => void;
};

/** Something of the open account that is read only when the user asks for it. */
export class OnDemandRead<Value> implements Disposable {
  private readonly options: OnDemandReadOptions<Value>;
  private running = new AbortController();
  private current: OnDemandState<Value> = { isReading: false };

  constructor(options: OnDemandReadOptions<Value>) {
    this.options = options;
  }

  get state(): OnDemandState<Value> {
    return this.current;
  }

  /** Does nothing while it already reads. A failure leaves what was read before. */
  async start(session: AccountSession): Promise<void> {
    if (this.current.isReading) return;
    const { last } = this.current;
    const { read, clock } = this.options;
    const { signal } = this.running;
    this.set({ isReading: true, ...(last && { last }) });
    try {
      const value = await read(session, signal);
      if (!signal.aborted) this.set({ isReading: false, last: { value, readAt: clock.now() } });
    } catch (failure) {
      if (!signal.aborted) this.set({ isReading: false, ...(last && { last }), failure });
    }
  }

  /** Forgets what was read, and aborts what still reads: another account is open. */
  reset(): void {
    this.running.abort();
    this.running = new AbortController();
    this.current = { isReading: false };
  }

  dispose(): void {
    this.reset();
  }

  private set(state: OnDemandState<Value>): void {
    this.current = state;
    this.options.onChange();
  }
}
