import { l10n } from 'vscode';
import type { Order } from '../../../exchange/records.ts';
import type { HistoryTableOf, RecordColumn } from '../tableDefinition.ts';
import { periodFilters, sideFilter, symbolFilter } from '../tableFilters.ts';

/** The order history (sections 2.2 and 4.1). */
export function ordersTable(): HistoryTableOf<'orders'> {
  const { t } = l10n;
  return {
    kind: 'history',
    operation: 'orders',
    title: t('Order History'),
    columns: orderColumns(),
    filters: (suggestions) => [
      symbolFilter(suggestions),
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
  };
}

function orderColumns(): readonly RecordColumn<Order>[] {
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
