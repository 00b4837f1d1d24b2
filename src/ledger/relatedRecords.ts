import { absolute, isSame } from '../base/decimal.ts';
import { always } from '../base/interval.ts';
import { parseTimestampMs, secondMs } from '../base/time.ts';
import type { HistoryRecord } from '../exchange/history/records.ts';
import { identityOf } from '../exchange/recordIdentity.ts';
import type { Order, Trade, Transaction } from '../exchange/records.ts';
import {
  transactionHistories,
  type FeeSign,
  type FieldSum,
  type IdPlace,
  type LedgerHistory,
  type LedgerQuery,
  type LedgerReader,
  type LedgerRecord,
} from './ledger.ts';

/** An id that the ledger has, and where. */
export type StoredId = { readonly id: string; readonly place: IdPlace };

/** What a text may name: any id by many digits, one of a kind by the word before it, or a UUID or client’s id. */
export type IdKind = 'any' | 'order' | 'trade' | 'transaction' | 'uuid';

const orders: readonly IdPlace[] = [
  { history: 'orders', field: 'orderId' },
  // Of an order whose trades are known.
  { history: 'trades', field: 'orderId' },
];
const trades: readonly IdPlace[] = [{ history: 'trades', field: 'tradeId' }];
const bothTransactions = Object.values(transactionHistories);
const transactions = bothTransactions.map((history): IdPlace => {
  return { history, field: 'transactionId' };
});

/** Where an id of each kind is looked up, in this order. */
export const idPlacesOfKind: Readonly<Record<IdKind, readonly IdPlace[]>> = {
  any: [...orders, ...trades, ...transactions],
  order: orders,
  trade: trades,
  transaction: transactions,
  uuid: [
    { history: 'orders', field: 'clientOrderId' },
    ...bothTransactions.map((history): IdPlace => ({ history, field: 'transactionUuid' })),
  ],
};

/** Every place that an id may have. */
export const idPlaces: readonly IdPlace[] = [...idPlacesOfKind.any, ...idPlacesOfKind.uuid];

/** A record of the ledger. */
export type StoredRecord = {
  [History in LedgerHistory]: {
    readonly history: History;
    readonly record: LedgerRecord<History>;
  };
}[LedgerHistory];

type StoredTransaction = Extract<StoredRecord, { readonly record: Transaction }>;

/** What the ledger has of an order or a transfer. */
export type RelatedStoredRecords = {
  readonly order: Order | undefined;
  /** The first of them, and how many there are. */
  readonly trades: readonly Trade[];
  readonly tradeCount: number;
  /** Exact, by asset, of all trades that the exchange still lists. */
  readonly fees: { readonly ofTrades: number; readonly sums: readonly FieldSum[] };
  readonly feeSign: FeeSign;
  readonly transactions: readonly StoredTransaction[];
};

type Reader = Pick<LedgerReader, 'rows' | 'sums' | 'feeSign'>;

/** Of the records with one id, such as the trades of an order. */
const mostNamed = 100;
/** Nobody reads more of them at a glance. */
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
  stored: StoredRecord,
  reader: Reader,
): Promise<RelatedStoredRecords> {
  const { record } = stored;
  if ('orderId' in record && record.orderId !== null)
    return relatedToOrder(record, record.orderId, reader);
  return {
    order: undefined,
    trades: [],
    tradeCount: 0,
    fees: { ofTrades: 0, sums: [] },
    feeSign: null,
    transactions: isTransaction(stored) ? await withSameUuid(stored, reader) : [],
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
async function withSameUuid(
  stored: StoredTransaction,
  reader: Reader,
): Promise<readonly StoredTransaction[]> {
  const { transactionUuid } = stored.record;
  if (transactionUuid === null) return [stored];
  const found = bothTransactions.map(async (history) => {
    const { rows } = await reader.rows(withIds(history, { transactionUuid }), 0, mostTransactions);
    return (rows as readonly Transaction[]).map((record) => ({ history, record }));
  });
  return (await Promise.all(found)).flat();
}

function isTransaction(stored: StoredRecord): stored is StoredTransaction {
  return 'transactionId' in stored.record;
}

/**
 * The transactions of fees and realised P&L that have the time and amount of a trade: the API has nothing
 * else that ties them together.
 */
async function bookedFor(trades: readonly Trade[], reader: Reader): Promise<StoredTransaction[]> {
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
  const booked = trades.flatMap((trade) => takeBooked(trade, candidates));
  return booked.map((record) => ({ history: 'futureTransactions', record }));
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
