import assert from 'node:assert/strict';
import { openOrdersOfWeek } from '../../../src/practice/account/openOrders.ts';
import type { Order } from '../../../src/practice/account/completedOrders.ts';
import { jsonText } from '../../../src/practice/http/jsonResponse.ts';
import { instruments, referencePrice } from '../../../src/practice/market/instruments.ts';
import { markPrice, maxSwing } from '../../../src/practice/market/markPrice.ts';
import { sum } from '../../../src/practice/market/tradingRules.ts';
import { SimulatedExchange } from '../../../src/practice/simulatedExchange.ts';
import { dayMs, movableClock, noon } from './movableClock.ts';

function newExchange(seed = 1, time = noon) {
  const clock = movableClock(time);
  return { clock, exchange: new SimulatedExchange({ seed, clock, weightLimit: 1000 }) };
}

function allOrders(exchange: SimulatedExchange): Order[] {
  const { totalPages } = exchange.orders({}, 0, 500);
  return Array.from(
    { length: totalPages },
    (_, page) => exchange.orders({}, page, 500).content,
  ).flat();
}

const mondayMidnight = Date.UTC(2026, 10, 16);

describe('the simulated exchange', () => {
  it('is the same as another with the same seed', () => {
    const [one, other] = [newExchange(5).exchange, newExchange(5).exchange];
    assert.equal(jsonText(one.account()), jsonText(other.account()));
    assert.equal(jsonText(allOrders(one)), jsonText(allOrders(other)));
    assert.notEqual(jsonText(one.account()), jsonText(newExchange(6).exchange.account()));
  });

  it('is the same as one that starts later, in the past and the present', () => {
    const early = newExchange(5, noon - 17 * dayMs);
    const past = jsonText(allOrders(early.exchange).filter(({ time }) => time > noon - 80 * dayMs));
    early.clock.moveTo(noon);
    const late = newExchange(5);
    const lateOrders = allOrders(late.exchange);
    assert.equal(jsonText(allOrders(early.exchange)), jsonText(lateOrders));
    const latePast = lateOrders.filter(
      ({ time }) => time > noon - 80 * dayMs && time <= noon - 17 * dayMs,
    );
    assert.equal(jsonText(latePast), past);
    const [one, other] = [early, late].map(({ exchange }) => {
      const { positions, assets } = exchange.account();
      return jsonText([positions, assets[0]?.deposited]);
    });
    assert.equal(one, other);
  });

  it('shows an order at its time and not before', () => {
    const { exchange, clock } = newExchange();
    clock.moveBy(dayMs);
    const times = allOrders(exchange).flatMap(({ time }) => (time > noon ? time : []));
    assert.ok(times.length > 5);
    for (const time of times) {
      clock.moveTo(time - 1);
      assert.equal(exchange.orders({ dateFrom: time }, 0).totalElements, 0);
      clock.moveTo(time);
      const expected = times.filter((one) => one === time).length;
      assert.equal(exchange.orders({ dateFrom: time }, 0).totalElements, expected);
    }
  });
});

describe('the account of the simulated exchange', () => {
  const times = [noon, mondayMidnight, mondayMidnight - 1, noon + 40.3 * dayMs];
  for (const [seed, time] of times.entries())
    it(`adds up, seed ${seed}, ${new Date(time).toISOString()}`, () => {
      const { exchange } = newExchange(seed, time);
      const { assets, positions, orders, equity, upl } = exchange.account();
      const [usdt, ...others] = assets;
      assert.ok(usdt?.isMargin && usdt.name === 'usdt');
      assert.ok(others.length >= 2 && others.every(({ isMargin }) => !isMargin));
      assert.ok(upl.eq(sum(positions.map((position) => position.upl))));
      assert.ok(equity.eq(usdt.deposited.plus(upl)));
      assert.ok(usdt.margin.eq(sum(positions.map(({ lockedBalance }) => lockedBalance))));
      assert.ok(usdt.locked.eq(sum(orders.flatMap((one) => [one.lockedAsk, one.lockedBid]))));
      assert.ok(usdt.deposited.minus(usdt.margin).minus(usdt.locked).gt(0));
    });
});

