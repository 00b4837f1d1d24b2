import { writeFileSync } from 'node:fs';
import type { BotSource } from '../../src/ledger/comparison/botFile.ts';
import { guessMapping } from '../../src/ledger/comparison/mapping.ts';
import { recordJson } from '../../src/ledger/storage/recordLines.ts';
import { anOrder, aTrade } from './builders.ts';
import { freqtradeDatabase } from './freqtradeDatabase.ts';
import { ledgerInThisThread } from './ledgerUnderTest.ts';

const trades = 1_000_000;
const fillsOfOrder = 10;
const rows = 100_000;
const stepSize = 5000;
const symbols = ['btc_usdt', 'eth_usdt', 'sol_usdt', 'xrp_usdt', 'ada_usdt'] as const;
const startMs = Date.UTC(2025, 0, 1);

type LargeTrade = ReturnType<typeof tradeAt>;

/** Ten fills of an order, one after the other. */
function tradeAt(number: number) {
  const order = Math.floor(number / fillsOfOrder);
  return {
    tradeId: String(90_000_000 + number),
    orderId: String(50_000_000 + order),
    symbol: symbols[order % symbols.length] ?? symbols[0],
    side: order % 2 === 0 ? 'BUY' : 'SELL',
    amount: `0.${String(((number * 7919) % 100_000) + 1).padStart(5, '0')}`,
    price: `${50_000 + (number % 977)}.${number % 100}`,
    fee: `0.00${String((number * 31) % 100_000).padStart(5, '0')}`,
    rpnl: order % 2 === 0 ? '0' : `-1.${number % 10_007}`,
    feeAsset: 'usdt',
    time: startMs + number * 700,
  } as const;
}

/** A complete ledger with a million trades of 100,000 orders. */
export function writeLargeLedger(file: string): void {
  const ledger = ledgerInThisThread({ file });
  const all = { from: 0, to: 4e12, asOf: 4.1e12, purpose: 'download' } as const;
  const read = { completeness: 'complete', reason: null } as const;
  const walk = ledger.beginWalk({ history: 'trades', ...all });
  for (let first = 0; first < trades; first += stepSize)
    ledger.saveStep(walk.id, stepFrom(first), first);
  ledger.endWalk(walk.id, read);
  const orders = ledger.beginWalk({ history: 'orders', ...all });
  for (let first = 0; first < trades / fillsOfOrder; first += stepSize) {
    const step = Array.from({ length: stepSize }, (_none, index) => {
      const { orderId, symbol, side, time } = tradeAt((first + index) * fillsOfOrder);
      const clientOrderId = `bot-${orderId}`;
      return anOrder({ orderId, clientOrderId, symbol, side, time: String(time) });
    });
    ledger.saveStep(orders.id, step.map(recordJson), first);
  }
  ledger.endWalk(orders.id, read);
  ledger.close();
}

function stepFrom(first: number): string[] {
  return Array.from({ length: stepSize }, (_none, index) => {
    const { time, ...trade } = tradeAt(first + index);
    return recordJson(aTrade({ ...trade, time: String(time) }));
  });
}

export const largeBooks = ['freqtrade', 'csv', 'withoutIds'] as const;
export type LargeBook = (typeof largeBooks)[number];

/** 100,000 rows that agree: each order of the ledger, or a tenth of its trades. */
export function writeLargeBook(file: string, book: LargeBook): BotSource {
  if (book === 'freqtrade') return writeOrders(file);
  const columns = [...(book === 'csv' ? ['trade_id', 'order_id'] : [])];
  columns.push('symbol', 'side', 'amount', 'price', 'fee', 'fee_asset', 'time');
  const lines = Array.from({ length: rows }, (_none, index) => {
    const { tradeId, orderId, ...trade } = tradeAt(trades / 2 + index);
    const { symbol, side, amount, price, fee, feeAsset, time } = trade;
    const ids = book === 'csv' ? [tradeId, orderId] : [];
    return [...ids, symbol, side, amount, price, fee, feeAsset, time].join(',');
  });
  writeFileSync(file, [columns.join(','), ...lines, ''].join('\n'));
  return { file, table: null, mapping: guessMapping(columns) };
}

function writeOrders(file: string): BotSource {
  const { addTrade, addOrder, close } = freqtradeDatabase(file);
  for (let number = 1; number < rows; number += 2) {
    const [open, exit] = [sumOf(number - 1), sumOf(number)];
    addTrade({
      ...{
        id: number,
        pair: open.pair,
        close_profit_abs: open.pnl - open.fee + exit.pnl - exit.fee,
      },
      ...{ fee_open_cost: open.fee, fee_open_currency: 'USDT' },
      ...{ fee_close_cost: exit.fee, fee_close_currency: 'USDT' },
      ...{ open_date: open.date, close_date: exit.date },
    });
    for (const [side, { pair, orderId, average, amount, date }] of [
      ['buy', open],
      ['sell', exit],
    ] as const)
      addOrder({
        ...{ ft_trade_id: number, side, ft_pair: pair, order_id: orderId },
        ...{ average, filled: amount, order_filled_date: date },
      });
  }
  close();
  return { file, table: null, mapping: null };
}

function sumOf(order: number) {
  const first = order * fillsOfOrder;
  const fills: LargeTrade[] = Array.from({ length: fillsOfOrder }, (_none, index) =>
    tradeAt(first + index),
  );
  const add = (figure: (fill: LargeTrade) => number): number =>
    fills.reduce((total, fill) => total + figure(fill), 0);
  const amount = add((fill) => Number(fill.amount));
  const { symbol, orderId } = tradeAt(first);
  return {
    ...{ orderId, pair: `${symbol.toUpperCase().replace('_', '/')}:USDT`, amount },
    average: add((fill) => Number(fill.amount) * Number(fill.price)) / amount,
    fee: add((fill) => Number(fill.fee)),
    pnl: add((fill) => Number(fill.rpnl)),
    date: new Date(tradeAt(first + fillsOfOrder - 1).time)
      .toISOString()
      .replace('T', ' ')
      .slice(0, 23),
  };
}
