import Big from 'big.js';
import assert from 'node:assert/strict';
import { TradingHistory } from '../../../../src/practice/account/tradingHistory.ts';
import {
  accountFees,
  feeTiers,
  tradeFee,
  leverageRules,
  sum,
} from '../../../../src/practice/market/tradingRules.ts';
import { dayMs, noon } from '../movableClock.ts';

describe('leverage rules', () => {
  it('apply to positions', () => {
    const tradingHistory = new TradingHistory(1);
    for (let day = 0; day < 80; day++) {
      for (const position of tradingHistory.positions(noon - day * dayMs)) {
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
});

describe('fee tiers', () => {
  it('have the rates that the account pays', () => {
    const own = feeTiers.find(({ tier }) => tier === accountFees.tier);
    const notional = new Big(10_000);
    assert.ok(own && tradeFee(notional, true).eq(notional.times(own.maker)));
    assert.ok(tradeFee(notional, false).eq(notional.times(own.taker)));
    assert.equal(accountFees.discount, 0);
  });

  for (const seed of [1, 2, 3]) {
    it(`include the account in the tier of its volume, seed ${seed}`, () => {
      const own = feeTiers.find(({ tier }) => tier === accountFees.tier);
      const next = feeTiers.find(({ tier }) => tier === accountFees.tier + 1);
      const tradingHistory = new TradingHistory(seed);
      for (const now of [noon, noon - 20 * dayMs, noon - 40 * dayMs]) {
        const trades = tradingHistory
          .completedOrders(now - 30 * dayMs, now)
          .flatMap((end) => end.trades);
        const volume = sum(trades.map(({ amount, price }) => amount.times(price)));
        assert.ok(own && volume.gte(own.volume30D), volume.toFixed());
        assert.ok(next && volume.lt(next.volume30D), volume.toFixed());
      }
    });
  }
});
