import { sign } from '../../base/decimal.ts';
import type { Snapshot } from '../accountStore.ts';
import { positionKey } from '../positionKey.ts';
import { unreadRecords } from '../unreadRecords.ts';

/** How many positions there were of one key: more than one where the exchange lists them apart. */
export type Held = { readonly key: string; readonly symbol: string; readonly count: number };

/** The positions when all of them could be read last. */
export type HeldPositions = { readonly asOf: number; readonly positions: readonly Held[] };

/** A key with fewer positions than in the last snapshot before. */
export type Vanished = Omit<Held, 'count'> & { readonly lastSeenAt: number };

/** Undefined where some position could not be read: it is missing from the list, and need not be gone. */
export function heldPositions(snapshot: Snapshot): HeldPositions | undefined {
  if (unreadRecords(snapshot, 'positions').length > 0) return undefined;
  const { account, asOf } = snapshot;
  const open = account.positions.filter(({ amount }) => sign(amount) !== 0);
  const byKey = Map.groupBy(open, positionKey);
  const positions = [...byKey].map(([key, { length: count, 0: first }]) => ({
    key,
    symbol: first?.symbol ?? '',
    count,
  }));
  return { asOf, positions };
}

export function vanished(before: HeldPositions, after: HeldPositions): Vanished[] {
  const counts = new Map(after.positions.map(({ key, count }) => [key, count]));
  return before.positions
    .filter(({ key, count }) => (counts.get(key) ?? 0) < count)
    .map(({ key, symbol }) => ({ key, symbol, lastSeenAt: before.asOf }));
}

/** Whether no position came or went between the two. */
export function holdsSame(one: HeldPositions, other: HeldPositions): boolean {
  return vanished(one, other).length + vanished(other, one).length === 0;
}
