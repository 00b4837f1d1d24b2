import assert from 'node:assert/strict';
import Big from 'big.js';
import { total } from '../../../src/practice/cash.ts';
import { instruments, partsPerOrder } from '../../../src/practice/instruments.ts';
import { Journal } from '../../../src/practice/journal.ts';
import type { OrderEnd } from '../../../src/practice/orderEnds.ts';
import { orderStatuses, orderTypes, sides } from '../../../src/practice/orders.ts';
import { dayMs, noon } from './movableClock.ts';

const seeds = [0, 1, 20_261_120];

for (const seed of seeds) {
  describe(`90 days of orders, seed ${seed}`, () => {
    let ends: readonly OrderEnd[] = [];
    before(() => {
      ends = new Journal(seed).orderEnds(noon - 90 * dayMs, noon);
    });

    it('are at least 2,000 with trades behind them', () => {
      const traded = ends.filter(({ trades }) => trades.length > 0);
      assert.ok(traded.length >= 2000, String(traded.length));
      assert.ok(traded.flatMap(({ trades }) => trades).length >= 5000);
    });

    it('have every status, side, type and symbol', () => {
      const seen = (pick: (end: OrderEnd) => string) => new Set(ends.map(pick));
      assert.deepEqual(
        seen(({ order }) => order.status),
        new Set(orderStatuses),
      );
      assert.deepEqual(
        seen(({ order }) => order.side),
        new Set(sides),
      );
      assert.deepEqual(
        seen(({ order }) => order.type),
        new Set(orderTypes),
      );
      assert.deepEqual(
        seen(({ order }) => order.symbol),
        new Set(instruments.map(({ symbol }) => symbol)),
      );
    });

    it('are filled by exactly their trades, at exactly their mean price', () => {
      for (const { order, trades } of ends) {
        assert.ok(order.filled.eq(total(trades.map(({ amount }) => amount))));
        const paid = total(trades.map(({ amount, price }) => amount.times(price)));
        assert.ok(order.averageExecutionPrice.times(order.filled).eq(paid), String(order.orderId));
      }
    });

    it('say in their status how much of them was filled', () => {
      for (const { order } of ends) {
        const share =
          order.status === 'CANCELED' ? 0 : order.status === 'PARTIALLY_EXECUTED' ? 1 : 2;
        const found = order.filled.eq(0) ? 0 : order.filled.lt(order.amount) ? 1 : 2;
        assert.equal(found, share, order.status);
      }
    });

    it('never trade beyond their limit, and have a limit only when they are LIMIT', () => {
      for (const { order, trades } of ends) {
        assert.equal(order.price.eq(0), order.type === 'MARKET');
        if (order.type === 'MARKET') continue;
        for (const { price } of trades) {
          assert.ok(order.side === 'BUY' ? price.lte(order.price) : price.gte(order.price));
        }
      }
    });

    it('keep to ticks and lots', () => {
      for (const { order, trades } of ends) {
        const instrument = instruments.find(({ symbol }) => symbol === order.symbol);
        assert.ok(instrument);
        assert.ok(order.amount.mod(instrument.lot.times(partsPerOrder)).eq(0));
        for (const { price, amount } of trades) {
          assert.ok(price.mod(instrument.tick).eq(0) && amount.mod(instrument.lot).eq(0));
        }
      }
    });

    it('have unique ids beyond 2^53 that grow with time', () => {
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

    it('have client order ids in the shape of a UUID', () => {
      const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
      for (const { order } of ends) assert.match(order.clientOrderId, uuid);
    });

    it('have amounts with 18 decimals and prices far below one', () => {
      assert.ok(ends.some(({ order }) => /\.\d{18}$/.test(order.amount.toFixed())));
      assert.ok(ends.some(({ order }) => order.price.gt(0) && order.price.lt('0.00005')));
    });

    it('are charged and rewarded, as takers and as makers', () => {
      const trades = ends.flatMap((end) => end.trades);
      for (const { maker, fee } of trades) assert.ok(maker ? fee.lte(0) : fee.gt(0));
      assert.ok(trades.some(({ maker }) => maker) && trades.some(({ maker }) => !maker));
      assert.ok(trades.some(({ rpnl }) => rpnl.gt(0)) && trades.some(({ rpnl }) => rpnl.lt(0)));
    });
  }).timeout(10_000);
}

describe('realised profit and loss', () => {
  it('is what the money flows of a campaign from flat to flat add up to', () => {
    const ends = new Journal(7).orderEnds(noon - 30 * dayMs, noon);
    for (const { symbol } of instruments) {
      const own = ends
        .filter(({ order }) => order.symbol === symbol)
        .sort((one, other) => one.order.time - other.order.time);
      const isFlat = (end: OrderEnd) => end.held.amount.eq(0);
      const trades = own
        .slice(own.findIndex(isFlat) + 1, own.findLastIndex(isFlat) + 1)
        .flatMap((end) => end.trades);
      assert.ok(trades.length > 100);
      const flow = total(
        trades.map(({ side, amount, price }) =>
          amount.times(price).times(side === 'SELL' ? 1 : -1),
        ),
      );
      const rpnl = total(trades.map((trade) => trade.rpnl));
      // Base prices are rounded four decimals beyond the tick, and money to eight decimals.
      assert.ok(
        flow.minus(rpnl).abs().lt(new Big('0.01')),
        `${symbol} ${flow.toFixed()} ${rpnl.toFixed()}`,
      );
    }
  });
}).timeout(10_000);
