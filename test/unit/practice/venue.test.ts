import assert from 'node:assert/strict';
import { jsonText } from '../../../src/practice/json.ts';
import { total } from '../../../src/practice/cash.ts';
import { markPrice, widestSwing } from '../../../src/practice/prices.ts';
import { instruments, levelPrice } from '../../../src/practice/instruments.ts';
import { restingOrders } from '../../../src/practice/openOrders.ts';
import type { Order } from '../../../src/practice/orders.ts';
import { Venue } from '../../../src/practice/venue.ts';
import { dayMs, movableClock, noon } from './movableClock.ts';

function openVenue(seed = 1, time = noon) {
  const clock = movableClock(time);
  return { clock, venue: new Venue({ seed, clock, weightLimit: 1000 }) };
}

function allOrders(venue: Venue): Order[] {
  const { totalPages } = venue.orders({}, 0, 500);
  return Array.from(
    { length: totalPages },
    (_, page) => venue.orders({}, page, 500).content,
  ).flat();
}

const mondayMidnight = Date.UTC(2026, 10, 16);

describe('a venue', () => {
  it('agrees with another of the same seed', () => {
    const [one, other] = [openVenue(5).venue, openVenue(5).venue];
    assert.equal(jsonText(one.account()), jsonText(other.account()));
    assert.equal(jsonText(allOrders(one)), jsonText(allOrders(other)));
    assert.notEqual(jsonText(one.account()), jsonText(openVenue(6).venue.account()));
  });

  it('agrees with one that is started later about the past and the present', () => {
    const early = openVenue(5, noon - 17 * dayMs);
    const past = jsonText(allOrders(early.venue).filter(({ time }) => time > noon - 80 * dayMs));
    early.clock.moveTo(noon);
    const late = openVenue(5);
    const lateOrders = allOrders(late.venue);
    assert.equal(jsonText(allOrders(early.venue)), jsonText(lateOrders));
    const latePast = lateOrders.filter(
      ({ time }) => time > noon - 80 * dayMs && time <= noon - 17 * dayMs,
    );
    assert.equal(jsonText(latePast), past);
    assert.equal(
      jsonText(early.venue.account().positions),
      jsonText(late.venue.account().positions),
    );
    assert.equal(
      jsonText(early.venue.account().assets[0]?.deposited),
      jsonText(late.venue.account().assets[0]?.deposited),
    );
  });

  it('has history of at least the last 90 days, and more as time passes', () => {
    const { venue, clock } = openVenue();
    const oldest = allOrders(venue).at(-1);
    assert.ok(oldest && oldest.time < noon - 89 * dayMs);
    const before = venue.orders({}, 0).totalElements;
    clock.moveBy(6 * 3_600_000);
    assert.ok(venue.orders({}, 0).totalElements > before);
  });

  it('tells no order before its time', () => {
    const { venue, clock } = openVenue();
    clock.moveBy(dayMs);
    const later = allOrders(venue).filter(({ time }) => time > noon);
    assert.ok(later.length > 5);
    for (const { time } of later) {
      clock.moveTo(time - 1);
      const before = venue.orders({ dateFrom: time }, 0).totalElements;
      clock.moveTo(time);
      assert.deepEqual([before, venue.orders({ dateFrom: time }, 0).totalElements], [0, 1]);
    }
  });

  it('lists the newest first', () => {
    const orders = allOrders(openVenue().venue);
    for (const [index, { time, orderId }] of orders.slice(1).entries()) {
      const newer = orders[index];
      assert.ok(newer && (newer.time > time || (newer.time === time && newer.orderId > orderId)));
    }
  });
}).timeout(10_000);

describe('the account of a venue', () => {
  for (const seed of [1, 2, 3]) {
    for (const time of [noon, mondayMidnight, mondayMidnight - 1, noon + 40.3 * dayMs]) {
      it(`adds up, seed ${seed}, ${new Date(time).toISOString()}`, () => {
        const { venue } = openVenue(seed, time);
        const { assets, positions, orders, equity, upl } = venue.account();
        const [usdt, ...others] = assets;
        assert.ok(usdt?.isMargin && usdt.name === 'usdt');
        assert.ok(others.length >= 2 && others.every(({ isMargin }) => !isMargin));
        assert.ok(upl.eq(total(positions.map((position) => position.upl))));
        assert.ok(equity.eq(usdt.deposited.plus(upl)));
        assert.ok(usdt.margin.eq(total(positions.map(({ lockedBalance }) => lockedBalance))));
        assert.ok(usdt.locked.eq(total(orders.flatMap((one) => [one.lockedAsk, one.lockedBid]))));
        assert.ok(usdt.deposited.minus(usdt.margin).minus(usdt.locked).gt(0));
      });
    }
  }

  it('moves every second', () => {
    const { venue, clock } = openVenue();
    const marks = () => venue.account().positions.map((position) => position.markPrice.toFixed());
    const before = marks();
    clock.moveBy(1000);
    const after = marks();
    for (const [index, mark] of after.entries()) assert.notEqual(mark, before[index]);
  });
}).timeout(10_000);

