import assert from 'node:assert/strict';
import {
  type AccountType,
  type Transaction,
} from '../../../../src/practice/account/transactionHistory.ts';
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

const seed = 20_261_120;

describe('90 days of transactions', () => {
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
});
