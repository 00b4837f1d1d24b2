import { PositionDirections } from '../../src/account/session/positionDirections.ts';
import {
  sortByRisk,
  type PositionRisk,
  type RiskLimits,
} from '../../src/account/session/positionRisk.ts';
import type { Snapshot } from '../../src/account/session/accountStore.ts';
import type { Position } from '../../src/exchange/records.ts';

export const riskLimitsOfTests: RiskLimits = { nearPercent: 10, criticalPercent: 5 };

/** The positions of a first read, sorted by risk. */
export function risksOf(positions: readonly Position[]): readonly PositionRisk[] {
  return sortByRisk(positions, new PositionDirections().next(positions, true), riskLimitsOfTests);
}

export function riskOf(position: Position): PositionRisk {
  const [risk] = risksOf([position]);
  if (!risk) throw new Error('A position has a risk.');
  return risk;
}

/** The positions of a snapshot, sorted by risk. */
export function rankPositions(
  snapshot: Pick<Snapshot, 'account' | 'directions'>,
): readonly PositionRisk[] {
  return sortByRisk(snapshot.account.positions ?? [], snapshot.directions, riskLimitsOfTests);
}
