import { l10n } from 'vscode';
import type { Trade } from '../../../exchange/records.ts';
import type { HistoryTableOf, RecordColumn } from '../tableDefinition.ts';
import { periodFilters, sideFilter, symbolFilter } from '../tableFilters.ts';

/** The trade history (sections 2.3 and 4.2). */
export function tradesTable(): HistoryTableOf<'trades'> {
  return {
    kind: 'history',
    operation: 'trades',
    title: l10n.t('Trade History'),
    columns: tradeColumns(),
    filters: (suggestions) => [symbolFilter(suggestions), sideFilter(), ...periodFilters()],
  };
}

function tradeColumns(): readonly RecordColumn<Trade>[] {
  const { t } = l10n;
  return [
    { field: 'time', label: t('Time'), kind: 'time' },
    { field: 'symbol', label: t('Symbol'), kind: 'text' },
    { field: 'side', label: t('Side'), kind: 'enum' },
    { field: 'amount', label: t('Amount'), kind: 'decimal' },
    { field: 'price', label: t('Price'), kind: 'decimal' },
    { field: 'rpnl', label: t('Realized P/L'), kind: 'decimal' },
    { field: 'fee', label: t('Fee'), kind: 'decimal' },
    { field: 'feeAsset', label: t('Fee asset'), kind: 'text' },
    { field: 'maker', label: t('Maker'), kind: 'flag' },
    { field: 'type', label: t('Type'), kind: 'enum' },
    { field: 'tradeId', label: t('Trade id'), kind: 'id' },
    { field: 'orderId', label: t('Order id'), kind: 'id' },
  ];
}
