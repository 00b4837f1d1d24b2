import { compare, sign, sum } from '../../base/decimal.ts';
import type { NumberText } from '../../exchange/records.ts';
import type { Snapshot } from '../accountStore.ts';
import { positionKey } from '../positionKey.ts';
import { unreadRecords } from '../unreadRecords.ts';
import {
  nearerFirst,
  type Band,
  type Distance,
  type PositionRisk,
  type RiskLimits,
} from '../risk.ts';
import { isDue, leavingPoints, looked, rememberMs, type Told, type Watch } from './watch.ts';

/** How near a position is, where that can be told. */
type Known = Distance & { readonly distancePercent: NumberText };

/** A position that came near to its liquidation. */
export type DangerAlert = Known & {
  readonly symbol: string;
  readonly band: 'near' | 'critical';
  /** When it was read. */
  readonly asOf: number;
};

type PositionWatch = Known & {
  readonly symbol: string;
  readonly near: Watch;
  readonly critical: Watch;
  /** As its row says, without hysteresis. */
  readonly band: Band;
  readonly asOf: number;
};

/** How near the positions are, by their keys, as of the snapshot that was looked at last. */
export type DangerWatch = {
  readonly asOf: number;
  readonly positions: ReadonlyMap<string, PositionWatch>;
};

/** A position to tell of, and the subjects that are told with it. */
export type DueDanger = { readonly position: DangerAlert; readonly subjects: readonly string[] };

/**
 * Looks at another snapshot, whose positions have these risks in the order of danger. Of several
 * positions with one key the nearest to liquidation counts; one whose distance or record cannot be
 * read is taken to be where it was.
 */
export function watchDanger(
  before: DangerWatch | undefined,
  snapshot: Snapshot,
  risks: readonly PositionRisk[],
  limits: RiskLimits,
): DangerWatch {
  // A flat one is gone, and not of unknown distance: that would be taken to be where it was.
  const open = risks.filter(({ position: { amount } }) => sign(amount) !== 0);
  const { asOf } = snapshot;
  const isWhole = unreadRecords(snapshot, 'positions').length === 0;
  const positions = new Map<string, PositionWatch>();
  const at = { now: asOf, firstSince: before?.asOf ?? asOf - rememberMs };
  for (const risk of open) {
    const key = positionKey(risk.position);
    if (positions.has(key)) continue;
    const known = before?.positions.get(key);
    const now = lookedAt(known, risk, limits, at) ?? known;
    if (now) positions.set(key, now);
  }
  if (!isWhole && before) return { asOf, positions: new Map([...before.positions, ...positions]) };
  return { asOf, positions };
}

/** What is to be told, in the order of danger: of the band that a position is in now, which is the one that its row shows. */
export function dueDangers({ positions }: DangerWatch, told: Told, now: number): DueDanger[] {
  const due = [...positions].flatMap(([key, watch]): DueDanger[] => {
    const { symbol, band, isPast, distancePercent, asOf } = watch;
    if (band !== 'near' && band !== 'critical') return [];
    if (!isDue(watch[band], told.get(subjectOf(band, key)), now)) return [];
    const position = { symbol, band, isPast, distancePercent, asOf };
    return [{ position, subjects: dangerSubjects(band, key) }];
  });
  return due.sort((a, b) => nearerFirst(a.position, b.position));
}

/** Whoever was told that a position is critical need not hear that it is near. */
function dangerSubjects(band: 'near' | 'critical', key: string): string[] {
  const near = subjectOf('near', key);
  return band === 'critical' ? [subjectOf('critical', key), near] : [near];
}

function subjectOf(band: 'near' | 'critical', key: string): string {
  return `${band}:${key}`;
}

function lookedAt(
  before: PositionWatch | undefined,
  { position: { symbol }, distancePercent, isPast, band }: PositionRisk,
  { nearPercent, criticalPercent }: RiskLimits,
  at: { readonly now: number; readonly firstSince: number },
): PositionWatch | undefined {
  if (distancePercent === null) return undefined;
  const look = (watch: Watch | undefined, isIn: boolean, limitPercent: number): Watch => {
    const edge = (): NumberText => sum([String(limitPercent), leavingPoints]);
    const isLeaving = !isIn && watch?.holds === true && compare(distancePercent, edge()) <= 0;
    return looked(watch, isIn || isLeaving, at);
  };
  return {
    symbol,
    near: look(before?.near, band === 'near' || band === 'critical', nearPercent),
    critical: look(before?.critical, band === 'critical', criticalPercent),
    band,
    isPast,
    distancePercent,
    asOf: at.now,
  };
}
