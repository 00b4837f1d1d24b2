import {
  absolute,
  compare,
  difference,
  fractionDigits,
  product,
  sign,
  type NumberText,
} from '../../base/decimal.ts';
import type { Position } from '../../exchange/records.ts';

/** `unknown`: the amount cannot be read, or it may be a short whose exchange writes no sign. */
export type Direction = 'long' | 'short' | 'flat' | 'unknown';

/** This close to the entry price, fees alone may give `upl` the opposite sign. */
const feeShare = '0.002';

/** Finds the direction of each position, also on an exchange that writes the size of a short without a sign. */
export class PositionDirections {
  /** What each symbol and margin mode showed last, where it had a single position. */
  private shown: ReadonlyMap<string, Direction> = new Map();

  /**
   * The directions of the positions of another read, in their order. A position that is not listed is closed,
   * unless the list lacks a record.
   */
  next(positions: readonly Position[], isWhole: boolean): readonly Direction[] {
    const bySlot = Map.groupBy(positions, slotOf);
    const lastOf = (position: Position): Direction | undefined => {
      const isOnly = bySlot.get(slotOf(position))?.length === 1;
      return isOnly ? this.shown.get(slotOf(position)) : undefined;
    };
    const directions = positions.map((each) => directionOf(each) ?? lastOf(each) ?? 'unknown');
    const shown = new Map(isWhole ? [] : this.shown);
    positions.forEach((position, index) => {
      const direction = position.amount === null ? lastOf(position) : directions[index];
      if (direction === 'long' || direction === 'short') shown.set(slotOf(position), direction);
      else shown.delete(slotOf(position));
    });
    this.shown = shown;
    return directions;
  }
}

function slotOf({ symbol, marginMode }: Position): string {
  return JSON.stringify([symbol, marginMode]);
}

/** What the figures of the position prove; undefined if they leave it open. */
function directionOf({ amount, upl, markPrice, basePrice }: Position): Direction | undefined {
  if (amount === null) return 'unknown';
  if (sign(amount) < 1) return sign(amount) === 0 ? 'flat' : 'short';
  if (upl === null || markPrice === null || basePrice === null || sign(upl) === 0) return undefined;
  const rise = difference(markPrice, basePrice);
  const isBeyond = (least: NumberText): boolean => compare(absolute(rise), least) >= 0;
  if (!isBeyond(coarserDigit(markPrice, basePrice))) return undefined;
  if (sign(rise) === sign(upl)) return 'long';
  return isBeyond(product(absolute(basePrice), feeShare)) ? 'short' : undefined;
}

/** Two prices that differ by less than this may be one price, rounded. */
function coarserDigit(one: NumberText, other: NumberText): NumberText {
  return `1e-${Math.min(fractionDigits(one), fractionDigits(other))}`;
}
