import assert from 'node:assert/strict';
import Big from 'big.js';
import { total } from '../../../src/practice/cash.ts';
import { accountFees, feeTiers, tradeFee } from '../../../src/practice/fees.ts';
import { Journal } from '../../../src/practice/journal.ts';
import { leverageRules } from '../../../src/practice/leverageRules.ts';
import { dayMs, noon } from './movableClock.ts';

/** Each item with the one before it. */
function pairsOf<Item>(items: readonly Item[]): (readonly [Item, Item])[] {
  return items.slice(1).map((item, index) => [items[index] ?? item, item] as const);
}

describe('leverage rules', () => {
  it('are one for each level from 1 to 10', () => {
    assert.deepEqual(
      leverageRules.map(({ leverage }) => leverage),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    );
  });

  it('bound the position more as leverage grows, and ask for less margin', () => {
    for (const [one, next] of pairsOf(leverageRules)) {
      assert.ok(next.positionNotional.lt(one.positionNotional));
      assert.ok(next.initialMargin.lt(one.initialMargin));
      assert.ok(next.maintenanceMargin.lt(one.maintenanceMargin));
    }
  });

  it('are what positions keep to', () => {
    const journal = new Journal(1);
    for (let day = 0; day < 80; day++) {
      for (const position of journal.positions(noon - day * dayMs)) {
        const { leverage, lockedBalance, amount, basePrice } = position;
        const rule = leverageRules.find((one) => one.leverage === leverage);
        const notional = amount.abs().times(basePrice);
        assert.ok(rule && notional.lte(rule.positionNotional));
        const percent = lockedBalance.times(100).div(notional);
        assert.ok(percent.minus(rule.initialMargin).abs().lt('0.001'));
        const left = position.liquidationPrice.minus(basePrice).abs().times(amount.abs());
        const maintained = lockedBalance.minus(left).times(100).div(notional);
        assert.ok(maintained.minus(rule.maintenanceMargin).abs().lt('0.1'), maintained.toFixed(4));
      }
    }
  });
}).timeout(10_000);

describe('fee tiers', () => {
  it('are 0 to 5, from no volume upward', () => {
    assert.deepEqual(
      feeTiers.map(({ tier }) => tier),
      [0, 1, 2, 3, 4, 5],
    );
    assert.ok(feeTiers[0]?.volume30D.eq(0));
    for (const [one, next] of pairsOf(feeTiers)) assert.ok(next.volume30D.gt(one.volume30D));
  });

  it('are cheaper as they grow, to a rebate for makers in the upper ones', () => {
    for (const [one, next] of pairsOf(feeTiers)) {
      assert.ok(next.taker.lt(one.taker) && next.maker.lt(one.maker));
    }
    assert.ok(feeTiers[0]?.maker.gt(0) && feeTiers[5]?.maker.lt(0));
  });

  it('have the rates that the account is charged', () => {
    const own = feeTiers.find(({ tier }) => tier === accountFees.tier);
    const notional = new Big(10_000);
    assert.ok(own && tradeFee(notional, true).eq(notional.times(own.maker)));
    assert.ok(tradeFee(notional, false).eq(notional.times(own.taker)));
    assert.equal(accountFees.discount, 0);
  });

  for (const seed of [1, 2, 3]) {
    it(`have the account in the tier of its volume, seed ${seed}`, () => {
      const own = feeTiers.find(({ tier }) => tier === accountFees.tier);
      const next = feeTiers.find(({ tier }) => tier === accountFees.tier + 1);
      const journal = new Journal(seed);
      for (const now of [noon, noon - 20 * dayMs, noon - 40 * dayMs]) {
        const trades = journal.orderEnds(now - 30 * dayMs, now).flatMap((end) => end.trades);
        const volume = total(trades.map(({ amount, price }) => amount.times(price)));
        assert.ok(own && volume.gte(own.volume30D), volume.toFixed());
        assert.ok(next && volume.lt(next.volume30D), volume.toFixed());
      }
    });
  }
}).timeout(10_000);
