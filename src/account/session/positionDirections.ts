import {
  absolute,
  compare,
  difference,
  fractionDigits,
  isSame,
  product,
  sign,
  type NumberText,
} from '../../base/decimal.ts';
import type { Position } from '../../exchange/records.ts';

/** `unknown`: the amount cannot be read, or it may be a short whose exchange writes no sign. */
export type Direction = 'long' | 'short' | 'flat' | 'unknown';

export type DirectedPosition = {
  readonly position: Position;
  readonly direction: Direction;
  /** Whether its own figures prove the direction, so that an alert may depend on it. */
  readonly isProved: boolean;
};

/** This close to the entry price, fees decide the sign of `upl`. */
const feeShare = '0.002';

/** Finds the direction of each position, also on an exchange that writes the size of a short without a sign. */
export class PositionDirections {
  /** What each symbol and margin mode showed last, where it had a single position. */
  private last: ReadonlyMap<string, DirectedPosition> = new Map();

  /**
   * The positions of another read, in their order. A position that is not listed is closed, unless the list
   * lacks a record.
   */
  next(positions: readonly Position[], isWhole: boolean): readonly DirectedPosition[] {
    const bySlot = Map.groupBy(positions, slotOf);
    const last = new Map(isWhole ? [] : this.last);
    const directed = positions.map((position): DirectedPosition => {
      const slot = slotOf(position);
      const before = bySlot.get(slot)?.length === 1 ? this.last.get(slot) : undefined;
      const own = ownDirection(position) ?? rememberedDirection(position, before);
      const isKnown = own.direction === 'long' || own.direction === 'short';
      const kept = isKnown ? { position, ...own } : position.amount === null ? before : undefined;
      if (kept) last.set(slot, kept);
      else last.delete(slot);
      return { position, ...own };
    });
    this.last = last;
    return directed;
  }
}

function slotOf({ symbol, marginMode }: Position): string {
  return JSON.stringify([symbol, marginMode]);
}

type OwnDirection = Pick<DirectedPosition, 'direction' | 'isProved'>;

const unknownDirection: OwnDirection = { direction: 'unknown', isProved: false };

/** A negative amount says nothing of a later positive one: it is of another position. */
function rememberedDirection(position: Position, last: DirectedPosition | undefined): OwnDirection {
  if (!last || last.position.amount?.startsWith('-')) return unknownDirection;
  const { amount, basePrice } = last.position;
  const isUnchanged = isSame(amount, position.amount) && isSame(basePrice, position.basePrice);
  return { direction: last.direction, isProved: last.isProved && isUnchanged };
}

/** What the figures of the position show; undefined if they leave it open. */
function ownDirection({ amount, upl, markPrice, basePrice }: Position): OwnDirection | undefined {
  if (amount === null) return unknownDirection;
  if (sign(amount) < 1) return { direction: sign(amount) === 0 ? 'flat' : 'short', isProved: true };
  if (upl === null || markPrice === null || basePrice === null || sign(upl) === 0) return undefined;
  const rise = difference(markPrice, basePrice);
  const isAtLeast = (least: NumberText): boolean => compare(absolute(rise), least) >= 0;
  const isBeyondFees = isAtLeast(product(absolute(basePrice), feeShare));
  const isLong = sign(rise) === sign(upl);
  if (!isAtLeast(coarserDigit(markPrice, basePrice)) || !(isLong || isBeyondFees)) return undefined;
  const isProved = isBeyondFees && isOfSize(upl, product(amount, rise));
  return { direction: isLong ? 'long' : 'short', isProved };
}

/** Whether `upl` is what the price made of the position, rather than fees, funding or another unit. */
function isOfSize(upl: NumberText, expected: NumberText): boolean {
  const [size, wanted] = [absolute(upl), absolute(expected)];
  return compare(product(size, '2'), wanted) >= 0 && compare(size, product(wanted, '2')) <= 0;
}

/** Two prices that differ by less than this may be one price, rounded. */
function coarserDigit(one: NumberText, other: NumberText): NumberText {
  return `1e-${Math.min(fractionDigits(one), fractionDigits(other))}`;
}
