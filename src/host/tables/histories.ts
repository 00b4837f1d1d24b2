import { l10n } from 'vscode';
import type { HistoryKinds } from '../../exchange/records.ts';
import type { Word } from '../../protocol/table.ts';
import { historyLabel } from '../text/historyLabel.ts';
import {
  recordColumns,
  type FilterOf,
  type FilterSuggestions,
  type HistoryTables,
} from './definition.ts';

/** The tables of the histories. */
export function historyTables(): HistoryTables {
  const { t } = l10n;
  const accountType = { parameter: 'accountType', label: t('Account type') } as const;
  return {
    /** Sections 2.2 and 4.1. */
    orders: {
      kind: 'history',
      operation: 'orders',
      title: historyLabel('orders'),
      columns: recordColumns<HistoryKinds['orders']>({
        time: { label: t('Time'), kind: 'time' },
        ...orderFieldColumns(),
      }),
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
      texts: {
        loading: t('Loading orders…'),
        nothingYet: t('No orders yet in this account'),
        nothingYetHint: t('Place an order at the exchange, then refresh.'),
        noMatch: t('No orders match these filters'),
      },
    },
    /** Sections 2.3 and 4.2. */
    trades: {
      kind: 'history',
      operation: 'trades',
      title: historyLabel('trades'),
      columns: recordColumns<HistoryKinds['trades']>({
        time: { label: t('Time'), kind: 'time' },
        symbol: { label: t('Symbol'), kind: 'text' },
        side: { label: t('Side'), kind: 'enum', words: sideWords() },
        price: { label: t('Price'), kind: 'decimal' },
        amount: { label: t('Amount'), kind: 'decimal', unitField: 'symbol' },
        rpnl: { label: t('Realised P&L'), kind: 'decimal', unitField: 'marginAsset' },
        fee: { label: t('Fee'), kind: 'decimal', unitField: 'feeAsset' },
        feeAsset: { label: t('Fee asset'), kind: 'text' },
        maker: {
          label: t('Maker'),
          kind: 'flag',
          words: { true: { text: t('yes') }, false: { text: t('no') } },
        },
        type: { label: t('Type'), kind: 'enum', words: { ORDER_BOOK: { text: t('Order book') } } },
        tradeId: { label: t('Trade id'), kind: 'id' },
        orderId: { label: t('Order id'), kind: 'id' },
      }),
      filters: (suggestions) => [symbolFilter(suggestions), sideFilter(), ...periodFilters()],
      texts: {
        loading: t('Loading trades…'),
        nothingYet: t('No trades yet in this account'),
        nothingYetHint: t('Refresh after an order was filled, completely or partially.'),
        noMatch: t('No trades match these filters'),
      },
    },
    /** The lots of the exchange's liquidation auction (sections 2.4 and 4.3), not only the account's. */
    lots: {
      kind: 'history',
      operation: 'lots',
      title: historyLabel('lots'),
      note: t(
        'All lots of the exchange’s liquidation auctions. The API does not say whose position they came from.',
      ),
      columns: recordColumns<HistoryKinds['lots']>({
        updatedAt: { label: t('Updated at'), kind: 'time' },
        symbol: { label: t('Symbol'), kind: 'text' },
        side: { label: t('Side'), kind: 'enum', words: sideWords() },
        amount: { label: t('Amount'), kind: 'decimal', unitField: 'symbol' },
        averageLiquidationPrice: { label: t('Average liquidation price'), kind: 'decimal' },
        marginCallPrice: { label: t('Margin call price'), kind: 'decimal' },
        discount: { label: t('Discount'), kind: 'decimal' },
        totalBids: { label: t('Total bids'), kind: 'decimal' },
        lotId: { label: t('Lot id'), kind: 'id' },
      }),
      filters: (suggestions) => [symbolFilter(suggestions), sideFilter(), ...periodFilters()],
      texts: {
        loading: t('Loading lots…'),
        nothingYet: t('No liquidation auctions yet on this exchange'),
        nothingYetHint: t('Refresh after a position was liquidated.'),
        noMatch: t('No lots match these filters'),
      },
    },
    /** Sections 2.5 and 4.4. */
    transactions: {
      kind: 'history',
      operation: 'transactions',
      title: historyLabel('transactions'),
      columns: recordColumns<HistoryKinds['transactions']>({
        time: { label: t('Time'), kind: 'time' },
        asset: { label: t('Asset'), kind: 'text' },
        type: { label: t('Type'), kind: 'enum', words: transactionWords() },
        amount: { label: t('Amount'), kind: 'decimal', unitField: 'asset', isSigned: true },
        link: { label: t('Link'), kind: 'link' },
        transactionId: { label: t('Transaction id'), kind: 'id' },
        transactionUuid: { label: t('Transaction UUID'), kind: 'text' },
      }),
      filters: ({ assets }) => [
        { ...accountType, kind: 'switch', options: ['FUTURE', 'SPOT'] },
        {
          parameter: 'type',
          label: t('Type'),
          kind: 'choice',
          options: Object.keys(transactionWords()),
        },
        { parameter: 'asset', label: t('Asset'), kind: 'text', options: assets },
        ...periodFilters(),
      ],
      // The API requires an account type in every request.
      defaults: { accountType: 'FUTURE' },
      texts: {
        loading: t('Loading transactions…'),
        nothingYet: t('No transactions yet in this account'),
        nothingYetHint: t(
          'Select the other account type, or refresh after a deposit, withdrawal, payment or transfer.',
        ),
        noMatch: t('No transactions match these filters'),
      },
    },
  };
}

