import { l10n } from 'vscode';
import type { TradeQuery } from '../../../exchange/queries.ts';
import type { Trade } from '../../../exchange/records.ts';
import type { TableFilters, TableQuery } from '../../../protocol/table.ts';
import { periodOf, textOf } from '../filterValues.ts';
import { periodFilters, sideFilter, symbolFilter } from '../filters.ts';
import { historyTable } from '../historyTable.ts';
import type { ColumnOf, Table } from '../table.ts';

/** The trade history (sections 2.3 and 4.2). */
export function tradesTable(): Table {
  return historyTable<Trade>({
    title: l10n.t('Trade History'),
    columns: tradeColumns(),
    filters: (names) => [symbolFilter(names), sideFilter(), ...periodFilters()],
    request: (filters) => ({ operation: 'trades', filters: tradeParameters(filters) }),
    read: (histories, query, signal) => histories.trades(tradeQuery(query), signal),
  });
}

function tradeColumns(): readonly ColumnOf<Trade>[] {
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

function tradeQuery({ filters, page, size }: TableQuery): TradeQuery {
  return { ...tradeParameters(filters), ...periodOf(filters), page, size };
}

function tradeParameters(filters: TableFilters) {
  return {
    symbol: textOf(filters.symbol),
    side: textOf(filters.side),
  };
}
