import { isSame, sum, type NumberText } from '../../base/decimal.ts';
import { dayMs, parseTimestampMs } from '../../base/time.ts';
import type { Order, Trade, Transaction } from '../../exchange/records.ts';
import { withIds } from '../../ledger/relatedRecords.ts';
import { ledgerHistoryOf } from '../../ledger/selectionQuery.ts';
import type { TableFilters } from '../../protocol/table.ts';
import { t } from '../shared/translate.ts';
import { cellOf } from '../webview/recordCells.ts';
import type { HistoryTable } from './definition.ts';
import { historyQuery } from './exchangeRows.ts';
import { historyTables } from './histories.ts';
import type { ReadRecord } from './panelRows.ts';
import type { PanelLedger } from './panelState.ts';

/** What the exchange or the ledger is asked for the records that belong to a row, and how they are recognised. */
export type RelatedSearch = {
  /** What a button says. */
  readonly label: string;
  readonly table: HistoryTable;
  readonly filters: TableFilters;
  /** What all of them share: ids may be unique only within a symbol. The ledger finds them by it at any time. */
  readonly shared: Readonly<Record<string, string>>;
  /** Whether these are all of them, so that the exchange need not be asked. */
  readonly isAll: (found: readonly object[]) => boolean;
  /** What was found, in a sentence. */
  readonly resultText: (found: readonly object[]) => string;
};

/** The API filters by symbol, side and time, not by order: the search is limited to a day around the row. */
const aroundMs = dayMs;

/** As many rows as an exchange may return for one request. */
export const mostRelated = 500;

/** Undefined if nothing belongs to the row. */
export function relatedSearch(
  { operation }: HistoryTable,
  { record, filters: { accountType } }: Pick<ReadRecord, 'record' | 'filters'>,
): RelatedSearch | undefined {
  switch (operation) {
    case 'orders':
      return tradesOfOrder(record as Order);
    case 'trades':
      return orderOfTrade(record as Trade);
    case 'transactions':
      return otherSide(record as Transaction, accountType === 'SPOT' ? 'FUTURE' : 'SPOT');
    case 'lots':
      return undefined;
  }
}

/** The related records, if the ledger has all of them. */
export async function relatedInLedger(
  { table, filters: around, shared, isAll }: RelatedSearch,
  { current }: PanelLedger,
): Promise<readonly object[] | undefined> {
  if (!current) return undefined;
  const history = ledgerHistoryOf(historyQuery(table, around).request);
  const query = { ...withIds(history, shared), isListed: true } as const;
  // Without the ledger, the exchange has them.
  const found = await current.reader.rows(query, 0, mostRelated).catch(() => undefined);
  return found && isAll(found.rows) ? found.rows : undefined;
}

/** Whether a record that the exchange returned is one of them. */
export function isRelated(record: object, { shared }: RelatedSearch): boolean {
  return Object.entries(shared).every(([field, value]) => value === cellOf(record, field));
}

/** The filters for the rows of the same symbol and side around a row; without a readable time, of any time. */
export function filtersAround({ symbol, side, time }: Order | Trade): TableFilters {
  return { symbol, ...(side !== null && { side }), ...periodAround(time) };
}

function periodAround(time: string): TableFilters {
  const epochMs = parseTimestampMs(time);
  if (epochMs === undefined) return {};
  const iso = (ms: number): string => new Date(ms).toISOString();
  return { dateFrom: iso(epochMs - aroundMs), dateTo: iso(epochMs + aroundMs) };
}

function tradesOfOrder(order: Order): RelatedSearch {
  const addUp = (found: readonly object[]): boolean =>
    order.filled !== null && isSame(sumOfAmounts(found as readonly Trade[]), order.filled);
  return {
    label: t('Find Its Trades'),
    table: historyTables().trades,
    filters: filtersAround(order),
    shared: { orderId: order.orderId, symbol: order.symbol },
    isAll: addUp,
    resultText: (found) => {
      if (found.length === 0)
        return t('No trade of this order was found within a day before or after its time.');
      return addUp(found)
        ? t('All trades of this order: they add up to the filled amount.')
        : t(
            'Trades of this order within a day before and after its time. They do not add up to the filled amount, so there are others.',
          );
    },
  };
}

/** Null if there is none, or if one is unknown. */
function sumOfAmounts(trades: readonly Trade[]): NumberText | null {
  const amounts = trades.flatMap(({ amount }) => amount ?? []);
  return amounts.length > 0 && amounts.length === trades.length ? sum(amounts) : null;
}

function orderOfTrade(trade: Trade): RelatedSearch | undefined {
  const { orderId, symbol } = trade;
  if (orderId === null) return undefined;
  return {
    label: t('Find Its Order'),
    table: historyTables().orders,
    filters: filtersAround(trade),
    shared: { orderId, symbol },
    isAll: isAny,
    resultText: (found) =>
      isAny(found)
        ? t('The order of this trade')
        : t('The order was not found within a day before or after the trade.'),
  };
}

function isAny(found: readonly object[]): boolean {
  return found.length > 0;
}

function otherSide(
  { type, transactionUuid, asset, time }: Transaction,
  accountType: string,
): RelatedSearch | undefined {
  if (transactionUuid === null || !type.startsWith('TRANSFER_TO_')) return undefined;
  return {
    label: t('Find the Other Side'),
    table: historyTables().transactions,
    filters: { accountType, asset, ...periodAround(time) },
    shared: { transactionUuid },
    isAll: isAny,
    resultText: (found) =>
      isAny(found)
        ? t('Transactions of the {0} account with the same UUID', accountType)
        : t(
            'The {0} account has no transaction with this UUID within a day before or after it.',
            accountType,
          ),
  };
}
