import type { ByKind } from '../../exchange/decoders.ts';
import type { HistoryName } from '../../exchange/history/historyRecords.ts';
import type { HistoryKinds } from '../../exchange/records.ts';
import type { LedgerHistory } from '../ledger.ts';
import { operationOf } from '../ledger.ts';
import { idKey, numberKey, type SqlInteger } from './numberKey.ts';

/**
 * How a field is stored beside its record, to be sorted, filtered and searched. `id`: an integer, searched
 * by its beginning. `reference`: text, searched by its beginning. `word`: text of few different values,
 * searched by a part. `number`: three integers, see `numberKey`.
 */
type ColumnKind = 'id' | 'reference' | 'word' | 'flag' | 'number' | 'time';

type ColumnKinds = {
  text: 'reference' | 'word';
  number: 'number';
  id: 'id';
  flag: 'flag';
  time: 'time';
};

/** The first field of each is its id. */
const columnKinds: { readonly [Name in HistoryName]: ByKind<HistoryKinds[Name], ColumnKinds> } = {
  orders: {
    orderId: 'id',
    time: 'time',
    symbol: 'word',
    amount: 'number',
    side: 'word',
    price: 'number',
    clientOrderId: 'reference',
    averageExecutionPrice: 'number',
    filled: 'number',
    type: 'word',
    status: 'word',
  },
  trades: {
    tradeId: 'id',
    time: 'time',
    orderId: 'id',
    symbol: 'word',
    amount: 'number',
    price: 'number',
    side: 'word',
    maker: 'flag',
    fee: 'number',
    rpnl: 'number',
    feeAsset: 'word',
    type: 'word',
  },
  lots: {
    lotId: 'id',
    updatedAt: 'time',
    symbol: 'word',
    side: 'word',
    amount: 'number',
    totalBids: 'number',
    averageLiquidationPrice: 'number',
    marginCallPrice: 'number',
    discount: 'number',
  },
  transactions: {
    transactionId: 'id',
    time: 'time',
    transactionUuid: 'reference',
    asset: 'word',
    link: 'reference',
    amount: 'number',
    type: 'word',
  },
};

export type StoredColumn = { readonly field: string; readonly kind: ColumnKind };

/** The columns of a history; the first one is the record's id. */
export function columnsOf(history: LedgerHistory): readonly StoredColumn[] {
  return Object.entries(columnKinds[operationOf(history)]).map(([field, kind]) => ({
    field,
    kind,
  }));
}

export function idColumn(history: LedgerHistory): string {
  return columnsOf(history)[0]?.field ?? '';
}

/** The SQL columns of a field: a number has three, which sort and add together. */
export function sqlColumns({ field, kind }: StoredColumn): readonly string[] {
  if (kind === 'number') return [field, `${field}Nano`, `${field}Atto`];
  return [kind === 'time' ? 'time' : field];
}

/** The figures that are added up. An order without a limit has no price, so prices of orders are not among them. */
const summedFigures: Readonly<Record<HistoryName, readonly string[]>> = {
  orders: ['amount', 'filled'],
  trades: ['amount', 'price', 'fee', 'rpnl'],
  lots: ['amount'],
  transactions: ['amount'],
};

/** The condition of rows that lack such a figure, or the asset of a fee. They have an index, which is found by this text. */
export function lacksFigure(
  history: LedgerHistory,
  figures = summedFigures[operationOf(history)],
): string {
  const paid = 'feeAsset IS NULL AND (fee <> 0 OR feeNano <> 0 OR feeAtto <> 0)';
  return figures
    .flatMap((field) => [`${field} IS NULL`, ...(field === 'fee' ? [paid] : [])])
    .join(' OR ');
}

export type SqlValue = SqlInteger | string;

/** Adds the values of a record's field for its SQL columns. The record's time is stored by its caller. */
export function addSqlValues(values: SqlValue[], kind: ColumnKind, value: unknown): void {
  switch (kind) {
    case 'number':
      values.push(...numberKey(typeof value === 'string' ? value : null));
      return;
    case 'id':
      values.push(typeof value === 'string' ? idKey(value) : null);
      return;
    case 'flag':
      values.push(typeof value === 'boolean' ? Number(value) : null);
      return;
    case 'reference':
    case 'word':
      values.push(typeof value === 'string' ? value : null);
      return;
    case 'time':
      return;
  }
}
