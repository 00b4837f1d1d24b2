import * as vscode from 'vscode';
import type { AccountSession } from '../../account/session/accountSession.ts';
import type { Snapshot, AccountList } from '../../account/session/accountStore.ts';
import type { CachedRead } from '../../account/session/cachedRead.ts';
import { cleanText } from '../../base/cleanText.ts';
import type { Display } from '../../base/display.ts';
import { commands, views, type CommandId } from '../shared/contributions.ts';
import type { RiskAssessment } from '../settings/riskAssessment.ts';
import { t } from '../shared/translate.ts';
import { historyLabel } from '../text/historyLabel.ts';
import { type HoverRow, hoverTable } from '../text/hoverTable.ts';
import { ageText, readText } from '../text/messageText.ts';
import {
  assetRow,
  isEmptyAsset,
  lockedOrdersRow,
  leverageRuleRow,
  positionRow,
} from './accountRows.ts';
import { type Row, maxLabelLength, type RowNode } from './treeRow.ts';

/** What a view draws: the account, and how to show it. */
export type RenderContext = {
  readonly session: AccountSession;
  readonly snapshot: Snapshot;
  readonly display: Display;
  readonly risk: RiskAssessment;
  readonly hidesZeroAssets: boolean;
};

/** What one view shows of an account. */
export type AccountViewDefinition = {
  readonly id: string;
  readonly list: AccountList;
  rows(context: RenderContext): readonly Row[];
  readonly emptyMessage: string;
  /** A sentence above the rows. */
  note?(context: RenderContext): string | undefined;
  badge?(context: RenderContext): vscode.ViewBadge | undefined;
  /** Reference data that rows or hovers also show. */
  referenceData?(session: AccountSession): CachedRead<unknown>;
  extraHoverRows?(row: Row, session: AccountSession, display: Display): readonly HoverRow[];
  /** Below a hover. They run with the row. */
  readonly links: readonly (readonly [title: string, command: CommandId])[];
};

export function positionsView(): AccountViewDefinition {
  return {
    id: views.positions,
    list: 'positions',
    rows: ({ snapshot, display, risk }) =>
      risk.rankPositions(snapshot).map((one) => positionRow(one, display)),
    emptyMessage: t('No open positions.'),
    badge: criticalBadge,
    referenceData: ({ leverageRules }) => leverageRules,
    extraHoverRows: ({ record }, { leverageRules }, display) =>
      'leverage' in record ? [leverageRuleRow(record, leverageRules, display)] : [],
    links: [...symbolLinks(), [t('Leverage Rules'), commands.openPositionLeverageRule]],
  };
}

export function assetsView(): AccountViewDefinition {
  return {
    id: views.assets,
    list: 'assets',
    rows: ({ session, snapshot: { account }, display, hidesZeroAssets }) =>
      (account.assets ?? [])
        .filter((asset) => !hidesZeroAssets || !isEmptyAsset(asset))
        .map((asset) =>
          assetRow(
            asset,
            account.orders,
            session.exchangeInformation.cached?.value.symbols,
            display,
          ),
        ),
    emptyMessage: t('No assets.'),
    note: hiddenAssetsNote,
    referenceData: ({ exchangeInformation }) => exchangeInformation,
    links: [
      [historyLabel('transactions'), commands.openTransactionHistory],
      [t('Exchange Information'), commands.openExchangeInformation],
    ],
  };
}

export function lockedOrdersView(): AccountViewDefinition {
  return {
    id: views.lockedOrders,
    list: 'orders',
    rows: ({ snapshot, display }) =>
      (snapshot.account.orders ?? []).map((item) => lockedOrdersRow(item, display)),
    emptyMessage: t('No open orders.'),
    note: practiceNote,
    links: symbolLinks(),
  };
}

function symbolLinks(): AccountViewDefinition['links'] {
  return [
    [historyLabel('orders'), commands.openSymbolOrders],
    [historyLabel('trades'), commands.openSymbolTrades],
  ];
}

/** Not for practice: its danger shows inside the view only. */
function criticalBadge({
  session,
  snapshot,
  risk,
  display,
}: RenderContext): vscode.ViewBadge | undefined {
  const percent = display.full('criticalPercent', String(risk.limits.criticalPercent));
  const risks = risk.rankPositions(snapshot);
  const value = risks.filter(({ band }) => band === 'critical').length;
  if (value === 0 || session.profile.environment === 'practice') return undefined;
  const tooltip =
    value === 1
      ? t('1 critical position: within {0} % of liquidation, or past it', percent)
      : t(
          '{0} critical positions: within {1} % of liquidation, or past it',
          display.count(value),
          percent,
        );
  const { staleAgeMs } = session.staleness;
  if (staleAgeMs === undefined) return { value, tooltip };
  return { value, tooltip: t('{0} · stale, {1}', tooltip, ageText(staleAgeMs, display)) };
}

function hiddenAssetsNote({
  snapshot,
  display,
  hidesZeroAssets,
}: RenderContext): string | undefined {
  const assets = snapshot.account.assets ?? [];
  const count = hidesZeroAssets ? assets.filter(isEmptyAsset).length : 0;
  if (count === 0) return undefined;
  return count === 1
    ? t('1 asset at zero is hidden.')
    : t('{0} assets at zero are hidden.', display.count(count));
}

function practiceNote({ session }: RenderContext): string | undefined {
  return session.profile.environment === 'practice'
    ? t('Practice account. Cancelled orders come back on restart.')
    : undefined;
}

/** Names a row in the link of a hover, which carries no object. */
export type RowReference = { readonly view: string; readonly row: string };

export function isRowReference(argument: object): argument is RowReference {
  return 'view' in argument && 'row' in argument;
}

/** The hover of a row: its figures with every digit, when they were read, and links about it. */
export function rowHover(
  { row, id }: RowNode,
  view: AccountViewDefinition,
  { session, snapshot, display }: RenderContext,
): vscode.MarkdownString {
  const { staleAgeMs } = session.staleness;
  const argument: RowReference = { view: view.id, row: id };
  return hoverTable({
    heading: [cleanText(row.label, maxLabelLength), row.hoverHeading],
    rows: [...row.hoverRows, ...(view.extraHoverRows?.(row, session, display) ?? [])],
    time: readText(snapshot.readAt, staleAgeMs, display),
    isStale: staleAgeMs !== undefined,
    links: view.links.map(([title, command]) => ({ title, command, argument })),
  });
}
