import type { NumberText, Position } from '../../exchange/records.ts';
import {
  bandOf,
  compareRisk,
  type RiskBand,
  type LiquidationDistance,
  type PositionRisk,
  type RiskLimits,
} from '../session/positionRisk.ts';
import {
  isDue,
  isPercentageStillMet,
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

/** `past` is the condition that the mark price is past the liquidation price, the others are about the distance. */
type ConditionName = 'near' | 'critical' | 'past';

type PositionCondition = KnownDistance & {
  readonly symbol: string;
  readonly conditions: Readonly<Record<ConditionName, AlertCondition>>;
  /** The band of the distance, without hysteresis; `unknown` if the last answer does not list the position. */
  readonly distanceBand: RiskBand;
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

/** The positions of a snapshot. */
type TrackedRisks = {
  /** Sorted by risk. */
  readonly risks: readonly PositionRisk[];
  /** The key of each open position. */
  readonly keyOf: ReadonlyMap<Position, string>;
  /** The keys of these, and of what else may still be open. */
  readonly held: readonly string[];
};

/**
 * The conditions after another snapshot. If a distance cannot be read, the position keeps its last condition.
 * So does a position that may be open but is not listed, without an alert.
 */
export function updatePositionConditions(
  before: PositionConditions | undefined,
  asOf: number,
  { risks, keyOf, held }: TrackedRisks,
  limits: RiskLimits,
): PositionConditions {
  const positions = new Map<string, PositionCondition>();
  const read = { now: asOf, unmetBeforeFirstRead: before?.asOf ?? asOf - recentMs };
  for (const risk of risks) {
    const key = keyOf.get(risk.position);
    if (key === undefined) continue;
    const known = before?.positions.get(key);
    const updated = updatePosition(known, risk, limits, read) ?? known;
    if (updated) positions.set(key, updated);
  }
  const listed = new Set(keyOf.values());
  for (const key of held) {
    const known = listed.has(key) ? undefined : before?.positions.get(key);
    if (known) positions.set(key, { ...known, distanceBand: 'unknown', isPast: false });
  }
  return { asOf, positions };
}

/** The positions to show, sorted by risk. Only the band of the distance now counts. */
export function duePositionAlerts(
  { positions }: PositionConditions,
  notified: NotifiedTimes,
  now: number,
): DuePositionAlert[] {
  const due = [...positions].flatMap(([key, known]): DuePositionAlert[] => {
    const { symbol, conditions, distanceBand, isPast, distancePercent, asOf } = known;
    const subjects = namesShown(known)
      .filter(([name]) => isDue(conditions[name], notified.get(`${name}:${key}`), now))
      .flatMap((names) => names.map((name) => `${name}:${key}`));
    if (subjects.length === 0) return [];
    const band = isPast || distanceBand === 'critical' ? 'critical' : 'near';
    const position = { symbol, band, isPast, distancePercent, asOf } as const;
    return [{ position, subjects }];
  });
  return due.sort((a, b) => compareRisk(a.position, b.position));
}

/**
 * What the position is now, each with what an alert about it says too: after one that a position is
 * critical, none follows that it is near. Far past its liquidation price it is not critical by its
 * distance, so that an alert about this is left to come.
 */
function namesShown({
  distanceBand: band,
  isPast,
}: PositionCondition): [ConditionName, ...ConditionName[]][] {
  const past: ConditionName[] = isPast ? ['past'] : [];
  if (band === 'critical') return [['critical', 'near', ...past]];
  return [...past, ...(band === 'near' ? (['near'] as const) : [])].map((name) => [name]);
}

function updatePosition(
  before: PositionCondition | undefined,
  { position: { symbol }, direction, distancePercent, isPast }: PositionRisk,
  limits: RiskLimits,
  read: { readonly now: number; readonly unmetBeforeFirstRead: number },
): PositionCondition | undefined {
  if (distancePercent === null) return undefined;
  const distanceBand = bandOf(distancePercent, limits);
  const update = (name: ConditionName, isIn: boolean, limitPercent: number): AlertCondition => {
    const condition = before?.conditions[name];
    const isMet = isIn || isPercentageStillMet(condition, [distancePercent, String(limitPercent)]);
    return updateCondition(condition, isMet, read);
  };
  const pastBefore = direction === 'unknown' ? before?.conditions.past : undefined;
  return {
    symbol,
    conditions: {
      near: update(
        'near',
        distanceBand === 'near' || distanceBand === 'critical',
        limits.nearPercent,
      ),
      critical: update('critical', distanceBand === 'critical', limits.criticalPercent),
      past: pastBefore ?? update('past', isPast, 0),
    },
    distanceBand,
    isPast,
    distancePercent,
    asOf: read.now,
  };
}
