import { lockedFigures } from '../../api/fields.ts';
import { compare, sign } from '../../base/decimal.ts';
import { badRecordsIn, missingRecords } from '../../exchange/badRecords.ts';
import { figuresOfOrders, tradedFigures } from '../../exchange/accountFigures.ts';
import type { Account, BadRecord, LockedFigures } from '../../exchange/records.ts';

/** An account as one answer showed it. Times are those of the steady clock. */
export type AccountRead = {
  readonly account: Account;
  readonly badRecords: readonly BadRecord[];
  readonly sentAt: number;
  readonly answeredAt: number;
};

type AccountChange = {
  /** A balance, a position or what orders lock; not what follows from mark prices. */
  readonly isChanged: boolean;
  /** The margin of an asset. On some exchanges it follows the mark price, so that it alone says little. */
  readonly hasMarginMoved: boolean;
  /** Open orders lock less than before: one was filled or cancelled. */
  readonly hasLockFallen: boolean;
};

type Figures = {
  readonly assets: string | undefined;
  readonly margins: string | undefined;
  readonly positions: string | undefined;
  readonly orders: readonly LockedFigures[] | undefined;
};

/** Compares each read of the account with the one before. What could not be read counts as unchanged. */
export class AccountChanges {
  private last: Figures | undefined;

  /** The first read is a change: what happened before is not known. */
  take(read: AccountRead): AccountChange {
    const { last } = this;
    const now = figuresOf(read, last);
    this.last = now;
    return {
      isChanged: last === undefined || withoutMargins(now) !== withoutMargins(last),
      hasMarginMoved: now.margins !== last?.margins,
      hasLockFallen: hasFallen(last?.orders, now.orders),
    };
  }
}

function withoutMargins(figures: Figures): string {
  return JSON.stringify({ ...figures, margins: undefined });
}

/** Lists that could not be read, or not all of their records, are those of the read before. */
function figuresOf(read: AccountRead, last: Figures | undefined): Figures {
  const assets = readableList(read, 'assets');
  const balances = assets?.map(({ name, deposited, locked }) => [name, deposited, locked]);
  const margins = assets?.map(({ name, margin }) => [name, margin]);
  const positions = readableList(read, 'positions')?.map(tradedFigures);
  const orders = readableList(read, 'orders')?.map(figuresOfOrders).filter(locksAnything);
  return {
    assets: balances ? JSON.stringify(balances) : last?.assets,
    margins: margins ? JSON.stringify(margins) : last?.margins,
    positions: positions ? JSON.stringify(positions) : last?.positions,
    orders: orders ?? last?.orders,
  };
}

/** A list of the account; undefined if a record of it could not be read. */
export function readableList<List extends 'assets' | 'positions' | 'orders'>(
  { account, badRecords }: Pick<AccountRead, 'account' | 'badRecords'>,
  list: List,
): NonNullable<Account[List]> | undefined {
  const isWhole = missingRecords(badRecordsIn(badRecords, list)).length === 0;
  return isWhole ? (account[list] ?? undefined) : undefined;
}

/** An exchange may list symbols with zeros. */
function locksAnything(orders: LockedFigures): boolean {
  return lockedFigures.some((name) => sign(orders[name] ?? '0') !== 0);
}

/** By what is left to fill: what it locks also falls with the leverage. */
function hasFallen(
  before: readonly LockedFigures[] = [],
  now: readonly LockedFigures[] = [],
): boolean {
  return before.some(({ symbol, sumSizeAsk, sumSizeBid }) => {
    const left = now.find((orders) => orders.symbol === symbol);
    const [ask, bid] = [left?.sumSizeAsk ?? '0', left?.sumSizeBid ?? '0'];
    return compare(ask, sumSizeAsk ?? '0') < 0 || compare(bid, sumSizeBid ?? '0') < 0;
  });
}
