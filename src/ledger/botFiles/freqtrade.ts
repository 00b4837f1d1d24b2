import type { DatabaseSync } from 'node:sqlite';
import type { BotBook, BotRow } from '../comparison/comparison.ts';
import { queryRows, type Table } from './tables.ts';

/**
 * Facts of freqtrade's `freqtrade/persistence/trade_model.py` as of November 2026. `trades` are positions, `orders` have
 * what was filled of each order. Times are naive, of UTC. Fees that the exchange charged are kept of the first order
 * that was filled on each side of a position. The profit of a position is without fees and with its funding.
 */
export function freqtradeBook(database: DatabaseSync, tables: readonly Table[]): BotBook | null {
  const orders = tables.find(({ name }) => name === 'orders')?.columns ?? [];
  const trades = tables.find(({ name }) => name === 'trades')?.columns ?? [];
  const isBot = ['ft_trade_id', 'ft_pair', 'order_id', 'filled'].every((one) =>
    orders.includes(one),
  );
  if (!isBot || !trades.includes('close_profit_abs')) return null;
  const column = (name: string): string => (trades.includes(name) ? `t.${name}` : 'NULL');
  const rows = queryRows(
    database,
    `SELECT *, CASE WHEN place = 1 AND filled > 0 THEN iif(isEntry, openFee, closeFee) END AS fee,
       iif(isEntry, openAsset, closeAsset) AS feeAsset
     FROM (
       SELECT o.id, o.order_id, o.ft_pair, coalesce(o.side, o.ft_order_side) AS side, coalesce(o.filled, 0) AS filled,
         coalesce(o.average, o.price) AS price, o.ft_trade_id,
         coalesce(o.order_filled_date, o.order_update_date, o.order_date) AS time,
         (coalesce(o.side, o.ft_order_side) = 'sell') = coalesce(${column('is_short')}, 0) AS isEntry,
         t.fee_open_cost AS openFee, t.fee_open_currency AS openAsset,
         t.fee_close_cost AS closeFee, t.fee_close_currency AS closeAsset,
         row_number() OVER (
           PARTITION BY o.ft_trade_id, coalesce(o.side, o.ft_order_side), coalesce(o.filled, 0) > 0 ORDER BY o.id
         ) AS place
       FROM orders o LEFT JOIN trades t ON t.id = o.ft_trade_id
     ) ORDER BY id`,
    [
      'id',
      'order_id',
      'ft_pair',
      'side',
      'filled',
      'price',
      'time',
      'fee',
      'feeAsset',
      'ft_trade_id',
    ],
  );
  const idsByTrade = new Map<string, string[]>();
  const book = [...rows].map(({ id, values }): BotRow => {
    const { order_id: orderId = null, ft_trade_id: trade = null } = values;
    if (trade !== null && orderId !== null)
      idsByTrade.set(trade, [...(idsByTrade.get(trade) ?? []), orderId]);
    return {
      ...{ orderId, clientOrderId: null, tradeId: null, pnl: null },
      ...{ symbol: values['ft_pair'] ?? null, side: values['side'] ?? null },
      ...{ amount: values['filled'] ?? null, price: values['price'] ?? null },
      ...{ fee: values['fee'] ?? null, feeAsset: values['feeAsset'] ?? null },
      time: values['time'] ?? null,
      place: { table: 'orders', id },
    };
  });
  const positions = queryRows(
    database,
    `SELECT t.id, t.pair, t.close_profit_abs AS pnl, ${column('funding_fees')} AS funding,
       ${column('stake_currency')} AS asset, t.open_date, t.close_date FROM trades t ORDER BY t.id`,
    ['id', 'pair', 'pnl', 'funding', 'asset', 'open_date', 'close_date'],
  );
  const all = [...positions].map(({ id, values }) => ({
    place: { table: 'trades', id },
    ...{
      symbol: values['pair'] ?? null,
      pnl: values['pnl'] ?? null,
      asset: values['asset'] ?? null,
    },
    ...{ funding: values['funding'] ?? null, from: values['open_date'] ?? null },
    time: values['close_date'] ?? null,
    orderIds: idsByTrade.get(id) ?? [],
  }));
  const funding = all
    .filter((one) => one.funding !== null)
    .map(({ place, asset, funding: amount, from, time: to }) => ({
      place,
      asset,
      amount,
      from,
      to,
    }));
  return {
    ...{ bot: 'freqtrade', rows: book, placed: [], decimals: null },
    funding: funding.length > 0 ? funding : null,
    positions: all.filter(({ time, pnl }) => time !== null && pnl !== null),
  };
}
