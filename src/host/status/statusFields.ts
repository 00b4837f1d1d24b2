import type { AccountSession } from '../../account/session/accountSession.ts';
import {
  unreadableFields,
  unreadableRecords,
  type AccountState,
  type Snapshot,
} from '../../account/session/accountStore.ts';
import type { PositionRisk, RiskBand } from '../../account/session/positionRisk.ts';
import type { Profile } from '../../account/session/profile.ts';
import { cleanText } from '../../base/cleanText.ts';
import { unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { RateLimitUsage } from '../../exchange/rateLimit/usage.ts';
import type { Account } from '../../exchange/records.ts';
import type { RiskAssessment } from '../settings/riskAssessment.ts';
import { t } from '../shared/translate.ts';
import { errorText } from '../text/failureText.ts';
import type { HoverRow } from '../text/hoverTable.ts';
import { fullLockedOrdersText } from '../text/lockedOrdersText.ts';
import { firstOf, unreadablePartText } from '../text/messageText.ts';
import { distanceText } from '../text/riskText.ts';

/** The background of the status item. */
export type StatusLevel = 'none' | 'warning' | 'error';

/** What the status item shows of an open account. */
export type AccountStatus = AccountState & {
  readonly profile: Profile;
  /** The age of stale figures; undefined while they are fresh. */
  readonly staleAgeMs: number | undefined;
  readonly critical: number;
  readonly near: number;
  /** The position closest to liquidation, if it is near or critical. */
  readonly closest: PositionRisk | undefined;
  /** The same, never of the practice exchange. */
  readonly danger: PositionRisk | undefined;
  /** Positions that could not be read, or a figure of them, or their list: their risk may be unknown. */
  readonly unread: number;
  readonly level: StatusLevel;
};

export function accountStatus(
  { profile, store, staleness }: AccountSession,
  risk: Pick<RiskAssessment, 'rankPositions'>,
): AccountStatus {
  const { snapshot } = store.state;
  const { staleAgeMs } = staleness;
  const unread = snapshot ? countUnread(snapshot) : 0;
  const risks = snapshot ? risk.rankPositions(snapshot) : [];
  const count = (wanted: RiskBand): number => risks.filter(({ band }) => band === wanted).length;
  const [critical, near] = [count('critical'), count('near')];
  const closest = critical + near > 0 ? risks[0] : undefined;
  const danger = profile.environment === 'practice' ? undefined : closest;
  const status = { ...store.state, profile, staleAgeMs, critical, near, closest, danger, unread };
  return { ...status, level: levelOf(status) };
}

/** Each position counts once, however many of its figures could not be read. */
function countUnread(snapshot: Snapshot): number {
  const paths = unreadableRecords(snapshot, 'positions').map(({ path }) => path.split(']')[0]);
  return new Set(paths).size;
}

/** Error for a critical position only; warning for what may become one, or hides one. */
function levelOf({ snapshot, failure, ...status }: Omit<AccountStatus, 'level'>): StatusLevel {
  if (status.danger?.band === 'critical') return 'error';
  const { equity, upl } = snapshot?.account ?? {};
  const isUnknown = status.unread > 0 || equity === null || upl === null;
  const isOld = failure !== undefined || status.staleAgeMs !== undefined;
  return status.danger || isUnknown || isOld ? 'warning' : 'none';
}

/** `1 critical`, `2 near`: empty if no position is close to liquidation. */
export function riskCounts({ critical, near }: AccountStatus, display: Display): string[] {
  return [
    ...(critical > 0 ? [t('{0} critical', display.count(critical))] : []),
    ...(near > 0 ? [t('{0} near', display.count(near))] : []),
  ];
}

/** `none of 3`, or `1 critical of 2, 1 could not be read`; `unknown` without a list of positions. */
export function riskSummary(status: AccountStatus, display: Display): string {
  const { snapshot, unread } = status;
  if (!snapshot?.account.positions) return t('unknown');
  const counts = riskCounts(status, display).join(', ') || t('none');
  const total = display.count(snapshot.account.positions.length);
  return unread === 0
    ? t('{0} of {1}', counts, total)
    : t('{0} of {1}, {2} could not be read', counts, total, display.count(unread));
}

/** The same with the one closest to liquidation: `1 critical of 2: btc_usdt 2.9 %`. */
function namedRisk(status: AccountStatus, display: Display): string {
  const { closest } = status;
  const summary = riskSummary(status, display);
  if (!closest) return summary;
  return `${summary}: ${cleanText(closest.position.symbol, 20)} ${distanceText(closest, display)}`;
}

/** The rows of the hover: the account's own fields in full, and what open orders lock. */
export function statusRows(status: AccountStatus, display: Display): HoverRow[] {
  const { snapshot } = status;
  // Explains why figures are masked.
  const privacy: HoverRow = [t('Privacy'), t('on: amounts are hidden')];
  const rows = [...(display.settings.hidesMoney ? [privacy] : []), ...problemRow(status, display)];
  if (!snapshot) return [...rows, [t('Equity'), t('unknown')]];
  const { account } = snapshot;
  return [
    ...rows,
    [t('Equity'), equityText(snapshot, display)],
    [t('Unrealised P&L'), display.full('upl', account.upl)],
    [t('Fee tier'), feeTierText(account, display)],
    [t('Close to liquidation'), namedRisk(status, display)],
    [t('Open orders'), openOrdersText(account.orders, display)],
  ];
}

function problemRow({ failure, snapshot }: AccountState, display: Display): HoverRow[] {
  const sentences = [
    ...(failure === undefined ? [] : [errorText(failure, display)]),
    ...(snapshot ? unreadableFields(snapshot) : []).map((field) =>
      unreadablePartText(field, display),
    ),
  ];
  return sentences.length === 0 ? [] : [problem(sentences.join(' '))];
}

export function problem(text: string): HoverRow {
  return [t('Problem'), text];
}

function feeTierText(account: Account, display: Display): string {
  return [
    display.full('feeTierStructure', account.feeTierStructure),
    t('discount {0}', display.full('feeTierDiscount', account.feeTierDiscount)),
    t('fees in {0}', cleanText(account.tradeFeeAsset ?? unknownText, 20)),
  ].join(' · ');
}

const maxListedSymbols = 2;

/** What open orders lock in the first symbols; the Open Orders view shows all. */
function openOrdersText(orders: Account['orders'], display: Display): string {
  if (!orders) return t('unknown');
  if (orders.length === 0) return t('none');
  const texts = orders.map((locked) => fullLockedOrdersText(locked, display));
  return firstOf(texts, maxListedSymbols, display, '; ');
}

/** How much of the rate limit all windows used, and what waits for it. */
export function rateLimitRow(
  { used, ownShare, limit, windowMs, pausedUntil, waiting, isUnshared }: RateLimitUsage,
  display: Display,
): HoverRow {
  const counts = [used, ownShare, limit, windowMs / 1000].map((count) => display.count(count));
  const notes = [
    t('{0} / {1} (limit {2} per {3} s)', ...counts),
    ...(waiting > 0 ? [t('{0} waiting', display.count(waiting))] : []),
    ...(pausedUntil === undefined
      ? []
      : [t('paused by the exchange until {0}', display.timeOfDay(pausedUntil))]),
    ...(isUnshared
      ? [
          t(
            'the rate-limit file cannot be written: until it can, the account is read once a minute, and only cancel-all still works',
          ),
        ]
      : []),
  ];
  return [t('API weight'), notes.join(' · ')];
}

/** The API gives equity no unit: it is known only if there is a single margin asset. */
export function equityText({ account }: Snapshot, display: Display): string {
  const margins = (account.assets ?? []).filter(({ isMargin }) => isMargin !== false);
  const unit =
    margins.length === 1 && margins[0]?.isMargin ? ` ${cleanText(margins[0].name, 12)}` : '';
  return `${display.full('equity', account.equity)}${unit}`;
}
