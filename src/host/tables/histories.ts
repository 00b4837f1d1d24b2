import {
  fieldsOf,
  parametersOf,
  type DateParameter,
  type FilterParameter,
  type HistoryName,
  type ParameterName,
} from '../../api/operations.ts';
import type { Filter } from '../../protocol/table.ts';
import { t } from '../shared/translate.ts';
import { historyLabel } from '../text/historyLabel.ts';
import {
  recordColumns,
  type FilterSuggestions,
  type HistoryTable,
  type HistoryTables,
} from './definition.ts';

/** The tables of the histories. */
export function historyTables(): HistoryTables {
  return {
    /** Sections 2.2 and 4.1. */
    orders: {
      kind: 'history',
      operation: 'orders',
      title: historyLabel('orders'),
      columns: recordColumns('order', {
        time: { label: t('Time') },
        ...orderFieldColumns(),
      }),
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
      columns: recordColumns('trade', {
        time: { label: t('Time') },
        symbol: { label: t('Symbol') },
        side: { label: t('Side'), words: sideWords() },
        price: { label: t('Price') },
        amount: { label: t('Amount'), unitField: 'symbol' },
        rpnl: { label: t('P&L'), detail: t('Realised P&L'), unitField: 'marginAsset' },
        fee: { label: t('Fee'), unitField: 'feeAsset' },
        feeAsset: { label: t('Fee asset') },
        maker: {
          label: t('Maker'),
          words: { true: { text: t('yes') }, false: { text: t('no') } },
        },
        type: { label: t('Type'), words: { ORDER_BOOK: { text: t('Order book') } } },
        tradeId: { label: t('Trade id') },
        orderId: { label: t('Order id') },
      }),
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
      columns: recordColumns('lot', {
        updatedAt: { label: t('Updated at') },
        symbol: { label: t('Symbol') },
        side: { label: t('Side'), words: sideWords() },
        amount: { label: t('Amount'), unitField: 'symbol' },
        averageLiquidationPrice: { label: t('Average liquidation price') },
        marginCallPrice: { label: t('Margin call price') },
        discount: { label: t('Discount') },
        totalBids: { label: t('Total bids') },
        lotId: { label: t('Lot id') },
      }),
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
      columns: recordColumns('transaction', {
        time: { label: t('Time') },
        asset: { label: t('Asset') },
        type: { label: t('Type'), words: transactionWords() },
        amount: { label: t('Amount'), unitField: 'asset', isSigned: true },
        link: { label: t('Link'), kind: 'link' },
        transactionId: { label: t('Transaction id') },
        transactionUuid: { label: t('Transaction UUID') },
      }),
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
  return {
    symbol: { label: t('Symbol') },
    side: { label: t('Side'), words: sideWords() },
    price: { label: t('Price') },
    amount: { label: t('Amount'), unitField: 'symbol' },
    filled: { label: t('Filled'), unitField: 'symbol' },
    status: { label: t('Status'), words: statusWords() },
    type: { label: t('Type'), words: orderTypeWords() },
    averageExecutionPrice: { label: t('Average execution price') },
    orderId: { label: t('Order id') },
    clientOrderId: { label: t('Client order id') },
  } as const;
}

function sideWords() {
  return {
    BUY: { text: t('Buy'), tone: 'gain' },
    SELL: { text: t('Sell'), tone: 'loss' },
  } as const;
}

function orderTypeWords() {
  return { LIMIT: { text: t('Limit') }, MARKET: { text: t('Market') } } as const;
}

/** Section 2.2. */
function statusWords() {
  return {
    PARTIALLY_EXECUTED: { text: t('Partially filled'), share: { part: 'filled', whole: 'amount' } },
    EXECUTED: { text: t('Filled') },
    CANCELED: { text: t('Cancelled') },
    LIQUIDATED: { text: t('⚠ Liquidated'), tone: 'critical' },
  } as const;
}

/** Section 2.5. */
function transactionWords() {
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
  } as const;
}

/** The parameters that no column shows. */
type UnshownParameter = ParameterName<
  HistoryName,
  { readonly field: null } | { readonly kind: 'date' }
>;

function unshownLabels(): Readonly<Record<UnshownParameter, string>> {
  return { accountType: t('Account type'), dateFrom: t('From'), dateTo: t('To') };
}

/** A filter for each parameter that selects rows, with the label of the column that shows it. */
export function filtersOf(
  { operation, columns }: HistoryTable,
  { symbols, assets }: FilterSuggestions,
): readonly Filter[] {
  const fields = fieldsOf(operation);
  const suggested = new Map([
    ['symbol', symbols],
    ['asset', assets],
  ]);
  return [...parametersOf(operation)].flatMap(([name, description]): Filter[] => {
    if (description.kind === 'page' || description.kind === 'size') return [];
    const parameter = name as Filter['parameter'];
    const { field = null, values }: Partial<FilterParameter> =
      description.kind === 'date' ? {} : description;
    const column = columns.find((each) => each.field === field);
    const named = values ?? fields.get(field ?? '')?.values;
    return [
      {
        parameter,
        ...(column && column.field !== parameter && { field: column.field }),
        label: column?.label ?? unshownLabels()[parameter as UnshownParameter],
        kind: filterKind(description, named !== undefined),
        options: named ?? suggested.get(parameter) ?? [],
      },
    ];
  });
}

function filterKind(
  description: FilterParameter | DateParameter,
  hasNamedValues: boolean,
): Filter['kind'] {
  if (description.kind === 'date') return 'instant';
  if (description.kind === 'list') return 'choices';
  if (!hasNamedValues) return 'text';
  return description.isRequired ? 'switch' : 'choice';
}
