import { sign } from '../../base/decimal.ts';
import type { Position } from '../../exchange/records.ts';
import { identityOf, positionKey, type PositionIdentity } from '../session/positionRisk.ts';

/** The open positions of the last snapshot whose positions are known. */
export type HeldPositions = {
  readonly asOf: number;
  readonly positions: readonly PositionIdentity[];
};

/** A position that the next snapshot did not list. */
export type VanishedPosition = PositionIdentity & { readonly lastSeenAt: number };

/** A position whose amount cannot be read is open. */
export function isOpen({ amount }: Position): boolean {
  return amount === null || sign(amount) !== 0;
}

/**
 * The identity of each position, in their order. A position whose mode or sign cannot be read now, or could
 * not be read before, keeps the identity that it had.
 */
export function trackPositions(
  positions: readonly Position[],
  before: readonly PositionIdentity[],
): readonly PositionIdentity[] {
  const left = [...before];
  const take = (isIt: (one: PositionIdentity) => boolean): PositionIdentity | undefined => {
    const index = left.findIndex(isIt);
    return index < 0 ? undefined : left.splice(index, 1)[0];
  };
  const read = positions.map(identityOf);
  const unchanged = read.map((own) => take((one) => positionKey(one) === positionKey(own)));
  return read.map((own, index) => unchanged[index] ?? take((one) => mayBeOne(one, own)) ?? own);
}

function mayBeOne(one: PositionIdentity, other: PositionIdentity): boolean {
  const mayAgree = (a: unknown, b: unknown): boolean => a === null || b === null || a === b;
  return (
    one.symbol === other.symbol &&
    mayAgree(one.marginMode, other.marginMode) &&
    mayAgree(one.sign, other.sign)
  );
}

export function vanishedBetween(before: HeldPositions, after: HeldPositions): VanishedPosition[] {
  const left = after.positions.map(positionKey);
  return before.positions
    .filter((one) => {
      const index = left.indexOf(positionKey(one));
      if (index >= 0) left.splice(index, 1);
      return index < 0;
    })
    .map((one) => ({ ...one, lastSeenAt: before.asOf }));
}
