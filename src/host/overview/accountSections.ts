import { l10n } from 'vscode';
import { unreadableRecords, type AccountList } from '../../account/session/accountStore.ts';
import type { DocumentTable } from '../../protocol/documentTable.ts';
import type { OverviewButton, OverviewSection } from '../../protocol/overview.ts';
import { unreadablePartText } from '../text/messageText.ts';
import { assetsTable, openOrdersTable } from './accountTables.ts';
import type { AccountContext } from './overviewContext.ts';
import { positionsTable } from './positionsTable.ts';

/** The lists of the account, each with what could not be read of it. */
export function accountSections(context: AccountContext): OverviewSection[] {
  const { snapshot, risk, display, session } = context;
  const { positions, assets, orders } = snapshot.account;
  const { t } = l10n;
  const ranked = risk.rankPositions(positions ?? []);
  const { readOnly } = session.profile;
  return [
    section(context, 'positions', {
      title: t('Positions'),
      ...positionsTable(ranked, risk.limits, display),
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
  const isEmpty = table.rows.length === 0 && unreadable.length === 0;
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
