import assert from 'node:assert/strict';
import Big from 'big.js';
import { instruments } from '../../../src/practice/instruments.ts';
import { Journal } from '../../../src/practice/journal.ts';
import type { Position } from '../../../src/practice/positions.ts';
import { markPrice } from '../../../src/practice/prices.ts';
import { dayMs, noon } from './movableClock.ts';

const moments = Array.from(
  { length: 80 },
  (_, index) => noon - Math.floor(index * 0.137_213 * dayMs),
);
const seeds = Array.from({ length: 10 }, (_, index) => index * 7_919);

describe('positions of the practice exchange', () => {
  const snapshots: { seed: number; time: number; positions: Position[] }[] = [];
  before(() => {
    for (const seed of seeds) {
      const journal = new Journal(seed);
      for (const time of moments)
        snapshots.push({ seed, time, positions: journal.positions(time) });
    }
  });

  const each = (check: (position: Position, seed: number, time: number) => void): void => {
    for (const { seed, time, positions } of snapshots) {
      for (const position of positions) check(position, seed, time);
    }
  };
  const shareWhere = (claim: (positions: Position[]) => boolean): number =>
    snapshots.filter(({ positions }) => claim(positions)).length / snapshots.length;

  it('are nearly always three to five', () => {
    assert.ok(shareWhere(({ length }) => length >= 3 && length <= 5) > 0.99);
    assert.equal(
      shareWhere(({ length }) => length >= 1),
      1,
    );
  });

  it('are nearly always long and short ones', () => {
    const isMixed = (positions: Position[]) =>
      positions.some(({ amount }) => amount.gt(0)) && positions.some(({ amount }) => amount.lt(0));
    assert.ok(shareWhere(isMixed) > 0.99);
  });

  it('are one per symbol', () => {
    for (const { positions } of snapshots) {
      assert.equal(new Set(positions.map(({ symbol }) => symbol)).size, positions.length);
    }
  });

  it('are valued exactly at the mark of the moment', () => {
    each(({ symbol, markPrice: mark, upl, amount, basePrice }, seed, time) => {
      const instrument = instruments.find((one) => one.symbol === symbol);
      assert.ok(instrument && mark.eq(markPrice(seed, instrument, time)));
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

  it('are liquidated below a long mark and above a short one', () => {
    each(({ amount, markPrice: mark, liquidationPrice }) => {
      assert.ok(liquidationPrice.gt(0));
      assert.ok(amount.gt(0) ? liquidationPrice.lt(mark) : liquidationPrice.gt(mark));
    });
  });

  it('have every leverage among them', () => {
    const seen = new Set(
      snapshots.flatMap(({ positions }) => positions.map((one) => one.leverage)),
    );
    assert.ok(seen.size >= 8, [...seen].join());
  });

  it('are the net of the trades since the account was flat', () => {
    const journal = new Journal(3);
    const trades = journal
      .orderEnds(noon - 30 * dayMs, noon)
      .sort((one, other) => one.order.time - other.order.time);
    for (const { symbol, amount } of journal.positions(noon)) {
      const own = trades.filter(({ order }) => order.symbol === symbol);
      const sinceFlat = own.slice(own.findLastIndex(({ held }) => held.amount.eq(0)) + 1);
      const net = sinceFlat
        .flatMap((end) => end.trades)
        .reduce(
          (sum, trade) => sum.plus(trade.side === 'BUY' ? trade.amount : trade.amount.neg()),
          new Big(0),
        );
      assert.ok(net.eq(amount), symbol);
    }
  });
}).timeout(10_000);