describe('open orders', () => {
  it('depend on the week, not on the start of the exchange', () => {
    const sunday = newExchange(1, mondayMidnight - 60_000);
    const monday = newExchange(1, mondayMidnight + 60_000);
    const before = jsonText(sunday.exchange.account().orders);
    sunday.clock.moveTo(mondayMidnight + 60_000);
    assert.equal(jsonText(sunday.exchange.account()), jsonText(monday.exchange.account()));
    assert.notEqual(jsonText(sunday.exchange.account().orders), before);
    assert.equal(jsonText(sunday.exchange.orders({}, 0)), jsonText(monday.exchange.orders({}, 0)));
  });

  it('are cancelled at the end of their week', () => {
    const lapsed = openOrdersOfWeek(1, mondayMidnight - 7 * dayMs);
    for (const laterMs of [0, 60_000]) {
      const { exchange } = newExchange(1, mondayMidnight + laterMs);
      const { content } = exchange.orders({ statuses: ['CANCELED'] }, 0, 500);
      const canceled = content.filter(({ time }) => time === mondayMidnight);
      const ids = canceled.map(({ orderId }) => orderId);
      for (const { order } of lapsed) assert.ok(ids.includes(order.orderId));
    }
  });

  it('are 8 to 15 bids and asks of several symbols for each of 60 seeds', () => {
    for (let seed = 0; seed < 60; seed++) {
      const orders = openOrdersOfWeek(seed, mondayMidnight).map(({ order }) => order);
      assert.ok(orders.length >= 8 && orders.length <= 15);
      assert.equal(new Set(orders.map(({ side }) => side)).size, 2, String(seed));
      assert.ok(new Set(orders.map(({ symbol }) => symbol)).size >= 4);
      assert.equal(new Set(orders.map(({ orderId }) => orderId)).size, orders.length);
    }
  });

  it('are never reached by a mark price', () => {
    for (const { order } of openOrdersOfWeek(4, mondayMidnight)) {
      const instrument = instruments.find(({ symbol }) => symbol === order.symbol);
      assert.ok(instrument);
      const away = order.price
        .minus(referencePrice(instrument))
        .times(order.side === 'BUY' ? -1 : 1);
      assert.ok(away.gt(referencePrice(instrument).times(maxSwing)));
      const mark = markPrice(4, instrument, noon);
      assert.ok(order.side === 'BUY' ? order.price.lt(mark) : order.price.gt(mark));
    }
  });

  it('have one summary for each symbol', () => {
    const open = openOrdersOfWeek(1, mondayMidnight);
    const { orders } = newExchange().exchange.account();
    assert.equal(new Set(orders.map(({ symbol }) => symbol)).size, orders.length);
    for (const { symbol, sumSizeAsk, sumSizeBid, lockedAsk, lockedBid } of orders) {
      const of = (side: string) =>
        open.filter(({ order }) => order.symbol === symbol && order.side === side);
      assert.ok(sumSizeAsk.eq(sum(of('SELL').map(({ order }) => order.amount))));
      assert.ok(sumSizeBid.eq(sum(of('BUY').map(({ order }) => order.amount))));
      assert.ok(lockedAsk.eq(sum(of('SELL').map(({ locked }) => locked))));
      assert.ok(lockedBid.eq(sum(of('BUY').map(({ locked }) => locked))));
      assert.ok(lockedAsk.plus(lockedBid).gt(0));
    }
  });
});

describe('cancel-all', () => {
  it('moves the open orders to the order history', () => {
    const { exchange, clock } = newExchange();
    const open = openOrdersOfWeek(1, mondayMidnight).map(({ order }) => order.orderId);
    const before = exchange.orders({}, 0).totalElements;
    const canceled = exchange.cancelAll();
    const ids = canceled.map(({ orderId }) => orderId);
    assert.deepEqual(ids, open);
    assert.ok(canceled.every(({ status, time }) => status === 'CANCELED' && time === noon));

    const account = exchange.account();
    assert.deepEqual(account.orders, []);
    assert.equal(account.assets[0]?.locked.toFixed(), '0');
    assert.equal(exchange.orders({}, 0).totalElements, before + open.length);
    clock.moveBy(60_000);
    const inHistory = exchange.orders({ statuses: ['CANCELED'], dateFrom: noon, dateTo: noon }, 0);
    assert.deepEqual(new Set(inHistory.content.map(({ orderId }) => orderId)), new Set(open));
  });

  it('cancels nothing the second time; the next week has new orders', () => {
    const { exchange, clock } = newExchange();
    const canceled = exchange.cancelAll().map(({ orderId }) => orderId);
    assert.deepEqual(exchange.cancelAll(), []);
    clock.moveTo(mondayMidnight + 7 * dayMs - 1);
    assert.deepEqual(exchange.account().orders, []);
    clock.moveBy(1);
    const next = exchange.cancelAll().map(({ orderId }) => orderId);
    assert.ok(next.length > 0);
    assert.ok(next.every((id) => !canceled.includes(id)));
  });

  it('has no effect on an exchange that starts again', () => {
    const { exchange } = newExchange();
    exchange.cancelAll();
    assert.ok(newExchange().exchange.account().orders.length > 0);
  });
});
