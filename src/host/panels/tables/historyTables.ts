import { l10n } from 'vscode';
import type { Lot, Order, Trade, Transaction } from '../../../exchange/records.ts';
import type { HistoryTableOf, RecordColumn } from '../tableDefinition.ts';
import {
  periodFilters,
  sideFilter,
  symbolFilter,
  type FilterSuggestions,
} from '../tableFilters.ts';

/** The order history (sections 2.2 and 4.1). */
export function ordersTable(): HistoryTableOf<'orders'> {
  const { t } = l10n;
  return {
    kind: 'history',
    operation: 'orders',
    title: t('Order History'),
    tabTitle: t('Orders'),
    columns: orderColumns(),
    filters: (suggestions) => [
      symbolFilter(suggestions),
      sideFilter(),
      { parameter: 'type', label: t('Type'), kind: 'choice', options: ['LIMIT', 'MARKET'] },
      {
        parameter: 'statuses',
        label: t('Status'),
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
    { field: 'amount', label: t('Amount'), kind: 'decimal', unitField: 'symbol' },
    { field: 'filled', label: t('Filled'), kind: 'decimal', unitField: 'symbol' },
    { field: 'price', label: t('Price'), kind: 'decimal' },
    { field: 'averageExecutionPrice', label: t('Average execution price'), kind: 'decimal' },
    { field: 'orderId', label: t('Order id'), kind: 'id' },
    { field: 'clientOrderId', label: t('Client order id'), kind: 'text' },
  ];
}

/** The trade history (sections 2.3 and 4.2). */
export function tradesTable(): HistoryTableOf<'trades'> {
  return {
    kind: 'history',
    operation: 'trades',
    title: l10n.t('Trade History'),
    tabTitle: l10n.t('Trades'),
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
    { field: 'amount', label: t('Amount'), kind: 'decimal', unitField: 'symbol' },
    { field: 'price', label: t('Price'), kind: 'decimal' },
    { field: 'rpnl', label: t('Realised P&L'), kind: 'decimal', unitField: 'symbol' },
    { field: 'fee', label: t('Fee'), kind: 'decimal', unitField: 'feeAsset' },
    { field: 'feeAsset', label: t('Fee asset'), kind: 'text' },
    {
      field: 'maker',
      label: t('Maker'),
      kind: 'flag',
      words: { yes: t('yes'), no: t('no') },
    },
    { field: 'type', label: t('Type'), kind: 'enum' },
    { field: 'tradeId', label: t('Trade id'), kind: 'id' },
    { field: 'orderId', label: t('Order id'), kind: 'id' },
  ];
}

/** The lots of the exchange's liquidation auction (sections 2.4 and 4.3), not only the account's. */
export function lotsTable(): HistoryTableOf<'lots'> {
  return {
    kind: 'history',
    operation: 'lots',
    title: l10n.t('Liquidation Lot History'),
    tabTitle: l10n.t('Lots'),
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
    { field: 'amount', label: t('Amount'), kind: 'decimal', unitField: 'symbol' },
    { field: 'averageLiquidationPrice', label: t('Average liquidation price'), kind: 'decimal' },
    { field: 'marginCallPrice', label: t('Margin call price'), kind: 'decimal' },
    { field: 'discount', label: t('Discount'), kind: 'decimal' },
    { field: 'totalBids', label: t('Total bids'), kind: 'decimal' },
    { field: 'lotId', label: t('Lot id'), kind: 'id' },
  ];
}

const transactionTypes = [
  'DEPOSIT',
  'WITHDRAW',
  'FEE',
  'FUNDING_FEE',
  'REALIZED_PL',
  'LIQUIDATION_FEE',
  'TRANSFER_TO_SPOT',
  'TRANSFER_TO_FUTURE',
  'REWARD',
];

/** The transaction history (sections 2.5 and 4.4). */
export function transactionsTable(): HistoryTableOf<'transactions'> {
  return {
    kind: 'history',
    operation: 'transactions',
    title: l10n.t('Transaction History'),
    tabTitle: l10n.t('Transactions'),
    columns: transactionColumns(),
    filters: transactionFilters,
    // The API requires an account type in every request.
    defaults: { accountType: 'FUTURE' },
  };
}

function transactionColumns(): readonly RecordColumn<Transaction>[] {
  const { t } = l10n;
  return [
    { field: 'time', label: t('Time'), kind: 'time' },
    { field: 'type', label: t('Type'), kind: 'enum' },
    { field: 'asset', label: t('Asset'), kind: 'text' },
    { field: 'amount', label: t('Amount'), kind: 'decimal', unitField: 'asset' },
    { field: 'link', label: t('Link'), kind: 'link' },
    { field: 'transactionId', label: t('Transaction id'), kind: 'id' },
    { field: 'transactionUuid', label: t('Transaction UUID'), kind: 'text' },
  ];
}

function transactionFilters({
  assets,
}: FilterSuggestions): ReturnType<HistoryTableOf<'transactions'>['filters']> {
  const { t } = l10n;
  return [
    {
      parameter: 'accountType',
      label: t('Account type'),
      kind: 'switch',
      options: ['FUTURE', 'SPOT'],
    },
    { parameter: 'type', label: t('Type'), kind: 'choice', options: transactionTypes },
    { parameter: 'asset', label: t('Asset'), kind: 'text', options: assets },
    ...periodFilters(),
  ];
}
