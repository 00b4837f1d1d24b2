import type { DatabaseSync } from 'node:sqlite';
import { emptyBook, type BotBook, type BotPlace } from './comparison.ts';
import { bookRows, namedAsFields } from './mapping.ts';
import { hasColumns, queryRows, queryTable, type Table } from './tables.ts';

const ordersColumns =
  'id order_id ft_pair ft_trade_id side ft_order_side filled average price order_filled_date order_update_date order_date';
const tradesColumns =
  'id pair close_profit_abs fee_open_cost fee_open_currency fee_close_cost fee_close_currency open_date close_date';

/**
 * Facts of freqtrade's `freqtrade/persistence/trade_model.py` as of November 2026. `trades` are positions, `orders` have
 * what was filled of each order. Times are naive, of UTC. The fee of the entries of a position is that of its stake: it
 * is the exchange's of a single one without leverage. That of the exits is of the first one. Rates have 8 decimals. The
 * profit of a position is less its fees, and with its funding.
 */
export function freqtradeBook(database: DatabaseSync, tables: readonly Table[]): BotBook | null {
  if (!hasColumns(tables, 'orders', ordersColumns) || !hasColumns(tables, 'trades', tradesColumns))
    return null;
  const optional = (name: string, otherwise = 'NULL'): string =>
    hasColumns(tables, 'trades', name) ? name : otherwise;
  const [isShort, paid] = [optional('is_short'), optional('funding_fees')];
  const leverage = optional('leverage');
  const [asset, mode] = [optional('stake_currency'), optional('trading_mode', `'FUTURES'`)];
  const ordersTable = queryTable(
    database,
    'orders',
    `WITH own AS (
       SELECT id, order_id, ft_pair, ft_trade_id, coalesce(side, ft_order_side) AS side, coalesce(filled, 0) AS filled,
         coalesce(average, price) AS price, coalesce(order_filled_date, order_update_date, order_date) AS time
       FROM orders
     ), single AS MATERIALIZED (
       SELECT min(id) AS id FROM own WHERE filled > 0 GROUP BY ft_trade_id, side HAVING count(*) = 1
     )
     SELECT own.id, order_id AS orderId, ft_pair AS symbol, side, filled AS amount, price, time,
       CASE WHEN own.id NOT IN (SELECT id FROM single) THEN NULL
         WHEN (side = 'sell') <> coalesce(${isShort}, 0) THEN fee_close_cost
         WHEN coalesce(${leverage}, 1) = 1 THEN fee_open_cost END AS fee,
       iif((side = 'sell') = coalesce(${isShort}, 0), fee_open_currency, fee_close_currency) AS feeAsset
     FROM own LEFT JOIN trades ON trades.id = ft_trade_id ORDER BY own.id`,
  );
  const place = (id: string): BotPlace => ({ table: 'trades', id });
  // A position without funding paid none.
  const payments = queryRows(
    database,
    `SELECT id, coalesce(${paid}, 0), ${asset}, open_date, close_date FROM trades WHERE upper(${mode}) = 'FUTURES' ORDER BY id`,
  );
  const funding = [...payments].map(
    ({ id, values: [amount = null, assetPaid = null, from = null, to = null] }) => {
      return { place: place(id), account: null, amount, asset: assetPaid, from, to };
    },
  );
  const open = queryRows(
    database,
    'SELECT pair AS id FROM trades WHERE close_date IS NULL GROUP BY pair',
  );
  function* positions(): ReturnType<NonNullable<BotBook['positions']>> {
    const closed = queryRows(
      database,
      `SELECT id, pair, close_profit_abs, ${paid}, close_date, orders
       FROM trades LEFT JOIN (SELECT ft_trade_id, json_group_array(order_id) AS orders FROM orders GROUP BY ft_trade_id)
         ON ft_trade_id = id WHERE close_date IS NOT NULL AND close_profit_abs IS NOT NULL ORDER BY id`,
    );
    for (const { id, values } of closed) {
      const [symbol = null, pnl = null, ownFunding = null, time = null, ids] = values;
      const orderIds = JSON.parse(ids ?? '[]') as string[];
      yield { place: place(id), symbol, pnl, funding: ownFunding, time, orderIds };
    }
  }
  return {
    ...{ ...emptyBook, bot: 'freqtrade', ...bookRows(ordersTable, namedAsFields), positions },
    ...{ openSymbols: [...open].map(({ id }) => id), rateDecimals: 8 },
    funding: paid !== 'NULL' && funding.length > 0 ? funding : null,
  };
}
