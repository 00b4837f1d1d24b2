import assert from 'node:assert/strict';
import { TradingHistory } from '../../../../src/practice/account/tradingHistory.ts';
import { instrumentOf, partsPerOrder } from '../../../../src/practice/market/instruments.ts';
import {
  LiquidationAuction,
  type Lot,
} from '../../../../src/practice/market/liquidationAuction.ts';
import { markPrice } from '../../../../src/practice/market/markPrice.ts';
import { dayMs, noon } from '../movableClock.ts';

const from = noon - 90 * dayMs;

const seed = 20_261_120;

describe('90 days of auction lots', () => {
  const tradingHistory = new TradingHistory(seed);
  const auction = new LiquidationAuction(seed, (start, end) =>
    tradingHistory.liquidations(start, end),
  );
  let lots: readonly Lot[] = [];
  before(() => {
    lots = auction.lots(from, noon);
  });

  it('have unique ids above 2^53', () => {
    assert.equal(new Set(lots.map(({ lotId }) => lotId)).size, lots.length);
    for (const { lotId } of lots) assert.match(String(lotId), /^\d{19}$/);
  });

  it('are sold below the mark price and bought above it, by their discount', () => {
    for (const lot of lots) {
      const { side, averageLiquidationPrice: average, marginCallPrice: mark, discount } = lot;
      const instrument = instrumentOf(lot.symbol);
      assert.ok(mark.eq(markPrice(seed, instrument, lot.updatedAt)));
      assert.ok(side === 'SELL' ? average.lt(mark) : average.gt(mark));
      const share = side === 'SELL' ? mark.minus(average) : average.minus(mark);
      assert.ok(share.minus(discount.times(mark)).abs().lt(mark.times('0.000001')));
      assert.ok(discount.gt('0.001') && discount.lt('0.022'), discount.toFixed());
      assert.ok(Number.isInteger(lot.totalBids) && lot.totalBids >= 1);
      assert.ok(lot.amount.gt(0) && lot.amount.mod(instrument.lotSize.times(partsPerOrder)).eq(0));
    }
  });

  it('include one lot for each liquidated order of the account', () => {
    const own = tradingHistory.liquidations(from, noon);
    assert.ok(own.length > 0 && own.length < lots.length);
    for (const order of own) {
      const lot = lots.find(({ updatedAt }) => updatedAt === order.time);
      assert.ok(lot);
      assert.ok(lot.amount.eq(order.filled));
      assert.deepEqual([lot.symbol, lot.side], [order.symbol, order.side]);
      assert.ok(lot.averageLiquidationPrice.eq(order.averageExecutionPrice));
    }
  });

  it('appear at their time and not before', () => {
    const [one] = auction.lots(noon - 3 * dayMs, noon);
    assert.ok(one);
    const counts = [-1, 0].map((offset) => auction.lots(from, one.updatedAt + offset).length);
    assert.equal((counts[1] ?? 0) - (counts[0] ?? 0), 1);
  });
});
