import { sign } from '../../base/decimal.ts';
import { unreadableRecords, type Snapshot } from '../session/accountStore.ts';
import { positionKey } from '../session/positionRisk.ts';

/** How many positions have one key: more than one if the exchange lists them separately. */
type HeldPosition = { readonly key: string; readonly symbol: string; readonly count: number };

/** The positions of the last snapshot in which all of them could be read. */
export type HeldPositions = { readonly asOf: number; readonly positions: readonly HeldPosition[] };

/** A key with fewer positions than in the snapshot before. */
export type VanishedPosition = Omit<HeldPosition, 'count'> & { readonly lastSeenAt: number };

/** Undefined if a position could not be read: it is missing from the list but may still be open. */
export function heldPositions(snapshot: Snapshot): HeldPositions | undefined {
  const { positions: all } = snapshot.account;
  if (!all || unreadableRecords(snapshot, 'positions').length > 0) return undefined;
  const open = all.filter(({ amount }) => sign(amount) !== 0);
  const positions = [...Map.groupBy(open, positionKey)].map(
    ([key, { length: count, 0: first }]) => {
      return { key, symbol: first?.symbol ?? '', count };
    },
  );
  return { asOf: snapshot.asOf, positions };
}

export function vanishedBetween(before: HeldPositions, after: HeldPositions): VanishedPosition[] {
  const counts = new Map(after.positions.map(({ key, count }) => [key, count]));
  return before.positions
    .filter(({ key, count }) => (counts.get(key) ?? 0) < count)
    .map(({ key, symbol }) => ({ key, symbol, lastSeenAt: before.asOf }));
}
