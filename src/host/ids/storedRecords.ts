import { cleanText } from '../../base/cleanText.ts';
import { absolute, isSame, negated, unknownText, type NumberText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { always } from '../../base/interval.ts';
import { parseTimestampMs, secondMs } from '../../base/time.ts';
import type { HistoryRecord } from '../../exchange/history/records.ts';
import { identityOf } from '../../exchange/recordIdentity.ts';
import type { Order, Trade, Transaction } from '../../exchange/records.ts';
import {
  transactionHistories,
  type FeeSign,
  type FieldSum,
  type LedgerHistory,
  type LedgerQuery,
  type LedgerReader,
  type LedgerRecord,
} from '../../ledger/ledger.ts';
import { t } from '../shared/translate.ts';
import type { StoredId } from './storedIds.ts';

/** A record of the ledger. */
export type StoredRecord = {
  [History in LedgerHistory]: {
    readonly history: History;
    readonly record: LedgerRecord<History>;
  };
}[LedgerHistory];

/** What the ledger has of an order or a transfer. */
type RelatedStoredRecords = {
  readonly order: Order | undefined;
  /** The first of them, and how many there are. */
  readonly trades: readonly Trade[];
  readonly tradeCount: number;
  /** Exact, by asset, of all trades that the exchange still lists. */
  readonly fees: { readonly ofTrades: number; readonly sums: readonly FieldSum[] };
  readonly feeSign: FeeSign;
  readonly transactions: readonly Transaction[];
};

type Reader = Pick<LedgerReader, 'rows' | 'sums' | 'feeSign'>;

/** Of the records with one id, such as the trades of an order. */
const mostNamed = 100;
/** A hover has no room for more. */
const mostTrades = 10;
const mostTransactions = 10;
/** How long after its trade a transaction may be booked. */
const bookedWithinMs = 5 * secondMs;

/**
 * The records that an id may name, newest first: it may be unique only within a symbol, or a type and asset of
 * transactions, and for a time. None if they are gone since the id was found.
 */
export async function recordsOf(
  { id, place }: StoredId,
  reader: Reader,
): Promise<readonly StoredRecord[]> {
  const { history, field } = place;
  const { rows } = await reader.rows(withIds(history, { [field]: id }), 0, mostNamed);
  const named = Map.groupBy(rows, (row) => subjectOf(place, row));
  return [...named.values()].flatMap(([record]) =>
    record ? [{ history, record } as StoredRecord] : [],
  );
}

/** What tells apart the records that share an id. A UUID ties together the sides of one transfer. */
function subjectOf({ history, field }: StoredId['place'], record: HistoryRecord): string {
  if (field === 'transactionUuid') return '';
  return history === 'trades' && field === 'orderId'
    ? (record as Trade).symbol
    : identityOf(record);
}

/** The records that belong to one. */
export async function relatedTo(
  { record }: StoredRecord,
  reader: Reader,
): Promise<RelatedStoredRecords> {
  if ('orderId' in record && record.orderId !== null)
    return relatedToOrder(record, record.orderId, reader);
  return {
    order: undefined,
    trades: [],
    tradeCount: 0,
    fees: { ofTrades: 0, sums: [] },
    feeSign: null,
    transactions: 'transactionId' in record ? await withSameUuid(record, reader) : [],
  };
}

async function relatedToOrder(
  record: Order | Trade,
  orderId: string,
  reader: Reader,
): Promise<RelatedStoredRecords> {
  const { symbol } = record;
  const ofTrades = withIds('trades', { orderId, symbol });
  const oldestFirst = { ...ofTrades, sort: { field: 'time', isDescending: false } };
  const [orders, { rows, total, listed }, fees, feeSign] = await Promise.all([
    'tradeId' in record ? reader.rows(withIds('orders', { orderId, symbol }), 0, 1) : undefined,
    reader.rows(oldestFirst, 0, mostTrades),
    reader.sums(ofTrades, ['fee']),
    reader.feeSign(),
  ]);
  const trades = rows as readonly Trade[];
  return {
    order: 'tradeId' in record ? (orders?.rows[0] as Order | undefined) : record,
    trades,
    tradeCount: total,
    fees: { ofTrades: listed, sums: fees },
    feeSign,
    transactions: await bookedFor(trades, reader),
  };
}

/** The transactions of both accounts that share a UUID, such as the two sides of a transfer. */
async function withSameUuid(transaction: Transaction, reader: Reader): Promise<Transaction[]> {
  const { transactionUuid } = transaction;
  if (transactionUuid === null) return [transaction];
  const found = await Promise.all(
    Object.values(transactionHistories).map((history) =>
      reader.rows(withIds(history, { transactionUuid }), 0, mostTransactions),
    ),
  );
  return found.flatMap(({ rows }) => rows as readonly Transaction[]);
}

/**
 * The transactions of fees and realised P&L that have the time and amount of a trade: the API has nothing
 * else that ties them together.
 */
async function bookedFor(trades: readonly Trade[], reader: Reader): Promise<Transaction[]> {
  const times = new Set(trades.flatMap((trade) => parseTimestampMs(trade.time) ?? []));
  const pages = await Promise.all(
    [...times].map((from) =>
      reader.rows(
        {
          ...withIds('futureTransactions', {}),
          filters: { type: ['FEE', 'REALIZED_PL'] },
          period: { from, to: from + bookedWithinMs },
          sort: { field: 'time', isDescending: false },
        },
        0,
        4 * mostTrades,
      ),
    ),
  );
  const found = pages.flatMap(({ rows }) => rows as readonly Transaction[]);
  const candidates = new Map(found.map((each) => [identityOf(each), each]));
  return trades.flatMap((trade) => takeBooked(trade, candidates)).slice(0, mostTransactions);
}

/** Each transaction belongs to one trade. No record says in which asset a trade realises its P&L. */
function takeBooked(trade: Trade, candidates: Map<string, Transaction>): Transaction[] {
  const { fee, rpnl, feeAsset } = trade;
  const expected = [
    { type: 'FEE', amount: fee, asset: feeAsset },
    { type: 'REALIZED_PL', amount: rpnl, asset: null },
  ];
  const tradedAt = parseTimestampMs(trade.time) ?? 0;
  return expected.flatMap(({ type, amount, asset }) => {
    const found = [...candidates].find(
      ([, each]) =>
        each.type === type &&
        (asset === null || each.asset === asset) &&
        (parseTimestampMs(each.time) ?? 0) >= tradedAt &&
        each.amount !== null &&
        amount !== null &&
        isSame(absolute(each.amount), absolute(amount)),
    );
    if (!found) return [];
    candidates.delete(found[0]);
    return [found[1]];
  });
}

/** The records that have these texts in their fields. */
export function withIds(
  history: LedgerHistory,
  ids: Readonly<Record<string, string>>,
): LedgerQuery {
  const filters = Object.fromEntries(Object.entries(ids).map(([field, id]) => [field, [id]]));
  return { history, period: always, filters, search: '', sort: null };
}

const nothing = '';

/** The record of an id in one line, for the tooltip of a link. */
export function recordLine({ record }: StoredRecord, display: Display): string {
  const time = display.time('updatedAt' in record ? record.updatedAt : record.time);
  const amount = display.figure('amount', record.amount);
  const parts =
    'transactionId' in record
      ? [record.type, `${amount} ${record.asset}`]
      : 'tradeId' in record
        ? [t('Trade'), record.symbol, sideText(record, amount)]
        : 'lotId' in record
          ? [record.symbol, sideText(record, amount)]
          : [t('Order'), record.symbol, sideText(record, amount), record.status];
  return [...parts, time].map((part) => cleanText(orUnknown(part), 60)).join(' · ');
}

function orUnknown(text: string | null): string {
  return text ?? unknownText;
}

function sideText({ side }: Pick<Trade, 'side'>, amount: string): string {
  return `${orUnknown(side)} ${amount}`;
}

/** The columns of a hover's table. */
export function relatedColumns(related: readonly RelatedStoredRecords[]): readonly string[] {
  const isSent = related.some(({ tradeCount, feeSign }) => tradeCount > 0 && feeSign === null);
  return [t('Record'), t('Time'), t('Amount'), t('Price'), isSent ? t('Fee as sent') : t('Fee')];
}

/** A row for the order, each trade, the sum of the fees, and each transaction. */
export function relatedRows(
  related: RelatedStoredRecords,
  display: Display,
): readonly (readonly string[])[] {
  const { order, trades, tradeCount, fees, feeSign, transactions } = related;
  // What was paid is positive in a hover.
  const feeOf = (fee: NumberText | null): string =>
    display.figure('fee', fee !== null && feeSign === 'negative' ? negated(fee) : fee);
  const omitted = tradeCount - trades.length;
  return [
    ...(order ? [orderRow(order, display)] : []),
    ...trades.map((trade) => tradeRow(trade, feeOf(trade.fee), display)),
    ...(omitted > 0 ? [[omittedText(omitted, display), nothing, nothing, nothing, nothing]] : []),
    ...(tradeCount > 1 ? fees.sums : []).map(({ sum, lacking, unit }) => {
      const fee = `${feeOf(lacking > 0 ? null : sum)} ${unit ?? nothing}`;
      const label = feesText(fees.ofTrades, tradeCount, display);
      return [label, nothing, nothing, nothing, fee];
    }),
    ...transactions.map((transaction) => transactionRow(transaction, display)),
  ];
}

function orderRow(order: Order, display: Display): readonly string[] {
  const { orderId, symbol, side, status, time, filled, amount } = order;
  const price = order.averageExecutionPrice ?? order.price;
  return [
    [`${t('Order')} ${orderId}`, symbol, side, status].map(orUnknown).join(' · '),
    display.time(time),
    t('{0} of {1}', display.figure('filled', filled), display.figure('amount', amount)),
    price === null ? unknownText : display.figure('averageExecutionPrice', price),
    nothing,
  ];
}

function tradeRow(trade: Trade, fee: string, display: Display): readonly string[] {
  const { tradeId, symbol, side, maker, time, amount, price, feeAsset } = trade;
  const role = maker ? t('maker') : t('taker');
  return [
    [`${t('Trade')} ${tradeId}`, symbol, side, maker === null ? null : role]
      .map(orUnknown)
      .join(' · '),
    display.time(time),
    display.figure('amount', amount),
    display.figure('price', price),
    `${fee} ${feeAsset ?? nothing}`,
  ];
}

function transactionRow(transaction: Transaction, display: Display): readonly string[] {
  const { type, transactionId, time, amount, asset } = transaction;
  const figure = `${display.signedFigure('amount', amount)} ${asset}`;
  return [`${type} ${transactionId}`, display.time(time), figure, nothing, nothing];
}

function feesText(listed: number, tradeCount: number, display: Display): string {
  const [counted, all] = [display.count(listed), display.count(tradeCount)];
  return listed === tradeCount
    ? t('Fees of {0} trades', all)
    : t('Fees of {0} of {1} trades; the exchange no longer lists the others', counted, all);
}

function omittedText(count: number, display: Display): string {
  return count === 1 ? t('and 1 more trade') : t('and {0} more trades', display.count(count));
}
