import { absolute, compare, difference, product, quotient, sign } from '../base/decimal.ts';
import type { NumberText, Position } from '../exchange/records.ts';

/** Distances to liquidation, in percent, up to which a position is near to it or critical. */
export type RiskLimits = { readonly nearPercent: number; readonly criticalPercent: number };

/** How near a position is to its liquidation; `unknown` where no distance can be told. */
export type Band = 'unknown' | 'calm' | 'near' | 'critical';

export type PositionRisk = {
  readonly position: Position;
  /** How far the mark price is from the liquidation price, in percent of the mark price. */
  readonly distancePercent: NumberText | null;
  readonly band: Band;
};

/** The limits where they make sense, 0 < critical ≤ near ≤ 100; otherwise undefined. */
export function riskLimits(nearPercent: unknown, criticalPercent: unknown): RiskLimits | undefined {
  if (typeof nearPercent !== 'number' || typeof criticalPercent !== 'number') return undefined;
  const isOrdered = 0 < criticalPercent && criticalPercent <= nearPercent && nearPercent <= 100;
  return isOrdered ? { nearPercent, criticalPercent } : undefined;
}

/**
 * The positions, nearest to liquidation first. Those of unknown distance stand last: no figure places
 * them, and an account full of them must not push a critical one out of sight.
 */
export function byDanger(
  positions: readonly Position[],
  limits: RiskLimits,
): readonly PositionRisk[] {
  return positions.map((position) => riskOf(position, limits)).sort(nearerFirst);
}

export function riskOf(position: Position, limits: RiskLimits): PositionRisk {
  const distancePercent = distanceOf(position);
  return { position, distancePercent, band: bandOf(distancePercent, limits) };
}

/** |amount × markPrice|, every digit: our estimate, as the interface gives no notional. */
export function notionalOf({ amount, markPrice }: Position): NumberText {
  return absolute(product(amount, markPrice));
}

/**
 * |markPrice − liquidationPrice| / markPrice in percent, to 20 decimals; null where either price is
 * absent or not above 0, as 0 stands for unknown. Which side the price is on is not looked at: the
 * interface does not say that `amount` tells the direction.
 */
function distanceOf({ markPrice, liquidationPrice }: Position): NumberText | null {
  if (liquidationPrice === null || sign(liquidationPrice) < 1 || sign(markPrice) < 1) return null;
  const gap = absolute(difference(markPrice, liquidationPrice));
  return quotient(product(gap, '100'), markPrice);
}

/** A distance that equals a limit is within it. */
function bandOf(distancePercent: NumberText | null, limits: RiskLimits): Band {
  if (distancePercent === null) return 'unknown';
  const isWithin = (percent: number): boolean => compare(distancePercent, String(percent)) <= 0;
  if (isWithin(limits.criticalPercent)) return 'critical';
  return isWithin(limits.nearPercent) ? 'near' : 'calm';
}

function nearerFirst(a: PositionRisk, b: PositionRisk): number {
  if (a.distancePercent === null || b.distancePercent === null)
    return Number(a.distancePercent === null) - Number(b.distancePercent === null);
  return compare(a.distancePercent, b.distancePercent);
}