describe('open orders', () => {
  it('are those of the week, whenever the venue was started', () => {
    const sunday = openVenue(1, mondayMidnight - 60_000);
    const monday = openVenue(1, mondayMidnight + 60_000);
    const before = jsonText(sunday.venue.account().orders);
    sunday.clock.moveTo(mondayMidnight + 60_000);
    assert.equal(jsonText(sunday.venue.account()), jsonText(monday.venue.account()));
    assert.notEqual(jsonText(sunday.venue.account().orders), before);
    assert.equal(jsonText(sunday.venue.orders({}, 0)), jsonText(monday.venue.orders({}, 0)));
  });

  it('are not there before they were placed', () => {
    const { venue, clock } = openVenue(1, mondayMidnight + 3 * 60_000);
    assert.equal(venue.cancelAll().length, 4);
    clock.moveBy(60 * 60_000);
    assert.equal(venue.cancelAll().length, restingOrders(1, mondayMidnight).length - 4);
  });

  it('lapse at the end of their week and stand in the history as canceled', () => {
    const { venue } = openVenue(1, mondayMidnight + 60_000);
    const lapsed = restingOrders(1, mondayMidnight - 7 * dayMs).map(({ order }) => order.orderId);
    const canceledThen = venue
      .orders({ statuses: ['CANCELED'] }, 0, 500)
      .content.filter(({ time }) => time === mondayMidnight)
      .map(({ orderId }) => orderId);
    for (const id of lapsed) assert.ok(canceledThen.includes(id));
  });

  it('are 8 to 15, bids and asks over several symbols, whatever the seed', () => {
    for (let seed = 0; seed < 300; seed++) {
      const orders = restingOrders(seed, mondayMidnight).map(({ order }) => order);
      assert.ok(orders.length >= 8 && orders.length <= 15);
      assert.equal(new Set(orders.map(({ side }) => side)).size, 2, String(seed));
      assert.ok(new Set(orders.map(({ symbol }) => symbol)).size >= 4);
      assert.equal(new Set(orders.map(({ orderId }) => orderId)).size, orders.length);
    }
  });

  it('are out of reach of every mark', () => {
    for (const { order } of restingOrders(4, mondayMidnight)) {
      const instrument = instruments.find(({ symbol }) => symbol === order.symbol);
      assert.ok(instrument);
      const away = order.price.minus(levelPrice(instrument)).times(order.side === 'BUY' ? -1 : 1);
      assert.ok(away.gt(levelPrice(instrument).times(widestSwing)));
      const mark = markPrice(4, instrument, noon);
      assert.ok(order.side === 'BUY' ? order.price.lt(mark) : order.price.gt(mark));
    }
  });

  it('add up to one summary per symbol', () => {
    const open = restingOrders(1, mondayMidnight);
    const { orders } = openVenue().venue.account();
    assert.equal(new Set(orders.map(({ symbol }) => symbol)).size, orders.length);
    for (const { symbol, sumSizeAsk, sumSizeBid, lockedAsk, lockedBid } of orders) {
      const of = (side: string) =>
        open.filter(({ order }) => order.symbol === symbol && order.side === side);
      assert.ok(sumSizeAsk.eq(total(of('SELL').map(({ order }) => order.amount))));
      assert.ok(sumSizeBid.eq(total(of('BUY').map(({ order }) => order.amount))));
      assert.ok(lockedAsk.eq(total(of('SELL').map(({ locked }) => locked))));
      assert.ok(lockedBid.eq(total(of('BUY').map(({ locked }) => locked))));
      assert.ok(lockedAsk.plus(lockedBid).gt(0));
    }
  });
}).timeout(10_000);

describe('cancelling all orders', () => {
  it('moves them from the account to the order history', () => {
    const { venue, clock } = openVenue();
    const open = restingOrders(1, mondayMidnight).map(({ order }) => order.orderId);
    const before = venue.orders({}, 0).totalElements;
    const canceled = venue.cancelAll();
    assert.deepEqual(
      canceled.map(({ orderId }) => orderId),
      open,
    );
    assert.ok(canceled.every(({ status, time }) => status === 'CANCELED' && time === noon));

    const account = venue.account();
    assert.deepEqual(account.orders, []);
    assert.equal(account.assets[0]?.locked.toFixed(), '0');
    assert.equal(venue.orders({}, 0).totalElements, before + open.length);
    clock.moveBy(60_000);
    const inHistory = venue.orders({ statuses: ['CANCELED'], dateFrom: noon, dateTo: noon }, 0);
    assert.deepEqual(new Set(inHistory.content.map(({ orderId }) => orderId)), new Set(open));
  });

  it('finds nothing the second time; the next week has orders of its own', () => {
    const { venue, clock } = openVenue();
    const canceled = venue.cancelAll().map(({ orderId }) => orderId);
    assert.deepEqual(venue.cancelAll(), []);
    clock.moveTo(mondayMidnight + 7 * dayMs - 1);
    assert.deepEqual(venue.account().orders, []);
    clock.moveBy(1);
    const next = venue.cancelAll().map(({ orderId }) => orderId);
    assert.ok(next.length > 0);
    assert.ok(next.every((id) => !canceled.includes(id)));
  });

  it('is forgotten by a venue that is started again', () => {
    const { venue } = openVenue();
    venue.cancelAll();
    assert.ok(openVenue().venue.account().orders.length > 0);
  });
}).timeout(10_000);
