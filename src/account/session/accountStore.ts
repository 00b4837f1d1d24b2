import { Emitter, type Event } from '../../base/emitter.ts';
import { figuresOfOrders, tradedFigures } from '../../exchange/accountFigures.ts';
import { badRecordsIn, missingRecords } from '../../exchange/badRecords.ts';
import type { Account, BadRecord } from '../../exchange/records.ts';
import { PositionDirections, type DirectedPosition } from './positionDirections.ts';

/** An account as it was read at `asOf`, in epoch milliseconds of our clock, which its age is measured by. */
export type Snapshot = {
  readonly account: Account;
  /** The positions with their directions; empty if the positions are unknown. */
  readonly directed: readonly DirectedPosition[];
  /** What broke its type: a field that is null above, or a position, asset or locked orders missing there. */
  readonly badRecords: readonly BadRecord[];
  readonly asOf: number;
  /** The same by the exchange's clock, which people are shown. */
  readonly readAt: number;
  /** When the read began and ended by the steady clock: what it shows may be as old as its begin. */
  readonly sentAt: number;
  readonly answeredAt: number;
};

/** The last good snapshot, if there ever was one, and what the newest read threw, if it failed. */
export type AccountState = {
  readonly snapshot?: Snapshot;
  readonly failure?: unknown;
};

/** What is known of the account. The refresher is its one writer. */
export class AccountStore {
  private readonly didChange: Emitter<void>;
  private readonly directions = new PositionDirections();
  private current: AccountState = {};
  /** The session's event: the state, its age, or the requests that wait for weight changed. */
  readonly onDidChange: Event<void>;

  constructor(didChange = new Emitter<void>()) {
    this.didChange = didChange;
    this.onDidChange = didChange.event;
  }

  get state(): AccountState {
    return this.current;
  }

  /**
   * A newer read succeeded: it replaces the snapshot and ends any failure. A list that is equal to the
   * last one stays the same object, so that a view can tell that nothing changed. Gives the snapshot
   * as it is kept.
   */
  replace(read: Omit<Snapshot, 'directed'>): Snapshot {
    const { snapshot } = this.current;
    const before = snapshot?.account;
    const { positions, assets, orders } = read.account;
    const account = {
      ...read.account,
      positions: reuseIfEqual(before?.positions, positions),
      assets: reuseIfEqual(before?.assets, assets),
      orders: reuseIfEqual(before?.orders, orders),
    };
    const isWhole = missingRecords(unreadableRecords(read, 'positions')).length === 0;
    const now = positions ? this.directions.next(positions, isWhole) : [];
    const kept = { ...read, account, directed: reuseIfEqual(snapshot?.directed, now) };
    this.current = { snapshot: kept };
    this.didChange.fire();
    return kept;
  }

  /** A newer read failed: the last good snapshot stays, and the failure says that it is old. */
  fail(failure: unknown): void {
    this.current = { ...this.current, failure };
    this.didChange.fire();
  }
}

function reuseIfEqual<List>(before: List | undefined, now: List): List {
  const isEqual = before !== undefined && JSON.stringify(before) === JSON.stringify(now);
  return isEqual ? before : now;
}

/** A list of the account whose records are set aside one by one. */
export type AccountList = (typeof accountLists)[number];
const accountLists = ['assets', 'positions', 'orders'] as const satisfies (keyof Account)[];

/** The records of a list, figures in them, or the list itself, that could not be read: they need not be gone. */
export function unreadableRecords(
  { badRecords }: Pick<Snapshot, 'badRecords'>,
  list: AccountList,
): readonly BadRecord[] {
  return badRecordsIn(badRecords, list);
}

/** The account's own fields that could not be read, such as `$.equity`. */
export function unreadableFields({ badRecords }: Snapshot): readonly BadRecord[] {
  return badRecords.filter(
    ({ path }) => !accountLists.some((list) => path.startsWith(`$.${list}`)),
  );
}

/**
 * What orders and trades change of an account, as text to compare: the positions' modes and amounts and
 * what open orders lock; undefined if one of these is unknown.
 */
export function tradingStateKey({ account }: Snapshot): string | undefined {
  const { positions, orders } = account;
  if (!positions || !orders) return undefined;
  const figures = [...positions.map(tradedFigures), ...orders.map(figuresOfOrders)];
  const isUnknown = figures.some((each) => Object.values(each).includes(null));
  return isUnknown ? undefined : JSON.stringify(figures);
}
