import {
  absolute,
  compare,
  difference,
  isSame,
  product,
  quotient,
  sign,
} from '../../base/decimal.ts';
import type { NumberText, Position } from '../../exchange/records.ts';
import type { DirectedPosition } from './positionDirections.ts';

/** Distances to liquidation, in percent, up to which a position is near to it or critical. */
export type RiskLimits = { readonly nearPercent: number; readonly criticalPercent: number };

/** How near a position is to its liquidation; `unknown` if there is no distance. */
export type RiskBand = 'unknown' | 'notNear' | 'near' | 'critical';

/** How far a position is from its liquidation. */
export type LiquidationDistance = {
  /** How far the mark price is from the liquidation price, in percent of the mark price. */
  readonly distancePercent: NumberText | null;
  /** The mark price is at or beyond the liquidation price; only of a proved direction. */
  readonly isPast: boolean;
};

export type PositionRisk = LiquidationDistance & DirectedPosition & { readonly band: RiskBand };

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
  positions: readonly DirectedPosition[],
  limits: RiskLimits,
): readonly PositionRisk[] {
  const bySymbol = Map.groupBy(positions, ({ position }) => position.symbol);
  return positions
    .map((one) => riskOf(one, bySymbol.get(one.position.symbol) ?? [], limits))
    .sort(compareRisk);
}

function riskOf(
  directed: DirectedPosition,
  ofSymbol: readonly DirectedPosition[],
  limits: RiskLimits,
): PositionRisk {
  const distancePercent = distanceOf(directed.position);
  const isPast =
    distancePercent !== null &&
    isPastLiquidation(directed) &&
    !ofSymbol.some((other) => isOtherSide(directed, other));
  const band = isPast ? 'critical' : bandOf(distancePercent, limits);
  return { ...directed, distancePercent, isPast, band };
}

/** |amount × markPrice|, every digit: our estimate, as the API gives no notional; null without a mark price. */
export function notionalOf({ amount, markPrice }: Position): NumberText | null {
  return amount === null || markPrice === null ? null : absolute(product(amount, markPrice));
}

/**
 * |markPrice − liquidationPrice| / markPrice in percent, to 20 decimals. Null if either price is
 * absent or not above 0, as 0 means unknown. Null too if the position is flat: a closed position
 * that is still listed cannot be liquidated. The distance does not say on which side the price is.
 */
function distanceOf({ amount, markPrice, liquidationPrice }: Position): NumberText | null {
  if (amount !== null && sign(amount) === 0) return null;
  if (!isKnown(markPrice) || !isKnown(liquidationPrice)) return null;
  const gap = absolute(difference(markPrice, liquidationPrice));
  return quotient(product(gap, '100'), markPrice);
}

function isKnown(price: NumberText | null): price is NumberText {
  return price !== null && sign(price) === 1;
}

function isPastLiquidation({ position, direction, isProved }: DirectedPosition): boolean {
  if (!isProved) return false;
  const lead = compare(position.markPrice ?? '0', position.liquidationPrice ?? '0');
  return direction === 'long' ? lead <= 0 : direction === 'short' && lead >= 0;
}

/** Both sides of a hedge may have one liquidation price, which lies beyond one of them only by its sign. */
function isOtherSide({ position, direction }: DirectedPosition, other: DirectedPosition): boolean {
  return (
    other.direction !== direction &&
    other.direction !== 'flat' &&
    isSame(position.liquidationPrice, other.position.liquidationPrice)
  );
}

/** A distance that equals a limit is within it. */
export function bandOf(distancePercent: NumberText | null, limits: RiskLimits): RiskBand {
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

/** What a position is known by: a symbol may hold several, of other modes and directions. Null is unknown. */
export type PositionIdentity = Pick<Position, 'symbol' | 'marginMode'> & {
  readonly side: 'long' | 'short' | 'flat' | null;
};

export function identityOf({
  position: { symbol, marginMode },
  direction,
}: DirectedPosition): PositionIdentity {
  return { symbol, marginMode, side: direction === 'unknown' ? null : direction };
}

export function positionKey({ symbol, marginMode, side }: PositionIdentity): string {
  return JSON.stringify([symbol, marginMode, side]);
}

/** A key for each, also for equal ones. */
export function positionKeys(identities: readonly PositionIdentity[]): readonly string[] {
  const counts = new Map<string, number>();
  return identities.map(positionKey).map((key) => {
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return count === 0 ? key : `${key}#${count}`;
  });
}
