import * as vscode from 'vscode';
import type { AccountSession } from '../../account/session/accountSession.ts';
import {
  unreadableFields,
  unreadableRecords,
  type AccountState,
  type Snapshot,
} from '../../account/session/accountStore.ts';
import type { Profile } from '../../account/session/profile.ts';
import { cleanText } from '../../base/cleanText.ts';
import { unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { RateLimitUsage } from '../../exchange/rateLimit/usage.ts';
import type { LockedOrders } from '../../exchange/records.ts';
import type { RiskAssessment } from '../settings/riskAssessment.ts';
import { errorText } from '../text/failureText.ts';
import { lockedSidesText } from '../text/lockedOrdersText.ts';
import { ageText, unreadablePartText } from '../text/messageText.ts';

/** The background of the status item. */
export type StatusLevel = 'none' | 'warning' | 'error';

/** What the status item shows of an open account. */
export type AccountStatus = AccountState & {
  readonly profile: Profile;
  /** The age of stale figures; undefined while they are fresh. */
  readonly staleAgeMs: number | undefined;
  readonly critical: number;
  readonly near: number;
  /** Positions that could not be read, or their list: their risk is unknown. */
  readonly unread: number;
  /** Error for critical positions and stale figures, warning for what may become an error. */
  readonly level: StatusLevel;
};

export function accountStatus(
  { profile, store, staleness }: AccountSession,
  risk: Pick<RiskAssessment, 'rankPositions'>,
): AccountStatus {
  const { snapshot, failure } = store.state;
  const { staleAgeMs } = staleness;
  const unread = snapshot ? unreadableRecords(snapshot, 'positions').length : 0;
  const counts = { critical: 0, near: 0, calm: 0, unknown: 0 };
  for (const { band } of risk.rankPositions(snapshot?.account.positions ?? [])) counts[band] += 1;
  const { critical, near } = counts;
  const { equity, upl } = snapshot?.account ?? {};
  const isUnknown = unread > 0 || equity === null || upl === null;
  const isWarning = near > 0 || isUnknown || failure !== undefined;
  const isError = staleAgeMs !== undefined || critical > 0;
  const level = isError ? 'error' : isWarning ? 'warning' : 'none';
  return { ...store.state, profile, staleAgeMs, critical, near, unread, level };
}

/** `1 critical`, `2 near`: empty if no position is close to liquidation. */
export function riskCounts({ critical, near }: AccountStatus, display: Display): string[] {
  return [
    ...(critical > 0 ? [vscode.l10n.t('{0} critical', display.count(critical))] : []),
    ...(near > 0 ? [vscode.l10n.t('{0} near', display.count(near))] : []),
  ];
}

/** `none of 3`, or `1 critical of 2, 1 could not be read`; `unknown` without a list of positions. */
export function riskSummary(status: AccountStatus, display: Display): string {
  const { snapshot, unread } = status;
  if (!snapshot?.account.positions) return vscode.l10n.t('unknown');
  const counts = riskCounts(status, display).join(', ') || vscode.l10n.t('none');
  const total = display.count(snapshot.account.positions.length);
  return unread === 0
    ? vscode.l10n.t('{0} of {1}', counts, total)
    : vscode.l10n.t('{0} of {1}, {2} could not be read', counts, total, display.count(unread));
}

/** `stale: 3 min old`; empty while the figures are fresh. */
export function staleText({ staleAgeMs }: AccountStatus, display: Display): string[] {
  return staleAgeMs === undefined
    ? []
    : [vscode.l10n.t('stale: {0} old', ageText(staleAgeMs, display))];
}

const maxLockedSymbols = 10;

/** Explains why figures are masked. */
export function privacyFields({ settings }: Display): [string, string][] {
  return settings.hidesMoney
    ? [[vscode.l10n.t('privacy'), vscode.l10n.t('on: amounts are hidden')]]
    : [];
}

/** The hover: the account's own fields in full, what open orders lock, and when it was read. */
export function statusFields(status: AccountStatus, display: Display): [string, string][] {
  const { snapshot, failure } = status;
  const problems = failure === undefined ? [] : problemField(failure, display);
  if (!snapshot) return [...problems, ['equity', vscode.l10n.t('unknown')]];
  const { account, asOf } = snapshot;
  return [
    ...problems,
    ...unreadableFields(snapshot).map((field): [string, string] => [
      vscode.l10n.t('problem'),
      unreadablePartText(field, display),
    ]),
    ['equity', equityText(snapshot, display)],
    ['upl', display.full('upl', account.upl)],
    ['feeTierStructure', display.full('feeTierStructure', account.feeTierStructure)],
    ['feeTierDiscount', display.full('feeTierDiscount', account.feeTierDiscount)],
    ['tradeFeeAsset', account.tradeFeeAsset ?? unknownText],
    [vscode.l10n.t('close to liquidation'), riskSummary(status, display)],
    ...lockedFields(account.orders, display),
    [
      vscode.l10n.t('as of'),
      [display.timeInBothZones(String(asOf)), ...staleText(status, display)].join(' · '),
    ],
  ];
}

/** What open orders lock in the first symbols; the Locked Orders view shows all. */
function lockedFields(
  orders: readonly LockedOrders[] | null,
  display: Display,
): [string, string][] {
  if (!orders) return [[vscode.l10n.t('open orders'), vscode.l10n.t('unknown')]];
  const shown = orders
    .slice(0, maxLockedSymbols)
    .map((locked): [string, string] => [
      vscode.l10n.t('open orders in {0}', locked.symbol),
      lockedSidesText(locked, (field) => display.full(field, locked[field])),
    ]);
  const rest = orders.length - shown.length;
  return rest > 0
    ? [...shown, [vscode.l10n.t('open orders in more symbols'), display.count(rest)]]
    : shown;
}

/** How much of the rate limit all windows used, and what waits for it. */
export function rateLimitFields(
  { at, used, ownShare, limit, windowMs, pausedUntil, waiting, isStateWritable }: RateLimitUsage,
  display: Display,
): [string, string][] {
  const { t } = vscode.l10n;
  const counts = [used, ownShare, limit, windowMs / 1000].map((count) => display.count(count));
  const time = display.timeInBothZones(String(at));
  const fields: [string, string][] = [
    [t('API weight'), t('{0} / {1} (limit {2} per {3} s), at {4}', ...counts, time)],
  ];
  if (pausedUntil !== undefined)
    fields.push([
      t('rate limited'),
      t('the exchange asked for a pause until {0}', display.timeInBothZones(String(pausedUntil))),
    ]);
  if (!isStateWritable)
    fields.push([
      t('rate-limit file'),
      t('cannot be written: until it can, only the account is read, once a minute'),
    ]);
  if (waiting > 0) fields.push([t('requests waiting for weight'), display.count(waiting)]);
  return fields;
}

export function equityText(snapshot: Snapshot, display: Display): string {
  return `${display.full('equity', snapshot.account.equity)}${equityUnit(snapshot)}`;
}

/** The API gives equity no unit: it is known only if there is a single margin asset. */
export function equityUnit({ account }: Snapshot): string {
  const margins = (account.assets ?? []).filter(({ isMargin }) => isMargin);
  return margins.length === 1 && margins[0] ? ` ${cleanText(margins[0].name, 12)}` : '';
}

export function problemField(error: unknown, display: Display): [string, string][] {
  return [[vscode.l10n.t('problem'), errorText(error, display)]];
}
