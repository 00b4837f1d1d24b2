import type Big from 'big.js';
import { hasAll, isWithin, newestFirst, type Period } from './filters.ts';
import type { Side } from './orders.ts';

/** Section 2.4 of the interface document; `discount` is a share of the margin call price. */
export type Lot = {
  readonly lotId: bigint;
  readonly symbol: string;
  readonly side: Side;
  readonly amount: Big;
  readonly totalBids: number;
  readonly averageLiquidationPrice: Big;
  readonly marginCallPrice: Big;
  readonly discount: Big;
  readonly updatedAt: number;
};

/** What the lot history can be narrowed to (section 4.3). */
export type LotFilter = Period & {
  readonly symbol?: string | undefined;
  readonly side?: Side | undefined;
};

export function lotMatches(lot: Lot, { dateFrom, dateTo, ...wanted }: LotFilter): boolean {
  return hasAll<Lot>(lot, wanted) && isWithin(lot.updatedAt, { dateFrom, dateTo });
}

export const newestLotFirst = newestFirst<Lot>(
  ({ updatedAt }) => updatedAt,
  ({ lotId }) => lotId,
);
