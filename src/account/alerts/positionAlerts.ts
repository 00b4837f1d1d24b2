import { sign } from '../../base/decimal.ts';
import type { NumberText } from '../../exchange/records.ts';
import { unreadableRecords, type Snapshot } from '../session/accountStore.ts';
import {
  positionKey,
  compareRisk,
  type RiskBand,
  type LiquidationDistance,
  type PositionRisk,
  type RiskLimits,
} from '../session/positionRisk.ts';
import {
  isDue,
  isStillMet,
  updateCondition,
  recentMs,
  type NotifiedTimes,
  type AlertCondition,
} from './alertCondition.ts';

type KnownDistance = LiquidationDistance & { readonly distancePercent: NumberText };

/** A position that came close to its liquidation. */
export type PositionAlert = KnownDistance & {
  readonly symbol: string;
  readonly band: 'near' | 'critical';
  /** When the account was read. */
  readonly asOf: number;
};

type PositionCondition = KnownDistance & {
  readonly symbol: string;
  readonly near: AlertCondition;
  readonly critical: AlertCondition;
  /** The band that the position's row shows, without hysteresis. */
  readonly band: RiskBand;
  readonly asOf: number;
};

/** How close each position is, by its key, as of the last snapshot. */
export type PositionConditions = {
  readonly asOf: number;
  readonly positions: ReadonlyMap<string, PositionCondition>;
};

/** A position to show, and the subjects that are recorded with it. */
type DuePositionAlert = {
  readonly position: PositionAlert;
  readonly subjects: readonly string[];
};

/**
 * The conditions after another snapshot; `risks` are its positions sorted by risk. Of several positions
 * with one key the closest to liquidation counts. If a distance or a record cannot be read, the
 * position keeps its last condition.
 */
export function updatePositionConditions(
  before: PositionConditions | undefined,
  snapshot: Snapshot,
  risks: readonly PositionRisk[],
  limits: RiskLimits,
): PositionConditions {
  // A flat position is closed. Its distance is null, which would keep its last condition.
  const open = risks.filter(({ position: { amount } }) => sign(amount) !== 0);
  const { asOf } = snapshot;
  const isWhole = unreadableRecords(snapshot, 'positions').length === 0;
  const positions = new Map<string, PositionCondition>();
  const read = { now: asOf, unmetBeforeFirstRead: before?.asOf ?? asOf - recentMs };
  for (const risk of open) {
    const key = positionKey(risk.position);
    if (positions.has(key)) continue;
    const known = before?.positions.get(key);
    const updated = updatePosition(known, risk, limits, read) ?? known;
    if (updated) positions.set(key, updated);
  }
  if (!isWhole && before) return { asOf, positions: new Map([...before.positions, ...positions]) };
  return { asOf, positions };
}

/** The positions to show, sorted by risk. Only the band that a position's row shows now counts. */
export function duePositionAlerts(
  { positions }: PositionConditions,
  notified: NotifiedTimes,
  now: number,
): DuePositionAlert[] {
  const due = [...positions].flatMap(([key, condition]): DuePositionAlert[] => {
    const { symbol, band, isPast, distancePercent, asOf } = condition;
    if (band !== 'near' && band !== 'critical') return [];
    if (!isDue(condition[band], notified.get(subjectOf(band, key)), now)) return [];
    const position = { symbol, band, isPast, distancePercent, asOf };
    return [{ position, subjects: positionSubjects(band, key) }];
  });
  return due.sort((a, b) => compareRisk(a.position, b.position));
}

/** After an alert that a position is critical, none follows that it is near. */
function positionSubjects(band: 'near' | 'critical', key: string): string[] {
  const near = subjectOf('near', key);
  return band === 'critical' ? [subjectOf('critical', key), near] : [near];
}

function subjectOf(band: 'near' | 'critical', key: string): string {
  return `${band}:${key}`;
}

function updatePosition(
  before: PositionCondition | undefined,
  { position: { symbol }, distancePercent, isPast, band }: PositionRisk,
  { nearPercent, criticalPercent }: RiskLimits,
  read: { readonly now: number; readonly unmetBeforeFirstRead: number },
): PositionCondition | undefined {
  if (distancePercent === null) return undefined;
  const update = (
    condition: AlertCondition | undefined,
    isIn: boolean,
    limitPercent: number,
  ): AlertCondition => {
    const isMet = isIn || isStillMet(condition, [distancePercent, String(limitPercent)]);
    return updateCondition(condition, isMet, read);
  };
  return {
    symbol,
    near: update(before?.near, band === 'near' || band === 'critical', nearPercent),
    critical: update(before?.critical, band === 'critical', criticalPercent),
    band,
    isPast,
    distancePercent,
    asOf: read.now,
  };
}
