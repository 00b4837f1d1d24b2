import type { Snapshot } from '../../src/account/session/accountStore.ts';
import { PositionDirections } from '../../src/account/session/positionDirections.ts';
import {
  sortByRisk,
  type PositionRisk,
  type RiskLimits,
} from '../../src/account/session/positionRisk.ts';
import type { Position } from '../../src/exchange/records.ts';

const limits: RiskLimits = { nearPercent: 10, criticalPercent: 5 };

/** The positions of a first read, sorted by risk. */
export function risksOf(positions: readonly Position[]): readonly PositionRisk[] {
  return rankPositions({ directed: new PositionDirections().next(positions, true) });
}

export function riskOf(position: Position): PositionRisk {
  const [risk] = risksOf([position]);
  if (!risk) throw new Error('A position has a risk.');
  return risk;
}

/** The positions of a snapshot, sorted by risk. */
export function rankPositions({ directed }: Pick<Snapshot, 'directed'>): readonly PositionRisk[] {
  return sortByRisk(directed, limits);
}
