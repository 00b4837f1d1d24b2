import { l10n } from 'vscode';
import type { OrderQuery } from '../../../exchange/queries.ts';
import type { Order } from '../../../exchange/records.ts';
import type { TableFilters, TableQuery } from '../../../protocol/table.ts';
import { listOf, periodOf, textOf } from '../filterValues.ts';
import { periodFilters, sideFilter, symbolFilter } from '../filters.ts';
import { historyTable } from '../historyTable.ts';
import type { ColumnOf, Table } from '../table.ts';

/** The order history (sections 2.2 and 4.1). */
export function ordersTable(): Table {
  const { t } = l10n;
  return historyTable<Order>({
    title: t('Order History'),
    columns: orderColumns(),
    filters: (names) => [
      symbolFilter(names),
      { parameter: 'type', label: t('Type'), kind: 'choice', options: ['LIMIT', 'MARKET'] },
      sideFilter(),
      {
        parameter: 'statuses',
        label: t('Statuses'),
        kind: 'choices',
        options: ['PARTIALLY_EXECUTED', 'EXECUTED', 'CANCELED', 'LIQUIDATED'],
      },
      ...periodFilters(),
    ],
    request: (filters) => ({ operation: 'orders', filters: orderParameters(filters) }),
    read: (histories, query, signal) => histories.orders(orderQuery(query), signal),
  });
}

/** Time first, as the rows are read in time. */
function orderColumns(): readonly ColumnOf<Order>[] {
  const { t } = l10n;
  return [
    { field: 'time', label: t('Time'), kind: 'time' },
    { field: 'symbol', label: t('Symbol'), kind: 'text' },
    { field: 'side', label: t('Side'), kind: 'enum' },
    { field: 'type', label: t('Type'), kind: 'enum' },
    { field: 'status', label: t('Status'), kind: 'enum' },
    { field: 'amount', label: t('Amount'), kind: 'decimal' },
    { field: 'filled', label: t('Filled'), kind: 'decimal' },
    { field: 'price', label: t('Price'), kind: 'decimal' },
    { field: 'averageExecutionPrice', label: t('Average execution price'), kind: 'decimal' },
    { field: 'orderId', label: t('Order id'), kind: 'id' },
    { field: 'clientOrderId', label: t('Client order id'), kind: 'text' },
  ];
}

function orderQuery({ filters, page, size }: TableQuery): OrderQuery {
  return { ...orderParameters(filters), ...periodOf(filters), page, size };
}

function orderParameters(filters: TableFilters) {
  return {
    symbol: textOf(filters.symbol),
    type: textOf(filters.type),
    side: textOf(filters.side),
    statuses: listOf(filters.statuses),
  };
}
