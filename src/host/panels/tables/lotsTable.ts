import { l10n } from 'vscode';
import type { Lot } from '../../../exchange/records.ts';
import type { HistoryTableOf, RecordColumn } from '../tableDefinition.ts';
import { periodFilters, sideFilter, symbolFilter } from '../tableFilters.ts';

/** The lots of the exchange's liquidation auction (sections 2.4 and 4.3), not only the account's. */
export function lotsTable(): HistoryTableOf<'lots'> {
  return {
    kind: 'history',
    operation: 'lots',
    title: l10n.t('Liquidation Lot History'),
    note: l10n.t(
      'All lots of the exchange’s liquidation auction. The API does not say whose position they came from.',
    ),
    columns: lotColumns(),
    filters: (suggestions) => [symbolFilter(suggestions), sideFilter(), ...periodFilters()],
  };
}

function lotColumns(): readonly RecordColumn<Lot>[] {
  const { t } = l10n;
  return [
    { field: 'updatedAt', label: t('Updated at'), kind: 'time' },
    { field: 'symbol', label: t('Symbol'), kind: 'text' },
    { field: 'side', label: t('Side'), kind: 'enum' },
    { field: 'amount', label: t('Amount'), kind: 'decimal' },
    { field: 'averageLiquidationPrice', label: t('Average liquidation price'), kind: 'decimal' },
    { field: 'marginCallPrice', label: t('Margin call price'), kind: 'decimal' },
    { field: 'discount', label: t('Discount'), kind: 'decimal' },
    { field: 'totalBids', label: t('Total bids'), kind: 'decimal' },
    { field: 'lotId', label: t('Lot id'), kind: 'id' },
  ];
}
