import { l10n } from 'vscode';
import { unreadableRecords, type AccountList } from '../../account/session/accountStore.ts';
import { cleanText } from '../../base/cleanText.ts';
import type { Display } from '../../base/display.ts';
import type { AssetBalance, LockedOrders } from '../../exchange/records.ts';
import type { DocumentTable, Label } from '../../protocol/documentTable.ts';
import type { GridRows } from '../../protocol/documentRows.ts';
import type { OverviewButton, OverviewSection } from '../../protocol/overview.ts';
import { lockedSides } from '../text/lockedOrdersText.ts';
import { unreadablePartText, yesOrNo } from '../text/messageText.ts';
import type { AccountContext } from './overviewContext.ts';
import { positionsGrid } from './positionsTable.ts';

/** The lists of the account, each with what could not be read of it. */
export function accountSections(context: AccountContext): OverviewSection[] {
  const { snapshot, risk, display, session } = context;
  const { assets, orders } = snapshot.account;
  const { t } = l10n;
  const ranked = risk.rankPositions(snapshot);
  const { readOnly } = session.profile;
  return [
    section(context, 'positions', {
      title: t('Positions'),
      columns: [],
      rows: [],
      ...(ranked.length > 0 && {
        grid: positionsGrid(ranked, context),
      }),
      emptyText: t('No open positions.'),
    }),
    section(context, 'assets', {
      title: t('Assets'),
      ...assetsTable(assets ?? [], display),
      emptyText: t('No assets.'),
    }),
    section(context, 'orders', {
      title: t('Open orders by symbol'),
      ...openOrdersTable(orders ?? [], display),
      emptyText: t('No open orders.'),
      notes: readOnly ? [t('This profile is read-only: it cannot cancel orders.')] : [],
      buttons: [
        readOnly
          ? { action: 'editProfile', label: t('Edit Profile') }
          : { action: 'cancelAllOrders', label: t('Cancel All Orders (all symbols)…') },
      ],
    }),
  ];
}

type SectionContent = Omit<DocumentTable, 'notes'> & {
  readonly grid?: GridRows;
  readonly emptyText: string;
  readonly notes?: string[];
  readonly buttons?: OverviewButton[];
};

/** A list of which something could not be read is never called empty. */
function section(
  { snapshot, display }: AccountContext,
  list: AccountList,
  { emptyText, notes = [], buttons = [], ...table }: SectionContent,
): OverviewSection {
  const unreadable = unreadableRecords(snapshot, list);
  const isEmpty = table.rows.length === 0 && !table.grid && unreadable.length === 0;
  return {
    ...table,
    isOfAccount: true,
    notes: [
      ...unreadable.map((record) => unreadablePartText(record, display)),
      ...(isEmpty ? [emptyText] : []),
      ...notes,
    ],
    buttons,
  };
}

type Rows = Pick<DocumentTable, 'columns' | 'rows'>;

/** Every asset as the exchange lists it. */
function assetsTable(assets: readonly AssetBalance[], display: Display): Rows {
  const { t } = l10n;
  return {
    columns: [
      { label: t('Asset'), isNumeric: false },
      { label: t('Deposited'), isNumeric: true },
      { label: t('Margin'), isNumeric: true },
      { label: t('Locked'), isNumeric: true },
      { label: t('Margin asset'), isNumeric: false },
    ],
    rows: assets.map((asset) => [
      { text: cleanText(asset.name, 60) },
      ...(['deposited', 'margin', 'locked'] as const).map((field): Label => ({
        text: display.full(field, asset[field]),
      })),
      { text: yesOrNo(asset.isMargin) },
    ]),
  };
}

/** What open orders lock per symbol; one row for each side, which are never added. */
function openOrdersTable(orders: readonly LockedOrders[], display: Display): Rows {
  const { t } = l10n;
  return {
    columns: [
      { label: t('Symbol'), isNumeric: false },
      { label: t('Side'), isNumeric: false },
      { label: t('Size'), isNumeric: true },
      { label: t('Locked'), isNumeric: true },
    ],
    rows: orders.flatMap((locked) =>
      lockedSides(locked).map(({ label, size, locked: field }): Label[] => [
        { text: cleanText(locked.symbol, 60) },
        { text: label },
        { text: display.full(size, locked[size]) },
        { text: display.full(field, locked[field]) },
      ]),
    ),
  };
}
