import assert from 'node:assert/strict';
import type { Position } from '../../../../src/practice/account/netPosition.ts';
import { TradingHistory } from '../../../../src/practice/account/tradingHistory.ts';
import { instrumentOf } from '../../../../src/practice/market/instruments.ts';
import { markPrice } from '../../../../src/practice/market/markPrice.ts';
import { SeededRandom } from '../../../../src/practice/market/seededRandom.ts';
import { dayMs, noon } from '../movableClock.ts';

type Snapshot = { readonly seed: number; readonly time: number; readonly positions: Position[] };

/** Many moments of a few days for several seeds, and moments of ten years for the default seed. */
function takeSnapshots(): Snapshot[] {
  const days = Array.from({ length: 80 }, (_, index) => noon - Math.floor(index * 0.137 * dayMs));
  const random = new SeededRandom('moments');
  const years = Array.from({ length: 100 }, () =>
    random.integer(Date.UTC(2024, 0), Date.UTC(2034, 0)),
  );
  const seeds = Array.from({ length: 4 }, (_, index) => index * 7_919);
  return [...seeds.map((seed) => [seed, days] as const), [1, years] as const].flatMap(
    ([seed, times]) => {
      const tradingHistory = new TradingHistory(seed);
      return times.map((time) => ({ seed, time, positions: tradingHistory.positions(time) }));
    },
  );
}

describe('positions of the practice exchange', () => {
  let snapshots: readonly Snapshot[];
  before(() => {
    snapshots = takeSnapshots();
  });

  const each = (check: (position: Position, seed: number, time: number) => void): void => {
    for (const { seed, time, positions } of snapshots) {
      for (const position of positions) check(position, seed, time);
    }
  };

  it('are always three to five, one per symbol, with btc_usdt, long and short ones', () => {
    for (const { seed, time, positions } of snapshots) {
      const moment = `seed ${seed}, ${new Date(time).toISOString()}`;
      assert.ok(positions.length >= 3 && positions.length <= 5, moment);
      const symbols = new Set(positions.map(({ symbol }) => symbol));
      assert.ok(symbols.has('btc_usdt') && symbols.size === positions.length, moment);
      const isLong = new Set(positions.map(({ amount }) => amount.gt(0)));
      assert.equal(isLong.size, 2, moment);
    }
  });

  it('include btc_usdt around every order of it', () => {
    const tradingHistory = new TradingHistory(1);
    const orders = tradingHistory.completedOrders(noon - 30 * dayMs, noon);
    const times = orders.flatMap(({ order }) => (order.symbol === 'btc_usdt' ? order.time : []));
    assert.ok(times.length > 200);
    for (const time of times) {
      for (const moment of [time - 1, time, time + 1]) {
        const symbols = tradingHistory.positions(moment).map(({ symbol }) => symbol);
        assert.ok(symbols.includes('btc_usdt'), new Date(moment).toISOString());
      }
    }
  });

  it('are valued exactly at the current mark price', () => {
    each(({ symbol, markPrice: mark, upl, amount, basePrice }, seed, time) => {
      assert.ok(mark.eq(markPrice(seed, instrumentOf(symbol), time)));
      assert.ok(upl.eq(amount.times(mark.minus(basePrice))));
    });
  });

  it('lock the initial margin of their leverage, which is a whole number from 1 to 10', () => {
    each(({ lockedBalance, amount, basePrice, leverage, upl, uplPercentage }) => {
      assert.ok(Number.isInteger(leverage) && leverage >= 1 && leverage <= 10);
      const over = lockedBalance.times(leverage).minus(amount.abs().times(basePrice));
      assert.ok(over.gte(0) && over.lt('0.0000001'));
      const shown = uplPercentage.times(lockedBalance).div(100);
      assert.ok(shown.minus(upl).abs().lte(lockedBalance.times('0.00005').plus('0.0000001')));
    });
  });

  it('have a liquidation price below a long mark price and above a short one', () => {
    each(({ amount, markPrice: mark, liquidationPrice }) => {
      assert.ok(liquidationPrice.gt(0));
      assert.ok(amount.gt(0) ? liquidationPrice.lt(mark) : liquidationPrice.gt(mark));
    });
  });
});
