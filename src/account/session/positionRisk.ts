import { absolute, compare, difference, product, quotient, sign } from '../../base/decimal.ts';
import type { NumberText, Position } from '../../exchange/records.ts';

/** Distances to liquidation, in percent, up to which a position is near to it or critical. */
export type RiskLimits = { readonly nearPercent: number; readonly criticalPercent: number };

/** How near a position is to its liquidation; `unknown` if there is no distance. */
export type RiskBand = 'unknown' | 'notNear' | 'near' | 'critical';

/** How far a position is from its liquidation. */
export type LiquidationDistance = {
  /** How far the mark price is from the liquidation price, in percent of the mark price. */
  readonly distancePercent: NumberText | null;
  /** The mark price is at or beyond the liquidation price, given the sign of `amount`. */
  readonly isPast: boolean;
};

export type PositionRisk = LiquidationDistance & {
  readonly position: Position;
  readonly band: RiskBand;
};

/** The limits if they make sense, 0 < critical ≤ near ≤ 100; otherwise undefined. */
export function riskLimits(nearPercent: unknown, criticalPercent: unknown): RiskLimits | undefined {
  if (typeof nearPercent !== 'number' || typeof criticalPercent !== 'number') return undefined;
  const isOrdered = 0 < criticalPercent && criticalPercent <= nearPercent && nearPercent <= 100;
  return isOrdered ? { nearPercent, criticalPercent } : undefined;
}

/**
 * The positions, nearest to liquidation first, those past it before all others. Those of unknown
 * distance stand last: no figure places them, and an account full of them must not push a critical
 * one out of sight.
 */
export function sortByRisk(
  positions: readonly Position[],
  limits: RiskLimits,
): readonly PositionRisk[] {
  return positions.map((position) => riskOf(position, limits)).sort(compareRisk);
}

export function riskOf(position: Position, limits: RiskLimits): PositionRisk {
  const distancePercent = distanceOf(position);
  const isPast = distancePercent !== null && isPastLiquidation(position);
  const band = isPast ? 'critical' : bandOf(distancePercent, limits);
  return { position, distancePercent, isPast, band };
}

/** |amount × markPrice|, every digit: our estimate, as the API gives no notional; null without a mark price. */
export function notionalOf({ amount, markPrice }: Position): NumberText | null {
  return markPrice === null ? null : absolute(product(amount, markPrice));
}

/**
 * |markPrice − liquidationPrice| / markPrice in percent, to 20 decimals. Null if either price is
 * absent or not above 0, as 0 means unknown. Null too if the position is flat: a closed position
 * that is still listed cannot be liquidated. The distance does not say on which side the price is.
 */
function distanceOf({ amount, markPrice, liquidationPrice }: Position): NumberText | null {
  if (sign(amount) === 0) return null;
  if (!isKnown(markPrice) || !isKnown(liquidationPrice)) return null;
  const gap = absolute(difference(markPrice, liquidationPrice));
  return quotient(product(gap, '100'), markPrice);
}

function isKnown(price: NumberText | null): price is NumberText {
  return price !== null && sign(price) === 1;
}

/**
 * The API does not say that the sign of `amount` is the direction. If it is, a price on the wrong side
 * is the greatest danger; if it is not, this warns once too often.
 */
function isPastLiquidation({ amount, markPrice, liquidationPrice }: Position): boolean {
  const lead = compare(markPrice ?? '0', liquidationPrice ?? '0');
  return sign(amount) > 0 ? lead <= 0 : sign(amount) < 0 && lead >= 0;
}

/** A distance that equals a limit is within it. */
function bandOf(distancePercent: NumberText | null, limits: RiskLimits): RiskBand {
  if (distancePercent === null) return 'unknown';
  const isWithin = (percent: number): boolean => compare(distancePercent, String(percent)) <= 0;
  if (isWithin(limits.criticalPercent)) return 'critical';
  return isWithin(limits.nearPercent) ? 'near' : 'notNear';
}

/** The order of danger: past the liquidation price, then the nearest to it, then what no figure places. */
export function compareRisk(a: LiquidationDistance, b: LiquidationDistance): number {
  if (a.isPast !== b.isPast) return Number(b.isPast) - Number(a.isPast);
  if (a.distancePercent === null || b.distancePercent === null)
    return Number(a.distancePercent === null) - Number(b.distancePercent === null);
  return compare(a.distancePercent, b.distancePercent);
}

/** What a position is known by from one read to the next: a symbol may hold several, of other modes and directions. */
export function positionKey({
  symbol,
  marginMode,
  amount,
}: Pick<Position, 'symbol' | 'marginMode' | 'amount'>): string {
  return JSON.stringify([symbol, marginMode, sign(amount)]);
}
