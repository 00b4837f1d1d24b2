import { sign } from '../../base/decimal.ts';
import type { Position } from '../../exchange/records.ts';
import type { DirectedPosition } from '../session/positionDirections.ts';
import { identityOf, positionKey, type PositionIdentity } from '../session/positionRisk.ts';

/** The open positions of the last snapshot whose positions are known. */
export type HeldPositions = {
  readonly asOf: number;
  /** Also those that a record without a readable symbol may be. */
  readonly positions: readonly PositionIdentity[];
  /** How many records without a readable symbol may be none of them. */
  readonly unexplained: number;
};

/** A position that the next snapshot did not list. */
export type VanishedPosition = PositionIdentity & { readonly lastSeenAt: number };

/** A position whose amount cannot be read is open. */
export function isOpen({ amount }: Position): boolean {
  return amount === null || sign(amount) !== 0;
}

type TrackedPositions = {
  /** The identity of each position, in their order. */
  readonly identities: readonly PositionIdentity[];
  readonly held: Omit<HeldPositions, 'asOf'>;
  readonly vanished: readonly PositionIdentity[];
};

/**
 * Finds the positions of the snapshot before. A position whose mode or direction is unknown now, or was before,
 * keeps the identity that it had. Each further record without a readable symbol may be a position that is
 * missing: if more are missing, each of them may have vanished.
 */
export function trackPositions(
  positions: readonly DirectedPosition[],
  unidentified: number,
  before: Omit<HeldPositions, 'asOf'> = { positions: [], unexplained: 0 },
): TrackedPositions {
  const left = [...before.positions];
  const take = (isIt: (one: PositionIdentity) => boolean): PositionIdentity | undefined => {
    const index = left.findIndex(isIt);
    return index < 0 ? undefined : left.splice(index, 1)[0];
  };
  const read = positions.map(identityOf);
  const unchanged = read.map((own) => take((one) => positionKey(one) === positionKey(own)));
  const known = read.map((own, index) => unchanged[index] ?? take((one) => mayBeOne(one, own)));
  const identities = read.map((own, index) => known[index] ?? own);
  const added = known.filter((one) => one === undefined).length;
  const unexplained = Math.max(0, before.unexplained - added);
  const assumed = left.splice(0, Math.max(0, unidentified - unexplained));
  const held = {
    positions: [...identities, ...assumed],
    unexplained: unidentified - assumed.length,
  };
  return { identities, held, vanished: left.length > 0 ? [...assumed, ...left] : [] };
}

/** Whether both have the same positions, in any order. */
export function hasSamePositions(one: HeldPositions, other: HeldPositions): boolean {
  const [keys, others] = [one, other].map(({ positions }) => positions.map(positionKey).toSorted());
  return keys?.join() === others?.join() && one.unexplained === other.unexplained;
}

function mayBeOne(one: PositionIdentity, other: PositionIdentity): boolean {
  const mayAgree = (a: unknown, b: unknown): boolean => a === null || b === null || a === b;
  return (
    one.symbol === other.symbol &&
    mayAgree(one.marginMode, other.marginMode) &&
    mayAgree(one.side, other.side)
  );
}
