import assert from 'node:assert/strict';
import { transactionTypes } from '../../src/practice/account/transactionHistory.ts';
import { instruments, sides } from '../../src/practice/market/instruments.ts';
import type { SimulatedExchange } from '../../src/practice/simulatedExchange.ts';

const orderKinds = [
  ['LIMIT', 'EXECUTED'],
  ['MARKET', 'EXECUTED'],
  ['LIMIT', 'PARTIALLY_EXECUTED'],
  ['LIMIT', 'CANCELED'],
  ['MARKET', 'LIQUIDATED'],
] as const;

const spotTypes = [
  'DEPOSIT',
  'WITHDRAW',
  'REWARD',
  'TRANSFER_TO_SPOT',
  'TRANSFER_TO_FUTURE',
] as const;
const futureTypes = transactionTypes.filter((type) => type !== 'DEPOSIT' && type !== 'WITHDRAW');

/** Asserts that every view of the practice account has something to show, and every history every kind of row. */
export function assertShowsEverything(exchange: SimulatedExchange): void {
  assertAccount(exchange);
  assertHistories(exchange);
}

function assertAccount(exchange: SimulatedExchange): void {
  const { positions, orders, assets } = exchange.account();
  assert.ok(positions.length >= 3, 'positions');
  assert.ok(
    positions.some(({ symbol }) => symbol === 'btc_usdt'),
    'a position in btc_usdt',
  );
  assert.equal(new Set(positions.map(({ amount }) => amount.gt(0))).size, 2, 'long and short');
  assert.ok(
    orders.some(({ lockedAsk }) => lockedAsk.gt(0)),
    'open asks',
  );
  assert.ok(
    orders.some(({ lockedBid }) => lockedBid.gt(0)),
    'open bids',
  );
  const usdt = assets.find(({ isMargin }) => isMargin);
  assert.ok(usdt && usdt.margin.gt(0) && usdt.locked.gt(0), 'locked balances');
  assert.ok(usdt.deposited.minus(usdt.margin).minus(usdt.locked).gt(0), 'a free balance');
  assert.ok(assets.length >= 3 && assets.every(({ deposited }) => deposited.gt(0)), 'assets');
}

function assertHistories(exchange: SimulatedExchange): void {
  const found = ({ totalElements }: { totalElements: number }, what: string) =>
    assert.ok(totalElements > 0, what);
  for (const [type, status] of orderKinds)
    found(exchange.orders({ type, statuses: [status] }, 0, 1), `${type} ${status} orders`);
  for (const side of sides) {
    found(exchange.orders({ side }, 0, 1), `${side} orders`);
    found(exchange.lots({ side }, 0, 1), `${side} lots`);
    found(exchange.trades({ side }, 0, 1), `${side} trades`);
  }
  for (const { symbol } of instruments) found(exchange.lots({ symbol }, 0, 1), `${symbol} lots`);
  const trades = exchange.trades({}, 0, 500).content;
  assert.equal(new Set(trades.map(({ maker }) => maker)).size, 2, 'maker and taker trades');
  assert.ok(trades.some(({ rpnl }) => rpnl.gt(0)) && trades.some(({ rpnl }) => rpnl.lt(0)), 'rpnl');
  for (const type of spotTypes)
    found(exchange.transactions({ accountType: 'SPOT', type }, 0, 1), `SPOT ${type}`);
  for (const type of futureTypes)
    found(exchange.transactions({ accountType: 'FUTURE', type }, 0, 1), `FUTURE ${type}`);
}
