import type { Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { Account, BadRecord } from '../exchange/records.ts';

/** An account as it was read at `asOf`, in epoch milliseconds of our clock. */
export type Snapshot = {
  readonly account: Account;
  /** Positions, assets or locked orders that broke their type and are missing above. */
  readonly badRecords: readonly BadRecord[];
  readonly asOf: number;
};

/** The last good snapshot, if there ever was one, and what the newest read threw, if it failed. */
export type AccountState = {
  readonly snapshot?: Snapshot;
  readonly failure?: unknown;
};

/** What is known of the account. The refresher is its one writer. */
export class AccountStore implements Disposable {
  private readonly didChange = new Emitter<AccountState>();
  private current: AccountState = {};

  readonly onDidChange: Event<AccountState> = this.didChange.event;

  get state(): AccountState {
    return this.current;
  }

  /**
   * A newer read succeeded: it replaces the snapshot and ends any failure. A list that is equal to the
   * last one stays the same object, so that whoever draws it can tell that nothing changed. Gives the
   * snapshot as it is kept.
   */
  replace(snapshot: Snapshot): Snapshot {
    const before = this.current.snapshot?.account;
    const { positions, assets, orders } = snapshot.account;
    const account = {
      ...snapshot.account,
      positions: keptIfEqual(before?.positions, positions),
      assets: keptIfEqual(before?.assets, assets),
      orders: keptIfEqual(before?.orders, orders),
    };
    const kept = { ...snapshot, account };
    this.set({ snapshot: kept });
    return kept;
  }

  /** A newer read failed: the last good snapshot stays, and the failure says that it is old. */
  fail(failure: unknown): void {
    this.set({ ...this.current, failure });
  }

  dispose(): void {
    this.didChange.dispose();
  }

  private set(state: AccountState): void {
    this.current = state;
    this.didChange.fire(state);
  }
}

function keptIfEqual<List>(before: List | undefined, now: List): List {
  const isEqual = before !== undefined && JSON.stringify(before) === JSON.stringify(now);
  return isEqual ? before : now;
}
