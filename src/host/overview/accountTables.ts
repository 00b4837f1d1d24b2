import { l10n } from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import type { Display } from '../../base/display.ts';
import type { AssetBalance, LockedOrders } from '../../exchange/records.ts';
import type { DocumentTable, Label } from '../../protocol/documentTable.ts';
import { lockedSides } from '../text/lockedOrdersText.ts';

type Rows = Pick<DocumentTable, 'columns' | 'rows'>;

/** Every asset as the exchange lists it. */
export function assetsTable(assets: readonly AssetBalance[], display: Display): Rows {
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
      { text: asset.isMargin ? t('yes') : t('no') },
    ]),
  };
}

/** What open orders lock per symbol; one row for each side, which are never added. */
export function openOrdersTable(orders: readonly LockedOrders[], display: Display): Rows {
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
