import type { AccountSession } from '../../account/session/accountSession.ts';
import { type Clock, systemClock } from '../../base/time.ts';
import type { Decoded, FeeTier } from '../../exchange/records.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { readRecentRows, recentTables, type RecentName, type RecentRows } from './recentRows.ts';

/** What was read on demand, if anything, and why the newest read failed, if it did. */
type OnDemandState<Value> = {
  readonly isReading: boolean;
  readonly last?: { readonly value: Value; readonly readAt: number };
  readonly failure?: unknown;
};

type OnDemandReadOptions<Value> = {
  readonly read: (session: AccountSession, signal: AbortSignal) => Promise<Value>;
  readonly clock: Clock;
  readonly onChange: () => void;
};

/** Something of the open account that is read once, or again when the user asks for it. */
export class OnDemandRead<Value> {
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

  private set(state: OnDemandState<Value>): void {
    this.current = state;
    this.options.onChange();
  }
}

/** What the overview has read of the open account. */
export type OnDemandReads = {
  readonly feeTiers: OnDemandState<Decoded<readonly FeeTier[]>>;
} & Readonly<Record<RecentName, OnDemandState<RecentRows>>>;

/** What the overview reads beside the account: its rates once, and its last rows when the user asks for them. */
export class OverviewReads {
  private readonly feeTiers: OnDemandRead<Decoded<readonly FeeTier[]>>;
  private readonly recent: Readonly<Record<RecentName, OnDemandRead<RecentRows>>>;

  constructor(display: DisplayState, onChange: () => void) {
    const clock = systemClock;
    this.feeTiers = new OnDemandRead({
      read: ({ client }, signal) => client.feeTiers({ signal }),
      clock,
      onChange,
    });
    const recent = (name: RecentName): OnDemandRead<RecentRows> =>
      new OnDemandRead({
        read: (session, signal) =>
          readRecentRows(recentTables[name](), session, display.current, signal),
        clock,
        onChange,
      });
    this.recent = {
      orders: recent('orders'),
      trades: recent('trades'),
      transactions: recent('transactions'),
    };
  }

  get states(): OnDemandReads {
    const { orders, trades, transactions } = this.recent;
    return {
      feeTiers: this.feeTiers.state,
      orders: orders.state,
      trades: trades.state,
      transactions: transactions.state,
    };
  }

  readFeeTiers(session: AccountSession): Promise<void> {
    return this.feeTiers.start(session);
  }

  /** The rates of the account's tier, unless they were read, or could not be. */
  async readFeeTiersOnce(session: AccountSession): Promise<void> {
    const { last, failure } = this.feeTiers.state;
    if (!last && failure === undefined) await this.feeTiers.start(session);
  }

  async readRecent(session: AccountSession): Promise<void> {
    await Promise.all(Object.values(this.recent).map((read) => read.start(session)));
  }

  /** Forgets everything, and aborts what still reads. */
  reset(): void {
    for (const read of [this.feeTiers, ...Object.values(this.recent)]) read.reset();
  }
}
