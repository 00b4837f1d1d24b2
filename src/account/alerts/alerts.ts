import type { NumberText, Position } from '../../exchange/records.ts';
import type { AccountState, Snapshot } from '../accountStore.ts';
import type { PositionRisk, RiskLimits } from '../risk.ts';
import { dueDangers, watchDanger, type DangerAlert, type DangerWatch } from './danger.ts';
import { watchEquity, type EquityWatch, type FirstEquity } from './equityFall.ts';
import { heldPositions, vanished, type HeldPositions, type Vanished } from './heldPositions.ts';
import { watchOutage, type Outage } from './outage.ts';
import type { LiquidationAlert } from './vanished.ts';
import { isDue, type Told } from './watch.ts';

export const alertKinds = ['positions', 'liquidations', 'equity', 'connection'] as const;
export type AlertKind = (typeof alertKinds)[number];

/** One thing to tell a person; of several positions all in one, the worst first. */
export type Alert =
  | { readonly kind: 'positions'; readonly positions: readonly DangerAlert[] }
  | ({ readonly kind: 'liquidations' } & LiquidationAlert)
  | {
      readonly kind: 'equity';
      readonly first: FirstEquity;
      readonly equity: NumberText;
      readonly asOf: number;
      readonly fallPercent: NumberText;
    }
  | { readonly kind: 'connection'; readonly since: number; readonly failure: unknown };

/** An alert that is to be told, and the subjects that are told with it. */
export type DueAlert = { readonly alert: Alert; readonly subjects: readonly string[] };

/** What a window has seen of its account. */
export type AlertState = {
  readonly snapshot?: Snapshot;
  readonly danger?: DangerWatch;
  readonly equity?: EquityWatch | undefined;
  readonly outage?: Outage | undefined;
  readonly held?: HeldPositions | undefined;
  /** What vanished between the last two snapshots. */
  readonly gone: readonly Vanished[];
};

export type AlertLimits = RiskLimits & { readonly equityFallPercent: number };

/** Positions in the order of danger, within the limits that hold. */
export type RanksRisks = (positions: readonly Position[]) => readonly PositionRisk[];

/** By what an account is looked at. */
export type Sight = {
  readonly limits: AlertLimits;
  readonly byDanger: RanksRisks;
  readonly now: number;
};

/** Looks at the account as it is now; what was seen already is not seen again. */
export function observe(
  before: AlertState,
  account: AccountState,
  first: FirstEquity | undefined,
  { limits, byDanger, now }: Sight,
): AlertState {
  const outage = watchOutage(before.outage, account, now);
  const { snapshot } = account;
  if (!snapshot || !first || snapshot === before.snapshot) return { ...before, outage, gone: [] };
  const held = heldPositions(snapshot);
  return {
    snapshot,
    danger: watchDanger(before.danger, snapshot, byDanger(snapshot.account.positions), limits),
    equity: watchEquity(before.equity, snapshot, first, limits.equityFallPercent),
    outage,
    held: held ?? before.held,
    gone: held && before.held ? vanished(before.held, held) : [],
  };
}

/** What is to be told now, one alert a kind; why positions vanished is for the records to say. */
export function dueAlerts(state: AlertState, told: Told, now: number): DueAlert[] {
  return [
    ...dueDanger(state, told, now),
    ...dueEquity(state, told, now),
    ...dueOutage(state, told, now),
  ];
}

function dueDanger({ danger }: AlertState, told: Told, now: number): DueAlert[] {
  const due = danger ? dueDangers(danger, told, now) : [];
  if (due.length === 0) return [];
  const positions = due.map(({ position }) => position);
  return [
    { alert: { kind: 'positions', positions }, subjects: due.flatMap((one) => one.subjects) },
  ];
}

function dueEquity({ equity: seen }: AlertState, told: Told, now: number): DueAlert[] {
  if (!seen || !isDue(seen.watch, told.get('equity'), now)) return [];
  const { first, equity, asOf, fallPercent } = seen;
  return [{ alert: { kind: 'equity', first, equity, asOf, fallPercent }, subjects: ['equity'] }];
}

function dueOutage({ outage }: AlertState, told: Told, now: number): DueAlert[] {
  if (!outage || !isDue(outage.watch, told.get('connection'), now)) return [];
  const { since, failure } = outage;
  return [{ alert: { kind: 'connection', since, failure }, subjects: ['connection'] }];
}
