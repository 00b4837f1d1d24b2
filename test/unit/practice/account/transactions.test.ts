import assert from 'node:assert/strict';
import {
  type AccountType,
  type Transaction,
} from '../../../../src/practice/account/transactionHistory.ts';
import { sum } from '../../../../src/practice/market/tradingRules.ts';
import { SimulatedExchange } from '../../../../src/practice/simulatedExchange.ts';
import { dayMs, movableClock, noon } from '../movableClock.ts';

const since = noon - 90 * dayMs;

function newExchange(seed: number) {
  return new SimulatedExchange({ seed, clock: movableClock(), weightLimit: 1000 });
}

function allOf(exchange: SimulatedExchange, accountType: AccountType): Transaction[] {
  const filter = { accountType, dateFrom: since };
  const { totalPages } = exchange.transactions(filter, 0, 500);
  return Array.from(
    { length: totalPages },
    (_, page) => exchange.transactions(filter, page, 500).content,
  ).flat();
}

for (const seed of [0, 20_261_120]) {
  describe(`90 days of transactions, seed ${seed}`, () => {
    let of: Record<AccountType, Transaction[]>;
    let all: Transaction[];
    before(() => {
      const exchange = newExchange(seed);
      of = { SPOT: allOf(exchange, 'SPOT'), FUTURE: allOf(exchange, 'FUTURE') };
      all = [...of.SPOT, ...of.FUTURE];
    });

    it('have the sign of their type', () => {
      for (const { type, amount } of all) {
        if (type === 'DEPOSIT' || type === 'REWARD') assert.ok(amount.gt(0), type);
        if (type === 'WITHDRAW' || type === 'LIQUIDATION_FEE') assert.ok(amount.lt(0), type);
      }
      for (const { type, amount } of of.SPOT) {
        if (type === 'TRANSFER_TO_FUTURE') assert.ok(amount.lt(0));
        if (type === 'TRANSFER_TO_SPOT') assert.ok(amount.gt(0));
      }
    });

    it('share a UUID and add up to zero for the two sides of a transfer', () => {
      const groups = Map.groupBy(all, (one) => one.transactionUuid);
      for (const group of groups.values()) {
        const [first, second] = group;
        assert.match(first?.transactionUuid ?? '', /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
        assert.equal(group.length, first?.type.startsWith('TRANSFER_') ? 2 : 1);
        if (!second) continue;
        assert.ok(sum(group.map(({ amount }) => amount)).eq(0));
        assert.deepEqual(
          [second.type, second.asset, second.time, second.link],
          [first?.type, first?.asset, first?.time, first?.link],
        );
        assert.ok(of.SPOT.some(({ transactionId }) => transactionId === first?.transactionId));
        assert.ok(of.FUTURE.some(({ transactionId }) => transactionId === second.transactionId));
      }
    });
  });
}
