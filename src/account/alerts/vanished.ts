import { epochMsOf } from '../../base/instant.ts';
import type { ExchangeClient } from '../../exchange/client.ts';
import type { Order, Transaction } from '../../exchange/records.ts';
import type { Vanished } from './heldPositions.ts';
import { rowsSince, type RowsSince } from './rowsSince.ts';
import type { Told } from './watch.ts';

/**
 * What the account's own records say of positions that vanished: `order`, an order with the status
 * LIQUIDATED in each of these symbols; `fee`, only a LIQUIDATION_FEE, which names no symbol; `unread`,
 * nothing, as they could not be read.
 */
export type LiquidationAlert = {
  readonly by: 'order' | 'fee' | 'unread';
  readonly symbols: readonly string[];
};

/** What is to be told, and the subjects that are told with it: no record tells twice. */
export type WhyVanished = {
  readonly alert: LiquidationAlert;
  readonly subjects: readonly string[];
};

export type AccountRecords = Pick<ExchangeClient, 'orders' | 'transactions' | 'clockAheadMs'>;

/** A snapshot is of the time at which its request was answered, and that may take so long. */
const slackMs = 30_000;
const size = 100;

/**
 * Reads why positions vanished: the orders, and where those say nothing and it may have been a fee
 * that tells, the transactions; a page of each, or two where the first may be none of the wanted rows.
 * Undefined where neither tells of a liquidation: a position that was closed is no news. `unread` where
 * rows that would tell may be missing. Liquidation lots are not asked: they are the venue's. Rejects
 * with ExchangeError, or the signal's reason.
 */
export async function whyVanished(
  records: AccountRecords,
  gone: readonly Vanished[],
  { mayBeFee, told }: { readonly mayBeFee: boolean; readonly told: Told },
  signal: AbortSignal,
): Promise<WhyVanished | undefined> {
  const orders = await liquidations(records, gone, told, signal);
  if (orders.rows.length > 0) {
    const symbols = symbolsOf(gone).filter((symbol) =>
      orders.rows.some((order) => order.symbol === symbol),
    );
    return whyOf('order', symbols, orders.rows.map(orderSubject));
  }
  const fees = mayBeFee ? await newFees(records, gone, told, signal) : undefined;
  if (fees && fees.rows.length > 0) {
    const isWhy = feeOf(records, told);
    const symbols = symbolsOf(gone.filter((one) => fees.rows.some((fee) => isWhy(fee, one))));
    return whyOf('fee', symbols, fees.rows.map(feeSubject));
  }
  if (orders.isSure && fees?.isSure !== false) return undefined;
  return { alert: { by: 'unread', symbols: symbolsOf(gone) }, subjects: [] };
}

/** Each once, however many positions it had. */
export function symbolsOf(gone: readonly Vanished[]): string[] {
  return [...new Set(gone.map(({ symbol }) => symbol))];
}

function whyOf(
  by: 'order' | 'fee',
  symbols: readonly string[],
  records: readonly string[],
): WhyVanished {
  return { alert: { by, symbols }, subjects: [...records, ...symbols.map(liquidatedSubject)] };
}

function liquidations(
  records: AccountRecords,
  gone: readonly Vanished[],
  told: Told,
  signal: AbortSignal,
): Promise<RowsSince<Order>> {
  const [symbol, ...others] = symbolsOf(gone);
  const query = { symbol: others.length === 0 ? symbol : undefined, statuses: ['LIQUIDATED'] };
  const tells = (order: Order): boolean =>
    order.status === 'LIQUIDATED' &&
    !told.has(orderSubject(order)) &&
    gone.some((one) => order.symbol === one.symbol && timeOf(order) >= goneSince(records, one));
  return rowsSince(earliest(records, gone), tells, (dateFrom) =>
    records.orders({ ...query, dateFrom, page: 0, size }, signal),
  );
}

function newFees(
  records: AccountRecords,
  gone: readonly Vanished[],
  told: Told,
  signal: AbortSignal,
): Promise<RowsSince<Transaction>> {
  const query = { accountType: 'FUTURE', type: 'LIQUIDATION_FEE' } as const;
  const isWhy = feeOf(records, told);
  const tells = (fee: Transaction): boolean =>
    fee.type === query.type && gone.some((one) => isWhy(fee, one));
  return rowsSince(earliest(records, gone), tells, (dateFrom) =>
    records.transactions({ ...query, dateFrom, page: 0, size }, signal),
  );
}

/** Whether a fee may be why a position is gone, and not of an earlier liquidation that was told already. */
function feeOf(records: AccountRecords, told: Told): (fee: Transaction, one: Vanished) => boolean {
  return (fee, one) => {
    const toldAt = told.get(liquidatedSubject(one.symbol));
    const isOfEarlier = toldAt !== undefined && timeOf(fee) <= toldAt + records.clockAheadMs;
    const isNew = !isOfEarlier && !told.has(feeSubject(fee));
    return isNew && timeOf(fee) >= goneSince(records, one);
  };
}

function earliest(records: AccountRecords, gone: readonly Vanished[]): number {
  return Math.min(...gone.map((one) => goneSince(records, one)));
}

/** By the exchange's clock, which the records' times go by. */
function goneSince({ clockAheadMs }: AccountRecords, { lastSeenAt }: Vanished): number {
  return lastSeenAt + clockAheadMs - slackMs;
}

function timeOf({ time }: Order | Transaction): number {
  return epochMsOf(time) ?? 0;
}

/** Whether ids count all orders or those of a symbol is not told. */
function orderSubject({ symbol, orderId }: Order): string {
  return `order:${symbol}:${orderId}`;
}

function feeSubject({ transactionId }: Transaction): string {
  return `fee:${transactionId}`;
}

function liquidatedSubject(symbol: string): string {
  return `liquidated:${symbol}`;
}
