import { compare, sign, sum } from '../../base/decimal.ts';
import type { NumberText } from '../../exchange/records.ts';
import type { Snapshot } from '../accountStore.ts';
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

type SymbolWatch = Known & {
  readonly near: Watch;
  readonly critical: Watch;
  /** As its row says, without hysteresis. */
  readonly band: Band;
  readonly asOf: number;
};

/** How near the positions are, by symbol, as of the snapshot that was looked at last. */
export type DangerWatch = {
  readonly asOf: number;
  readonly symbols: ReadonlyMap<string, SymbolWatch>;
};

/**
 * Looks at another snapshot, whose positions have these risks in the order of danger. Of several
 * positions in a symbol the nearest to liquidation counts; one whose distance or record cannot be read
 * is taken to be where it was.
 */
export function watchDanger(
  before: DangerWatch | undefined,
  { badRecords, asOf }: Snapshot,
  risks: readonly PositionRisk[],
  limits: RiskLimits,
): DangerWatch {
  // A flat one is gone, and not of unknown distance: that would be taken to be where it was.
  const open = risks.filter(({ position: { amount } }) => sign(amount) !== 0);
  const isWhole = !badRecords.some(({ path }) => path.startsWith('$.positions'));
  const symbols = new Map<string, SymbolWatch>();
  const at = { now: asOf, firstSince: before?.asOf ?? asOf - rememberMs };
  for (const risk of open) {
    const { symbol } = risk.position;
    if (symbols.has(symbol)) continue;
    const known = before?.symbols.get(symbol);
    const now = lookedAt(known, risk, limits, at) ?? known;
    if (now) symbols.set(symbol, now);
  }
  if (!isWhole && before) return { asOf, symbols: new Map([...before.symbols, ...symbols]) };
  return { asOf, symbols };
}

/** What is to be told, in the order of danger: of the band that a position is in now, which is the one that its row shows. */
export function dueDangers({ symbols }: DangerWatch, told: Told, now: number): DangerAlert[] {
  const due = [...symbols].flatMap(([symbol, watch]): DangerAlert[] => {
    const { band, isPast, distancePercent, asOf } = watch;
    if (band !== 'near' && band !== 'critical') return [];
    const isDueNow = isDue(watch[band], told.get(subjectOf(band, symbol)), now);
    return isDueNow ? [{ symbol, band, isPast, distancePercent, asOf }] : [];
  });
  return due.sort(nearerFirst);
}

/** Whoever was told that a position is critical need not hear that it is near. */
export function dangerSubjects({ symbol, band }: DangerAlert): string[] {
  const near = subjectOf('near', symbol);
  return band === 'critical' ? [subjectOf('critical', symbol), near] : [near];
}

function subjectOf(band: 'near' | 'critical', symbol: string): string {
  return `${band}:${symbol}`;
}

function lookedAt(
  before: SymbolWatch | undefined,
  { distancePercent, isPast, band }: PositionRisk,
  { nearPercent, criticalPercent }: RiskLimits,
  at: { readonly now: number; readonly firstSince: number },
): SymbolWatch | undefined {
  if (distancePercent === null) return undefined;
  const look = (watch: Watch | undefined, isIn: boolean, limitPercent: number): Watch => {
    const edge = (): NumberText => sum([String(limitPercent), leavingPoints]);
    const isLeaving = !isIn && watch?.holds === true && compare(distancePercent, edge()) <= 0;
    return looked(watch, isIn || isLeaving, at);
  };
  return {
    near: look(before?.near, band === 'near' || band === 'critical', nearPercent),
    critical: look(before?.critical, band === 'critical', criticalPercent),
    band,
    isPast,
    distancePercent,
    asOf: at.now,
  };
}
