import { minuteMs } from '../../base/time.ts';
import { missingRecords } from '../../exchange/badRecords.ts';
import { unreadableRecords, type AccountState, type Snapshot } from '../session/accountStore.ts';
import { positionKeys, type PositionRisk, type RiskLimits } from '../session/positionRisk.ts';
import {
  isDue,
  isNew,
  recentMs,
  type NotifiedTimes,
  type AlertCondition,
  updateEquityCondition,
  type EquityCondition,
  type FirstEquity,
} from './alertCondition.ts';
import {
  isOpen,
  trackPositions,
  type HeldPositions,
  type VanishedPosition,
  type LiquidationAlert,
} from './vanishedPositions.ts';
import {
  duePositionAlerts,
  updatePositionConditions,
  type PositionAlert,
  type PositionConditions,
} from './positionAlerts.ts';

/** One notification. All positions share one, the closest to liquidation first. */
export type Alert =
  | { readonly kind: 'positions'; readonly positions: readonly PositionAlert[] }
  | ({ readonly kind: 'liquidations' } & LiquidationAlert)
  | ({ readonly kind: 'equity' } & Omit<EquityCondition, 'condition'>)
  | ({ readonly kind: 'connection' } & Omit<Outage, 'condition'>);
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

/** The positions of a snapshot, sorted by risk. */
export type SortByRisk = (snapshot: Snapshot) => readonly PositionRisk[];

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
  const equity = updateEquityCondition(before.equity, snapshot, first, limits.equityFallPercent);
  const after = { ...before, snapshot, equity, outage, vanishedPositions: [] };
  if (!snapshot.account.positions) return after;
  // A flat position is closed. Its distance is null, which would keep its last condition.
  const open = snapshot.directed.filter(({ position }) => isOpen(position));
  const unidentified = missingRecords(unreadableRecords(snapshot, 'positions')).length;
  const { identities, held, vanished } = trackPositions(open, unidentified, before.held);
  const keys = positionKeys(identities);
  const keyOf = new Map(open.map(({ position }, index) => [position, keys[index] ?? '']));
  const tracked = { risks: sortByRisk(snapshot), keyOf, held: positionKeys(held.positions) };
  const lastSeenAt = before.held?.asOf ?? snapshot.asOf;
  return {
    ...after,
    positions: updatePositionConditions(before.positions, snapshot.asOf, tracked, limits),
    held: { ...held, asOf: snapshot.asOf },
    vanishedPositions: vanished.map((identity) => ({ ...identity, lastSeenAt })),
  };
}

type FindDueAlert = (
  state: AlertState,
  notified: NotifiedTimes,
  now: number,
) => DueAlert | undefined;

/** Each kind must say when it is due. */
const findDueAlert: Readonly<Record<AlertKind, FindDueAlert>> = {
  positions: ({ positions }, notified, now) => {
    const near = positions ? duePositionAlerts(positions, notified, now) : [];
    if (near.length === 0) return undefined;
    return {
      alert: { kind: 'positions', positions: near.map(({ position }) => position) },
      subjects: near.flatMap(({ subjects }) => subjects),
    };
  },
  // The order history shows liquidations, not the state.
  liquidations: () => undefined,
  equity: ({ equity: known }, notified, now) => {
    if (!known || !isDue(known.condition, notified.get('equity'), now)) return undefined;
    const { first, equity, asOf, fallPercent } = known;
    return { alert: { kind: 'equity', first, equity, asOf, fallPercent }, subjects: ['equity'] };
  },
  // Each outage lasts a minute and ends with a success: another one is news, however soon it comes.
  connection: ({ outage }, notified) => {
    if (!outage || !isNew(outage.condition, notified.get('connection'))) return undefined;
    const { since, failure } = outage;
    return { alert: { kind: 'connection', since, failure }, subjects: ['connection'] };
  },
};

/** The alerts to show now, at most one of a kind. */
export function dueAlerts(state: AlertState, notified: NotifiedTimes, now: number): DueAlert[] {
  return Object.values(findDueAlert).flatMap((find) => find(state, notified, now) ?? []);
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
