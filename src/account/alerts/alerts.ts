import { minuteMs } from '../../base/time.ts';
import type { NumberText, Position } from '../../exchange/records.ts';
import type { AccountState, Snapshot } from '../session/accountStore.ts';
import type { PositionRisk, RiskLimits } from '../session/positionRisk.ts';
import {
  isDue,
  isNew,
  recentMs,
  type NotifiedTimes,
  type AlertCondition,
} from './alertCondition.ts';
import { updateEquityCondition, type EquityCondition, type FirstEquity } from './equityFall.ts';
import {
  heldPositions,
  vanishedBetween,
  type HeldPositions,
  type VanishedPosition,
} from './heldPositions.ts';
import {
  duePositionAlerts,
  updatePositionConditions,
  type PositionAlert,
  type PositionConditions,
} from './positionAlerts.ts';
import type { LiquidationAlert } from './vanishedPositions.ts';

/** One notification. All positions share one, the closest to liquidation first. */
export type Alert =
  | { readonly kind: 'positions'; readonly positions: readonly PositionAlert[] }
  | ({ readonly kind: 'liquidations' } & LiquidationAlert)
  | {
      readonly kind: 'equity';
      readonly first: FirstEquity;
      readonly equity: NumberText;
      readonly asOf: number;
      readonly fallPercent: NumberText;
    }
  | { readonly kind: 'connection'; readonly since: number; readonly failure: unknown };
export type AlertKind = Alert['kind'];

/** An alert to show, and the subjects that are recorded with it. */
type DueAlert = { readonly alert: Alert; readonly subjects: readonly string[] };

/** What one window has seen of its account. */
export type AlertState = {
  readonly snapshot?: Snapshot;
  readonly positions?: PositionConditions | undefined;
  readonly equity?: EquityCondition | undefined;
  readonly outage?: Outage | undefined;
  readonly held?: HeldPositions | undefined;
  /** Between the last two snapshots. */
  readonly vanishedPositions: readonly VanishedPosition[];
};

export type AlertLimits = RiskLimits & { readonly equityFallPercent: number };

export type SortByRisk = (positions: readonly Position[]) => readonly PositionRisk[];

type AlertInputs = {
  readonly limits: AlertLimits;
  readonly sortByRisk: SortByRisk;
  readonly now: number;
};

/** The state after a change of the account. A snapshot counts once; what is unknown in it changes nothing. */
export function nextAlertState(
  before: AlertState,
  account: AccountState,
  first: FirstEquity | undefined,
  { limits, sortByRisk, now }: AlertInputs,
): AlertState {
  const outage = updateOutage(before.outage, account, now);
  const { snapshot } = account;
  if (!snapshot || snapshot === before.snapshot)
    return { ...before, outage, vanishedPositions: [] };
  const held = heldPositions(snapshot);
  const { positions } = snapshot.account;
  return {
    snapshot,
    positions: positions
      ? updatePositionConditions(before.positions, snapshot, sortByRisk(positions), limits)
      : before.positions,
    equity: updateEquityCondition(before.equity, snapshot, first, limits.equityFallPercent),
    outage,
    held: held ?? before.held,
    vanishedPositions: held && before.held ? vanishedBetween(before.held, held) : [],
  };
}

/** The alerts to show now, at most one of a kind. Liquidations are not among them: the order history shows those. */
export function dueAlerts(state: AlertState, notified: NotifiedTimes, now: number): DueAlert[] {
  const { positions, equity, outage } = state;
  const due: DueAlert[] = [];
  const near = positions ? duePositionAlerts(positions, notified, now) : [];
  if (near.length > 0) {
    const alert = { kind: 'positions', positions: near.map(({ position }) => position) } as const;
    due.push({ alert, subjects: near.flatMap(({ subjects }) => subjects) });
  }
  if (equity && isDue(equity.condition, notified.get('equity'), now)) {
    const { first, equity: last, asOf, fallPercent } = equity;
    const alert = { kind: 'equity', first, equity: last, asOf, fallPercent } as const;
    due.push({ alert, subjects: ['equity'] });
  }
  // Each outage lasts a minute and ends with a success: another one is news, however soon it comes.
  if (outage && isNew(outage.condition, notified.get('connection'))) {
    const { since, failure } = outage;
    due.push({ alert: { kind: 'connection', since, failure }, subjects: ['connection'] });
  }
  return due;
}

/** How long the account cannot be read before that causes an alert. */
export const outageAlertMs = minuteMs;

/** A time in which every read of the account failed. */
type Outage = {
  readonly since: number;
  readonly failure: unknown;
  readonly condition: AlertCondition;
};

/**
 * The outage after the newest read, or as time passes; undefined if the read succeeded. It begins at
 * the last success. If nothing was requested for long, as after a sleep, it begins at the failure.
 */
function updateOutage(
  before: Outage | undefined,
  { snapshot, failure }: AccountState,
  now: number,
): Outage | undefined {
  if (failure === undefined) return undefined;
  const succeededAt = snapshot && Math.min(snapshot.asOf, now);
  const isRecent = succeededAt !== undefined && now - succeededAt < outageAlertMs;
  const since = Math.min(before?.since ?? (isRecent ? succeededAt : now), now);
  const condition = {
    isMet: now - since >= outageAlertMs,
    lastUnmetAt: succeededAt ?? since - recentMs,
  };
  return { since, failure, condition };
}
