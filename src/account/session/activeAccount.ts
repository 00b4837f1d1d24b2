import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { AccountSession } from './accountSession.ts';
import { defaultIntervalMs } from './refresher.ts';

export type ActiveState =
  | { readonly kind: 'closed' }
  | { readonly kind: 'opening'; readonly name: string }
  | { readonly kind: 'failed'; readonly name: string; readonly error: unknown }
  | { readonly kind: 'open'; readonly session: AccountSession };

/** Thrown when an account is needed and none is open. */
export class NoAccountError extends Error {
  override readonly name = 'NoAccountError';
}

/** The one account of this window. Views draw from its state and from the open session's store. */
export class ActiveAccount implements Disposable {
  private readonly didSwitch = new Emitter<void>();
  private readonly didChange = new Emitter<void>();
  private current: ActiveState = { kind: 'closed' };
  private opening: Promise<AccountSession> | undefined;
  /** Counts the openings, so that one that was overtaken knows. Each open session has its own. */
  generation = 0;
  private intervalMs: number | undefined = defaultIntervalMs;

  /** Another account, or another state of this one. */
  readonly onDidSwitch: Event<void> = this.didSwitch.event;
  /** The same, or a change of the open session. */
  readonly onDidChange: Event<void> = this.didChange.event;

  get state(): ActiveState {
    return this.current;
  }

  /** The open session; waits for one that is opening. Rejects if there is none, or if it cannot be opened. */
  async session(): Promise<AccountSession> {
    if (this.current.kind === 'open') return this.current.session;
    if (!this.opening) throw new NoAccountError();
    return this.opening;
  }

  /**
   * Closes the open account and opens this one, which is then read at the interval. `connect` creates
   * the session; if it rejects, this rejects with the same error. If `open` or `close` is called before
   * `connect` ends, this rejects with an AbortError.
   */
  open(name: string, connect: () => Promise<AccountSession>): Promise<AccountSession> {
    this.closeCurrent();
    this.set({ kind: 'opening', name });
    this.opening = this.connect(name, connect, (this.generation += 1));
    return this.opening;
  }

  /** Closes the account that is open or opening, if any. */
  close(): void {
    this.closeCurrent();
    this.set({ kind: 'closed' });
  }

  /** The interval between reads of the open account; undefined: only on request. */
  setIntervalMs(intervalMs: number | undefined): void {
    this.intervalMs = intervalMs;
    if (this.current.kind === 'open') this.current.session.refresher.setIntervalMs(intervalMs);
  }

  dispose(): void {
    this.closeCurrent();
    this.didSwitch.dispose();
    this.didChange.dispose();
  }

  private async connect(
    name: string,
    connect: () => Promise<AccountSession>,
    generation: number,
  ): Promise<AccountSession> {
    try {
      const session = await connect();
      if (this.generation !== generation) {
        session.dispose();
        throw supersededError();
      }
      session.onDidChange(this.didChange.fire);
      session.refresher.setIntervalMs(this.intervalMs);
      this.set({ kind: 'open', session });
      if (this.intervalMs !== undefined) session.refresher.refresh().catch(() => undefined);
      return session;
    } catch (error) {
      if (this.generation !== generation) throw supersededError();
      this.set({ kind: 'failed', name, error });
      throw error;
    }
  }

  private closeCurrent(): void {
    this.generation += 1;
    this.opening = undefined;
    if (this.current.kind === 'open') this.current.session.dispose();
    this.current = { kind: 'closed' };
  }

  private set(state: ActiveState): void {
    this.current = state;
    this.didSwitch.fire();
    this.didChange.fire();
  }
}

function supersededError(): DOMException {
  return new DOMException('Another account was opened.', 'AbortError');
}
