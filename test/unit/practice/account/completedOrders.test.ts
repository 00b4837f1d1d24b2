import assert from 'node:assert/strict';
import { type CompletedOrder } from '../../../../src/practice/account/completedOrders.ts';
import { TradingHistory } from '../../../../src/practice/account/tradingHistory.ts';
import { instruments, partsPerOrder } from '../../../../src/practice/market/instruments.ts';
import { fractionDigits } from '../../../../src/base/decimal.ts';
import { sum } from '../../../../src/practice/market/tradingRules.ts';
import { dayMs, noon } from '../movableClock.ts';

const seed = 20_261_120;

describe('90 days of completed orders', () => {
  let ends: readonly CompletedOrder[] = [];
  before(() => {
    ends = new TradingHistory(seed).completedOrders(noon - 90 * dayMs, noon);
  });

  it('include at least 2,000 orders with trades', () => {
    const traded = ends.filter(({ trades }) => trades.length > 0);
    assert.ok(traded.length >= 2000, String(traded.length));
    assert.ok(traded.flatMap(({ trades }) => trades).length >= 5000);
  });

  it('have the status of their filled amount', () => {
    for (const { order } of ends) {
      const { status, filled, amount } = order;
      assert.equal(filled.eq(0), status === 'CANCELED', status);
      assert.equal(filled.gt(0) && filled.lt(amount), status === 'PARTIALLY_EXECUTED', status);
    }
  });

  it('never trade beyond their limit, and have a limit only if they are LIMIT orders', () => {
    for (const { order, trades } of ends) {
      assert.equal(order.price.eq(0), order.type === 'MARKET');
      if (order.type === 'MARKET') continue;
      for (const { price } of trades) {
        assert.ok(order.side === 'BUY' ? price.lte(order.price) : price.gte(order.price));
      }
    }
  });

  it('have prices on ticks and amounts in lots', () => {
    for (const { order, trades } of ends) {
      const instrument = instruments.find(({ symbol }) => symbol === order.symbol);
      assert.ok(instrument);
      assert.ok(order.amount.mod(instrument.lotSize.times(partsPerOrder)).eq(0));
      for (const { price, amount } of trades) {
        assert.ok(price.mod(instrument.tickSize).eq(0) && amount.mod(instrument.lotSize).eq(0));
      }
    }
  });

  it('have unique ids above 2^53 that grow with time', () => {
    const orders = ends.map(({ order }) => order).sort((one, other) => one.time - other.time);
    for (const [index, { orderId, time }] of orders.entries()) {
      assert.match(String(orderId), /^\d{19}$/);
      const before = orders[index - 1];
      if (before && before.time < time) assert.ok(before.orderId < orderId);
    }
    assert.equal(new Set(orders.map(({ orderId }) => orderId)).size, orders.length);
    assert.equal(new Set(orders.map(({ clientOrderId }) => clientOrderId)).size, orders.length);
    const tradeIds = ends.flatMap(({ trades }) => trades.map(({ tradeId }) => tradeId));
    assert.equal(new Set(tradeIds).size, tradeIds.length);
  });

  it('lead from one position to the next in the order of their ids, also within a millisecond', () => {
    for (const own of Map.groupBy(ends, ({ order }) => order.symbol).values()) {
      const byId = own.toSorted((one, other) => (one.order.orderId < other.order.orderId ? -1 : 1));
      for (const [index, { order, positionAfter }] of byId.slice(1).entries()) {
        const before = byId[index]?.positionAfter ?? assert.fail();
        const change = order.side === 'BUY' ? order.filled : order.filled.neg();
        assert.ok(before.amount.plus(change).eq(positionAfter.amount), String(order.orderId));
      }
    }
  });

  it('have amounts that are multiples of the lot size, and prices far below one', () => {
    const decimals = ends.map(({ order }) => fractionDigits(order.amount.toFixed()));
    assert.ok(Math.max(...decimals) <= 5);
    assert.ok(ends.some(({ order }) => order.price.gt(0) && order.price.lt('0.00005')));
  });
});

describe('realised profit and loss', () => {
  it('is the sum of the money flows of round trips', () => {
    const ends = new TradingHistory(7).completedOrders(noon - 30 * dayMs, noon);
    for (const { symbol } of instruments) {
      const own = ends
        .filter(({ order }) => order.symbol === symbol)
        .sort((one, other) => one.order.time - other.order.time);
      const isFlat = (end: CompletedOrder) => end.positionAfter.amount.eq(0);
      const trades = own
        .slice(own.findIndex(isFlat) + 1, own.findLastIndex(isFlat) + 1)
        .flatMap((end) => end.trades);
      assert.ok(trades.length > 100);
      const flow = sum(
        trades.map((one) => one.amount.times(one.price).times(one.side === 'SELL' ? 1 : -1)),
      );
      const rpnl = sum(trades.map((trade) => trade.rpnl));
      // Base prices are rounded four decimals beyond the tick, and money to eight decimals.
      assert.ok(flow.minus(rpnl).abs().lt('0.01'), `${symbol} ${flow.toFixed()} ${rpnl.toFixed()}`);
    }
  });
});
