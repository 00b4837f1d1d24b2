import { l10n } from 'vscode';
import type { HistoryKinds } from '../../exchange/records.ts';
import type { Column } from '../../protocol/table.ts';
import { recordColumns } from './recordColumns.ts';
import type { HistoryTableOf } from './tableDefinition.ts';
import { periodFilters, sideFilter, symbolFilter, type FilterSuggestions } from './tableFilters.ts';

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
        field: 'status',
        label: t('Status'),
        kind: 'choices',
        options: ['PARTIALLY_EXECUTED', 'EXECUTED', 'CANCELED', 'LIQUIDATED'],
      },
      ...periodFilters(),
    ],
  };
}

function orderColumns(): readonly Column[] {
  return recordColumns<HistoryKinds['orders']>({
    time: { label: l10n.t('Time'), kind: 'time' },
    ...orderFieldColumns(),
  });
}

/** Of each field of an order but its time, whose name depends on the operation (section 2.2). */
export function orderFieldColumns() {
  const { t } = l10n;
  return {
    symbol: { label: t('Symbol'), kind: 'text' },
    side: { label: t('Side'), kind: 'enum' },
    type: { label: t('Type'), kind: 'enum' },
    status: { label: t('Status'), kind: 'enum' },
    amount: { label: t('Amount'), kind: 'decimal', unitField: 'symbol' },
    filled: { label: t('Filled'), kind: 'decimal', unitField: 'symbol' },
    price: { label: t('Price'), kind: 'decimal' },
    averageExecutionPrice: { label: t('Average execution price'), kind: 'decimal' },
    orderId: { label: t('Order id'), kind: 'id' },
    clientOrderId: { label: t('Client order id'), kind: 'text' },
  } as const;
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

function tradeColumns(): readonly Column[] {
  const { t } = l10n;
  return recordColumns<HistoryKinds['trades']>({
    time: { label: t('Time'), kind: 'time' },
    symbol: { label: t('Symbol'), kind: 'text' },
    side: { label: t('Side'), kind: 'enum' },
    amount: { label: t('Amount'), kind: 'decimal', unitField: 'symbol' },
    price: { label: t('Price'), kind: 'decimal' },
    rpnl: { label: t('Realised P&L'), kind: 'decimal', unitField: 'marginAsset' },
    fee: { label: t('Fee'), kind: 'decimal', unitField: 'feeAsset' },
    feeAsset: { label: t('Fee asset'), kind: 'text' },
    maker: { label: t('Maker'), kind: 'flag', words: { yes: t('yes'), no: t('no') } },
    type: { label: t('Type'), kind: 'enum' },
    tradeId: { label: t('Trade id'), kind: 'id' },
    orderId: { label: t('Order id'), kind: 'id' },
  });
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

function lotColumns(): readonly Column[] {
  const { t } = l10n;
  return recordColumns<HistoryKinds['lots']>({
    updatedAt: { label: t('Updated at'), kind: 'time' },
    symbol: { label: t('Symbol'), kind: 'text' },
    side: { label: t('Side'), kind: 'enum' },
    amount: { label: t('Amount'), kind: 'decimal', unitField: 'symbol' },
    averageLiquidationPrice: { label: t('Average liquidation price'), kind: 'decimal' },
    marginCallPrice: { label: t('Margin call price'), kind: 'decimal' },
    discount: { label: t('Discount'), kind: 'decimal' },
    totalBids: { label: t('Total bids'), kind: 'decimal' },
    lotId: { label: t('Lot id'), kind: 'id' },
  });
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

function transactionColumns(): readonly Column[] {
  const { t } = l10n;
  return recordColumns<HistoryKinds['transactions']>({
    time: { label: t('Time'), kind: 'time' },
    type: { label: t('Type'), kind: 'enum' },
    asset: { label: t('Asset'), kind: 'text' },
    amount: { label: t('Amount'), kind: 'decimal', unitField: 'asset' },
    link: { label: t('Link'), kind: 'link' },
    transactionId: { label: t('Transaction id'), kind: 'id' },
    transactionUuid: { label: t('Transaction UUID'), kind: 'text' },
  });
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
