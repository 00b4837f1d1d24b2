import type { DatabaseSync } from 'node:sqlite';
import { isNumberText, isZero, product, quotient, sum } from '../../base/decimal.ts';
import { isJsonObject, JsonNumber, parseJson, type JsonValue } from '../../base/exactJson.ts';
import type { BotBook, BotFunding, BotRow } from '../comparison/comparison.ts';
import { queryRows, type Table } from './tables.ts';

/** Figures are integers of millionths, and what is less is cut off. */
const decimals = 6;

/**
 * Facts of hummingbot's `hummingbot/model` (`trade_fill.py`, `order.py`, `funding_payment.py`) as of November 2026. The
 * id of an order is the bot's own; `Order` has the exchange's. Earlier versions kept figures as floats.
 */
export function hummingbotBook(database: DatabaseSync, tables: readonly Table[]): BotBook | null {
  const columnsOf = (table: string): readonly string[] =>
    tables.find(({ name }) => name === table)?.columns ?? [];
  const fills = columnsOf('TradeFill');
  if (!['exchange_trade_id', 'trade_type', 'trade_fee'].every((one) => fills.includes(one)))
    return null;
  const orderId = columnsOf('Order').includes('exchange_order_id')
    ? 'o.exchange_order_id'
    : 'o.exchange_trade_id';
  const rows = queryRows(
    database,
    `SELECT f.rowid AS id, f.order_id, ${orderId} AS exchange_order_id, f.exchange_trade_id, f.symbol, f.quote_asset,
       f.trade_type, f.price, f.amount, f.trade_fee, f.timestamp, typeof(f.price) AS type
     FROM TradeFill f LEFT JOIN "Order" o ON o.id = f.order_id ORDER BY f.rowid`,
    [
      ...['id', 'order_id', 'exchange_order_id', 'exchange_trade_id', 'symbol', 'quote_asset'],
      ...['trade_type', 'price', 'amount', 'trade_fee', 'timestamp', 'type'],
    ],
  );
  const book = [...rows].map(({ id, values }): BotRow => {
    const figure = (name: string): string | null => {
      const text = values[name] ?? null;
      return text !== null && values['type'] === 'integer' ? quotient(text, `1e${decimals}`) : text;
    };
    const [amount, price] = [figure('amount'), figure('price')];
    const notional = amount !== null && price !== null ? product(amount, price) : null;
    return {
      ...{ amount, price, pnl: null, ...feeOf(values['trade_fee'] ?? '', values, notional) },
      orderId: values['exchange_order_id'] ?? null,
      clientOrderId: values['order_id'] ?? null,
      tradeId: values['exchange_trade_id'] ?? null,
      ...{ symbol: values['symbol'] ?? null, side: values['trade_type'] ?? null },
      time: values['timestamp'] ?? null,
      place: { table: 'TradeFill', id },
    };
  });
  const orders = queryRows(database, 'SELECT id FROM "Order"', ['id']);
  return {
    ...{ bot: 'hummingbot', rows: book, positions: [], decimals },
    placed: [...orders].map(({ id }) => id),
    funding: columnsOf('FundingPayment').length > 0 ? fundingOf(database) : null,
  };
}

function fundingOf(database: DatabaseSync): BotFunding[] {
  const rows = queryRows(
    database,
    'SELECT rowid AS id, timestamp, symbol, amount FROM FundingPayment ORDER BY timestamp',
    ['id', 'timestamp', 'symbol', 'amount'],
  );
  return [...rows].map(({ id, values }) => {
    const { timestamp: time = null, amount = null, symbol } = values;
    const asset = symbol?.split('-')[1] ?? null;
    return { place: { table: 'FundingPayment', id }, asset, amount, from: time, to: time };
  });
}

/** Flat fees in one asset, or a share of the notional. */
function feeOf(
  written: string,
  { quote_asset: quote = null }: Readonly<Record<string, string | null>>,
  notional: string | null,
): Pick<BotRow, 'fee' | 'feeAsset'> {
  const none = { fee: null, feeAsset: null };
  const json = parsed(written);
  if (!isJsonObject(json)) return none;
  const flat = Array.isArray(json['flat_fees']) ? json['flat_fees'].filter(isJsonObject) : [];
  const assets = new Set(flat.map(({ token }) => token));
  const amounts = flat.map(({ amount = null }) => numberIn(amount));
  const percent = numberIn(json['percent'] ?? null) ?? '0';
  const [asset] = assets;
  if (assets.size === 1 && typeof asset === 'string' && isZero(percent))
    return amounts.includes(null)
      ? none
      : { fee: sum(amounts.filter((one) => one !== null)), feeAsset: asset };
  if (assets.size > 0 || notional === null) return none;
  const token = json['percent_token'];
  return { fee: product(notional, percent), feeAsset: typeof token === 'string' ? token : quote };
}

function parsed(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

function numberIn(value: JsonValue): string | null {
  const text = value instanceof JsonNumber ? value.text : value;
  return typeof text === 'string' && isNumberText(text) ? text : null;
}
