import * as vscode from 'vscode';
import type { Snapshot } from '../../account/accountStore.ts';
import type { Reference } from '../../account/reference.ts';
import type { Session } from '../../account/session.ts';
import type { AccountList } from '../../account/unreadRecords.ts';
import type { Display } from '../../base/display.ts';
import { views } from '../contributions.ts';
import { ageWords } from '../words.ts';
import type { RiskState } from '../riskState.ts';
import { assetRow, isZero } from './assetRow.ts';
import { lockedRow } from './lockedRow.ts';
import { leverageRuleNote } from './leverageRuleNote.ts';
import { positionRow } from './positionRow.ts';
import type { Row, RowField } from './row.ts';

/** What there is to draw, and how a person wants to see it. */
export type Drawing = {
  readonly session: Session;
  readonly snapshot: Snapshot;
  readonly display: Display;
  readonly risk: RiskState;
  readonly hidesZeroAssets: boolean;
};

/** What one view shows of an account. */
export type AccountView = {
  readonly id: string;
  /** The list of the account that the rows are. */
  readonly list: AccountList;
  rows(drawing: Drawing): readonly Row[];
  /** All that the rows are made of: while these stay the same objects, so do the rows. */
  inputs(drawing: Drawing): readonly unknown[];
  /** What stands where there are no rows. */
  readonly empty: string;
  /** A sentence that stands above the rows, where there is something to say of all of them. */
  note?(drawing: Drawing): string | undefined;
  /** How many rows ask for attention at once, and the words for it. */
  badge?(drawing: Drawing): vscode.ViewBadge | undefined;
  /** Reference data that rows or hovers show besides; read once somebody looks at them. */
  lookUp?(session: Session): Reference<unknown>;
  /** What a hover says below everything else. */
  hoverMore?(row: Row, session: Session, display: Display): readonly RowField[];
};

export function positionsView(): AccountView {
  return {
    id: views.positions,
    list: 'positions',
    rows: ({ snapshot: { account }, display, risk }) =>
      risk.byDanger(account.positions).map((one) => positionRow(one, display)),
    inputs: ({ snapshot: { account }, display, risk }) => [account.positions, display, risk.limits],
    empty: vscode.l10n.t(
      'No open positions: open one at the exchange, and it appears here after the next refresh.',
    ),
    badge: criticalBadge,
    lookUp: ({ leverageRules }) => leverageRules,
    hoverMore: ({ record }, { leverageRules }, display) =>
      'leverage' in record ? [leverageRuleNote(record, leverageRules.known, display)] : [],
  };
}

export function assetsView(): AccountView {
  return {
    id: views.assets,
    list: 'assets',
    rows: ({ session, snapshot: { account }, display, hidesZeroAssets }) =>
      account.assets
        .filter((asset) => !hidesZeroAssets || !isZero(asset))
        .map((asset) =>
          assetRow(
            asset,
            account.orders,
            session.exchangeInformation.known?.value.symbols,
            display,
          ),
        ),
    inputs: ({ session, snapshot: { account }, display, hidesZeroAssets }) => [
      account.assets,
      account.orders,
      session.exchangeInformation.known,
      display,
      hidesZeroAssets,
    ],
    empty: vscode.l10n.t(
      'No asset holds anything: deposit one at the exchange, and it appears here after the next refresh.',
    ),
    note: hiddenAssetsNote,
    lookUp: ({ exchangeInformation }) => exchangeInformation,
  };
}

export function lockedOrdersView(): AccountView {
  return {
    id: views.lockedOrders,
    list: 'orders',
    rows: ({ snapshot, display }) =>
      snapshot.account.orders.map((item) => lockedRow(item, display)),
    inputs: ({ snapshot, display }) => [snapshot.account.orders, display],
    empty: vscode.l10n.t(
      'Nothing is locked by open orders: place one at the exchange, and what it locks appears here after the next refresh.',
    ),
    note: practiceNote,
  };
}

function criticalBadge({
  session,
  snapshot,
  risk,
  display,
}: Drawing): vscode.ViewBadge | undefined {
  const percent = display.full('criticalPercent', String(risk.limits.criticalPercent));
  const risks = risk.byDanger(snapshot.account.positions);
  const value = risks.filter(({ band }) => band === 'critical').length;
  if (value === 0) return undefined;
  const tooltip =
    value === 1
      ? vscode.l10n.t('1 critical position: within {0} % of its liquidation, or past it', percent)
      : vscode.l10n.t(
          '{0} critical positions: within {1} % of liquidation, or past it',
          display.count(value),
          percent,
        );
  const { staleMs } = session.freshness;
  if (staleMs === undefined) return { value, tooltip };
  return { value, tooltip: vscode.l10n.t('{0} · stale, {1}', tooltip, ageWords(staleMs, display)) };
}

function hiddenAssetsNote({ snapshot, display, hidesZeroAssets }: Drawing): string | undefined {
  const count = hidesZeroAssets ? snapshot.account.assets.filter(isZero).length : 0;
  if (count === 0) return undefined;
  return count === 1
    ? vscode.l10n.t('1 asset at zero is hidden.')
    : vscode.l10n.t('{0} assets at zero are hidden.', display.count(count));
}

function practiceNote({ session }: Drawing): string | undefined {
  return session.profile.environment === 'practice'
    ? vscode.l10n.t('Made-up money: orders that you cancel return when this exchange restarts.')
    : undefined;
}
