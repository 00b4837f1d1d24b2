import assert from 'node:assert/strict';
import { Auction } from '../../../src/practice/auction.ts';
import { instrumentOf, instruments, partsPerOrder } from '../../../src/practice/instruments.ts';
import { Journal } from '../../../src/practice/journal.ts';
import type { Lot } from '../../../src/practice/lots.ts';
import { markPrice } from '../../../src/practice/prices.ts';
import { dayMs, noon } from './movableClock.ts';

const from = noon - 90 * dayMs;

for (const seed of [0, 20_261_120]) {
  describe(`90 days of lots, seed ${seed}`, () => {
    const journal = new Journal(seed);
    const auction = new Auction(seed, journal);
    let lots: readonly Lot[] = [];
    before(() => {
      lots = auction.lots(from, noon);
    });

    it('are at least 20, of every symbol and both sides', () => {
      assert.ok(lots.length >= 20);
      assert.equal(new Set(lots.map(({ side }) => side)).size, 2);
      assert.equal(new Set(lots.map(({ symbol }) => symbol)).size, instruments.length);
    });

    it('have unique ids beyond 2^53', () => {
      assert.equal(new Set(lots.map(({ lotId }) => lotId)).size, lots.length);
      for (const { lotId } of lots) assert.match(String(lotId), /^\d{19}$/);
    });

    it('are sold below the mark and bought above it, by their discount', () => {
      for (const lot of lots) {
        const { side, averageLiquidationPrice: average, marginCallPrice: mark, discount } = lot;
        const instrument = instrumentOf(lot.symbol);
        assert.ok(mark.eq(markPrice(seed, instrument, lot.updatedAt)));
        assert.ok(side === 'SELL' ? average.lt(mark) : average.gt(mark));
        const share = side === 'SELL' ? mark.minus(average) : average.minus(mark);
        assert.ok(share.minus(discount.times(mark)).abs().lt(mark.times('0.000001')));
        assert.ok(discount.gt('0.001') && discount.lt('0.022'), discount.toFixed());
        assert.ok(Number.isInteger(lot.totalBids) && lot.totalBids >= 1);
        assert.ok(lot.amount.gt(0) && lot.amount.mod(instrument.lot.times(partsPerOrder)).eq(0));
      }
    });

    it('are one for each liquidated order, beside those of others', () => {
      const own = journal.orderEnds(from, noon).filter((end) => end.order.status === 'LIQUIDATED');
      assert.ok(own.length > 0 && own.length < lots.length);
      for (const { order } of own) {
        const lot = lots.find(({ updatedAt }) => updatedAt === order.time);
        assert.ok(lot);
        assert.ok(lot.amount.eq(order.filled));
        assert.deepEqual([lot.symbol, lot.side], [order.symbol, order.side]);
        assert.ok(lot.averageLiquidationPrice.eq(order.averageExecutionPrice));
      }
    });

    it('are told at their time and not before', () => {
      const [one] = auction.lots(noon - 3 * dayMs, noon);
      assert.ok(one);
      const counts = [-1, 0].map((offset) => auction.lots(from, one.updatedAt + offset).length);
      assert.equal((counts[1] ?? 0) - (counts[0] ?? 0), 1);
    });
  }).timeout(30_000);
}
