import * as vscode from 'vscode';
import { SentenceError } from '../../base/sentenceError.ts';
import type { OrderQuery } from '../../exchange/client.ts';
import type { Order } from '../../exchange/records.ts';
import type { Cell, Column, Filter, TableQuery } from '../../protocol/table.ts';

type OrderColumn = Column & { readonly field: Exclude<keyof Order, 'extra'> };

/** Every field of an order record (section 2.2); time first, as the rows are read in time. */
export function orderColumns(): readonly OrderColumn[] {
  const { t } = vscode.l10n;
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

/** Every filter of the order history (section 4.1); `page` and `size` belong to the pager. */
export function orderFilters(symbols: readonly string[]): readonly Filter[] {
  const { t } = vscode.l10n;
  return [
    { parameter: 'symbol', label: t('Symbol'), kind: 'text', options: symbols },
    { parameter: 'type', label: t('Type'), kind: 'choice', options: ['LIMIT', 'MARKET'] },
    { parameter: 'side', label: t('Side'), kind: 'choice', options: ['BUY', 'SELL'] },
    {
      parameter: 'statuses',
      label: t('Statuses'),
      kind: 'choices',
      options: ['PARTIALLY_EXECUTED', 'EXECUTED', 'CANCELED', 'LIQUIDATED'],
    },
    { parameter: 'dateFrom', label: t('From (UTC)'), kind: 'instant', options: [] },
    { parameter: 'dateTo', label: t('To (UTC)'), kind: 'instant', options: [] },
  ];
}

/** A record as the cells of `columns`. */
export function orderCells(order: Order, columns: readonly OrderColumn[]): readonly Cell[] {
  return columns.map(({ field }) => order[field]);
}

/** What the page asked for, as the client asks the exchange. */
export function orderQuery({ filters, page, size }: TableQuery): OrderQuery {
  return {
    symbol: textFilter(filters.symbol),
    type: textFilter(filters.type),
    side: textFilter(filters.side),
    statuses: listFilter(filters.statuses),
    dateFrom: instantFilter(filters.dateFrom),
    dateTo: instantFilter(filters.dateTo),
    page,
    size,
  };
}

type FilterValue = TableQuery['filters'][string] | undefined;

function textFilter(value: FilterValue): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function listFilter(value: FilterValue): readonly string[] | undefined {
  return typeof value === 'string' ? [value] : value;
}

/** The page sends ISO instants; one that is none fails the query rather than widen it. */
function instantFilter(value: FilterValue): number | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const epochMs = Date.parse(value);
  if (Number.isNaN(epochMs))
    throw new SentenceError(vscode.l10n.t('A date filter is no date: set it again.'));
  return epochMs;
}