/** Of each field of an order but its time, whose name depends on the operation (section 2.2). */
export function orderFieldColumns() {
  const { t } = l10n;
  return {
    symbol: { label: t('Symbol'), kind: 'text' },
    side: { label: t('Side'), kind: 'enum', words: sideWords() },
    price: { label: t('Price'), kind: 'decimal' },
    amount: { label: t('Amount'), kind: 'decimal', unitField: 'symbol' },
    filled: { label: t('Filled'), kind: 'decimal', unitField: 'symbol' },
    status: { label: t('Status'), kind: 'enum', words: statusWords() },
    type: { label: t('Type'), kind: 'enum', words: orderTypeWords() },
    averageExecutionPrice: { label: t('Average execution price'), kind: 'decimal' },
    orderId: { label: t('Order id'), kind: 'id' },
    clientOrderId: { label: t('Client order id'), kind: 'text' },
  } as const;
}

type Words = Readonly<Record<string, Word>>;

function sideWords(): Words {
  const { t } = l10n;
  return { BUY: { text: t('Buy'), tone: 'gain' }, SELL: { text: t('Sell'), tone: 'loss' } };
}

function orderTypeWords(): Words {
  return { LIMIT: { text: l10n.t('Limit') }, MARKET: { text: l10n.t('Market') } };
}

/** Section 2.2. */
function statusWords(): Words {
  const { t } = l10n;
  return {
    PARTIALLY_EXECUTED: { text: t('Partially filled'), share: { part: 'filled', whole: 'amount' } },
    EXECUTED: { text: t('Filled') },
    CANCELED: { text: t('Cancelled') },
    LIQUIDATED: { text: t('⚠ Liquidated'), tone: 'critical' },
  };
}

/** Section 2.5. */
function transactionWords(): Words {
  const { t } = l10n;
  return {
    DEPOSIT: { text: t('Deposit') },
    WITHDRAW: { text: t('Withdrawal') },
    FEE: { text: t('Fee') },
    FUNDING_FEE: { text: t('Funding fee') },
    REALIZED_PL: { text: t('Realised P&L') },
    LIQUIDATION_FEE: { text: t('Liquidation fee'), tone: 'critical' },
    TRANSFER_TO_SPOT: { text: t('Transfer to spot') },
    TRANSFER_TO_FUTURE: { text: t('Transfer to futures') },
    REWARD: { text: t('Reward') },
  };
}

// The filters of more than one history (sections 4.1 to 4.4).

function symbolFilter({ symbols }: FilterSuggestions): FilterOf<'symbol'> {
  return { parameter: 'symbol', label: l10n.t('Symbol'), kind: 'text', options: symbols };
}

function sideFilter(): FilterOf<'side'> {
  return { parameter: 'side', label: l10n.t('Side'), kind: 'choice', options: ['BUY', 'SELL'] };
}

function periodFilters(): readonly FilterOf<'dateFrom' | 'dateTo'>[] {
  return [
    { parameter: 'dateFrom', label: l10n.t('From'), kind: 'instant', options: [] },
    { parameter: 'dateTo', label: l10n.t('To'), kind: 'instant', options: [] },
  ];
}
