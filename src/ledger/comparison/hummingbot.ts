import type { DatabaseSync } from 'node:sqlite';
import { emptyBook, type BotBook } from './comparison.ts';
import { bookRows, namedAsFields } from './mapping.ts';
import { hasColumns, queryRows, queryTable, type Table } from './tables.ts';

/** Figures are integers of millionths, and what is less is cut off. Earlier versions kept floats. */
const decimals = 6;
const figure = (name: string): string =>
  `CASE typeof(${name}) WHEN 'integer' THEN printf('%d.%06d', ${name} / 1000000, ${name} % 1000000) ELSE ${name} END`;

const fillColumns =
  'symbol quote_asset timestamp order_id trade_type price amount trade_fee exchange_trade_id';

/**
 * Facts of hummingbot's `hummingbot/model` (`trade_fill.py`, `order.py`, `funding_payment.py`) as of November 2026. The
 * id of an order is the bot's own; `Order` has the exchange's. A fee is flat in one asset, or a share of the notional,
 * which is not known once the price is cut.
 */
export function hummingbotBook(database: DatabaseSync, tables: readonly Table[]): BotBook | null {
  if (!hasColumns(tables, 'TradeFill', fillColumns) || !hasColumns(tables, 'Order', 'id'))
    return null;
  const ofOrder = ['exchange_order_id', 'exchange_trade_id'];
  const orderId = ofOrder.find((name) => hasColumns(tables, 'Order', name)) ?? null;
  const market = hasColumns(tables, 'TradeFill', 'market') ? 'paid.market' : 'NULL';
  const fills = queryTable(
    database,
    'TradeFill',
    `WITH paid AS (
       SELECT *, rowid AS place, ${figure('price')} AS cost, ${figure('amount')} AS size,
         iif(json_valid(trade_fee), trade_fee, '{}') AS terms FROM TradeFill
     )
     SELECT place, ${orderId === null ? 'NULL' : `o.${orderId}`} AS orderId, order_id AS clientOrderId, paid.exchange_trade_id AS tradeId,
       paid.symbol AS symbol, ${market} AS account, trade_type AS side, size AS amount, cost AS price, timestamp AS time,
       CASE WHEN json_array_length(terms, '$.flat_fees') = 1 AND coalesce(json_extract(terms, '$.percent'), 0) * 1 = 0
           THEN json_extract(terms, '$.flat_fees[0].amount')
         WHEN json_array_length(terms, '$.flat_fees') = 0
           AND (typeof(price) = 'real' OR json_extract(terms, '$.percent') * 1 = 0) THEN json_extract(terms, '$.percent') * cost * size END AS fee,
       coalesce(json_extract(terms, '$.flat_fees[0].token'), json_extract(terms, '$.percent_token'), paid.quote_asset)
         AS feeAsset
     FROM paid LEFT JOIN "Order" o ON o.id = order_id ORDER BY place`,
  );
  const keepsFunding = hasColumns(tables, 'FundingPayment', 'timestamp market amount symbol');
  const payments = !keepsFunding
    ? []
    : queryRows(
        database,
        `SELECT rowid, timestamp, amount, substr(symbol, instr(symbol, '-') + 1), market FROM FundingPayment`,
      );
  const funding = [...payments].map(
    ({ id, values: [time = null, amount = null, asset = null, account = null] }) => {
      const place = { table: 'FundingPayment', id };
      return { place, account, asset, amount, from: time, to: time };
    },
  );
  const placed = [...queryRows(database, 'SELECT id FROM "Order"')].map(({ id }) => id);
  return {
    ...{ ...emptyBook, bot: 'hummingbot', ...bookRows(fills, namedAsFields), placed, decimals },
    funding: keepsFunding ? funding : null,
  };
}
