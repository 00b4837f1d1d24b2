import Big from 'big.js';
import assert from 'node:assert/strict';
import {
  accountTypes,
  type AccountType,
  accountAssets,
  TransactionHistory,
  type NumberedChange,
} from '../../../../src/practice/account/transactionHistory.ts';
import { TradingHistory } from '../../../../src/practice/account/tradingHistory.ts';
import { historyStart, weekEnd, weekStart } from '../../../../src/practice/account/pagedHistory.ts';
import { sum } from '../../../../src/practice/market/tradingRules.ts';
import { SimulatedExchange } from '../../../../src/practice/simulatedExchange.ts';
import { dayMs, movableClock, noon } from '../movableClock.ts';

const hourMs = 3_600_000;

function sumsOf(
  changes: readonly NumberedChange[],
): (accountType: AccountType, asset: string) => Big {
  const groups = Map.groupBy(changes, ({ accountType, asset }) => `${accountType} ${asset}`);
  return (accountType, asset) =>
    sum((groups.get(`${accountType} ${asset}`) ?? []).map(({ amount }) => amount));
}

const seed = 20_261_120;

describe('balance changes of the practice exchange', () => {
  const tradingHistory = new TradingHistory(seed);
  const transactionHistory = new TransactionHistory(seed, tradingHistory);
  let changes: readonly NumberedChange[];
  before(() => {
    changes = transactionHistory.changes(noon);
  });

  function assertAddsUp(now: number): void {
    const history = transactionHistory.changes(now);
    assert.ok(history.every(({ time }) => time <= now && time >= historyStart(now)));
    const sumOf = sumsOf(history);
    for (const { asset, amount } of transactionHistory.balances(now)) {
      assert.equal(sumOf('FUTURE', asset).toFixed(), amount.toFixed(), asset);
      assert.ok(amount.gt(0), `${asset} ${amount.toFixed()}`);
      assert.match(amount.toFixed(), /^\d+(?:\.\d{1,18})?$/);
      assert.ok(sumOf('SPOT', asset).gte(0), asset);
    }
  }

  it('add up when a week starts, and when the oldest week leaves the history', () => {
    for (let week = weekStart(noon) - 14 * dayMs; week <= noon + 7 * dayMs; week = weekEnd(week)) {
      const oldestWeekLeaves = week - dayMs;
      assert.notEqual(historyStart(oldestWeekLeaves - 1), historyStart(oldestWeekLeaves));
      for (const moment of [oldestWeekLeaves, week])
        for (const offset of [-1000, -1, 0, 1, 1000]) assertAddsUp(moment + offset);
    }
  });

  it('start with a deposit, and add up to zero over a past week', () => {
    const first = changes.at(-1);
    assert.equal(first?.time, historyStart(noon));
    assert.equal(first.type, 'DEPOSIT');
    const end = weekEnd(historyStart(noon));
    const isOfNextWeek = ({ time, type }: NumberedChange) =>
      time > end || (time === end && type !== 'TRANSFER_TO_SPOT' && type !== 'WITHDRAW');
    const sumOf = sumsOf(changes.filter((change) => !isOfNextWeek(change)));
    for (const accountType of accountTypes)
      for (const asset of accountAssets) assert.equal(sumOf(accountType, asset).toFixed(), '0');
  });

  it('are sorted newest first, with unique ids of 19 digits that grow with time', () => {
    for (const [index, { time, transactionId }] of changes.slice(1).entries()) {
      const newer = changes[index];
      assert.ok(newer && newer.time >= time && newer.transactionId > transactionId);
      assert.match(String(transactionId), /^\d{19}$/);
    }
  });

  it('stay the same later, and from another start', () => {
    const textsOf = (history: TransactionHistory, now: number) =>
      history
        .changes(now)
        .filter(({ time }) => time >= noon - 60 * dayMs && time <= noon)
        .map((change) => `${change.transactionId} ${change.type} ${change.amount.toFixed()}`);
    const before = textsOf(transactionHistory, noon);
    const other = new TransactionHistory(seed, new TradingHistory(seed));
    assert.deepEqual(textsOf(transactionHistory, noon + 10 * dayMs), before);
    assert.deepEqual(textsOf(other, noon + 10 * dayMs), before);
  });

  it('include a fee of 0.5 % for a liquidated position', () => {
    const liquidations = tradingHistory
      .liquidations(historyStart(noon), noon)
      .sort((one, other) => other.time - one.time);
    const fees = changes.filter(({ type }) => type === 'LIQUIDATION_FEE');
    assert.ok(liquidations.length > 0);
    assert.deepEqual(
      fees.map(({ time, amount }) => [time, amount.toFixed()]),
      liquidations.map(({ time, filled, averageExecutionPrice }) => {
        const fee = filled.times(averageExecutionPrice).times('-0.005');
        return [time, fee.round(8, Big.roundHalfEven).toFixed()];
      }),
    );
  });

  it('include funding every eight hours, −0.01 to 0.03 % of what is held, which long positions pay', () => {
    const funding = changes.filter(({ type }) => type === 'FUNDING_FEE');
    const byTime = Map.groupBy(funding, ({ time }) => time);
    assert.ok([...byTime.keys()].every((time) => time % (8 * hourMs) === 0));
    for (let time = historyStart(noon) + 8 * hourMs; time < noon; time += 8 * hourMs) {
      const paid = byTime.get(time) ?? [];
      const values = tradingHistory
        .positions(time)
        .map(({ amount, markPrice }) => amount.times(markPrice));
      assert.ok(paid.length <= values.length);
      const limit = (rate: string, otherRate: string) =>
        sum(values.map((value) => value.times(value.gt(0) ? rate : otherRate)));
      const total = sum(paid.map(({ amount }) => amount));
      assert.ok(total.gte(limit('-0.0003', '0.0001').minus('0.000001')));
      assert.ok(total.lte(limit('0.0001', '-0.0003').plus('0.000001')));
    }
  });
});

describe('the balances of the practice account', () => {
  it('leave a free amount, and equity near the deposit, around every Monday', () => {
    for (const seed of [3]) {
      const clock = movableClock(weekStart(noon));
      const exchange = new SimulatedExchange({ seed, clock, weightLimit: 1 });
      for (let offset = -70 * dayMs; offset <= 0; offset += 7 * dayMs) {
        for (const around of [-1, 0, 1, 3.4 * dayMs]) {
          clock.moveTo(weekStart(noon) + offset + around);
          const { assets, equity } = exchange.account();
          const usdt = assets[0];
          assert.ok(usdt?.deposited.minus(usdt.margin).minus(usdt.locked).gt(0));
          assert.ok(equity.gt(15_000) && equity.lt(40_000), equity.toFixed());
        }
      }
    }
  });
});
