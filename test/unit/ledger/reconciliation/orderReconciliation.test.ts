import assert from 'node:assert/strict';
import { dayMs } from '../../../../src/base/time.ts';
import type { Order, Trade } from '../../../../src/exchange/records.ts';
import type { SubjectReport } from '../../../../src/ledger/ledger.ts';
import { reconcile } from '../../../../src/ledger/reconciliation/reconciliation.ts';
import { anOrder, aTrade } from '../../../support/builders.ts';
import { everythingCovered, ledgerInMemory } from '../../../support/ledgerInMemory.ts';

const now = Date.UTC(2026, 10, 20);
const period = { from: now - 90 * dayMs, to: now };
const daysAgo = (days: number): string => String(now - days * dayMs);

/** An order of 3, and a trade of 1 at each of these times, in days before now. */
type Case = {
  readonly type: Order['type'];
  readonly listedAt: number;
  readonly tradedAt: readonly number[];
};

function orderOf({ type, listedAt }: Case, id: number): Order {
  return anOrder({
    orderId: String(id),
    type,
    time: daysAgo(listedAt),
    status: 'EXECUTED',
    amount: '3',
    filled: '3',
    averageExecutionPrice: '50',
  });
}

function tradesOf({ tradedAt }: Case, id: number): readonly Trade[] {
  return tradedAt.map((days, index) =>
    aTrade({
      tradeId: String(100 * id + index),
      orderId: String(id),
      time: daysAgo(days),
      amount: '1',
      price: '50',
    }),
  );
}

/** The same case ten times, in which order and trades agree, and then `last`. */
function subjectsOf(
  last: Case,
  { orders = [], trades = [] }: { orders?: readonly Order[]; trades?: readonly Trade[] } = {},
  covered = period,
): readonly SubjectReport[] {
  const usual: Case[] = Array.from({ length: 10 }, (_none, index) => {
    const at = 5 + index;
    return { type: 'LIMIT', listedAt: at, tradedAt: [at, at, at] };
  });
  const cases = [...usual, last];
  const identities = reconcile(
    ledgerInMemory({
      checkpoints: [],
      records: {
        orders: [...cases.map(orderOf), ...orders],
        trades: [...cases.flatMap(tradesOf), ...trades],
      },
      coverage: everythingCovered(covered),
    }),
  );
  return identities
    .filter(({ identity }) => ['filled', 'averageExecutionPrice'].includes(identity))
    .flatMap(({ subjects }) => subjects);
}

const verdictsOf = (...args: Parameters<typeof subjectsOf>) =>
  subjectsOf(...args).map(({ verdict, contradictions }) => [
    verdict,
    ...contradictions.map(({ key }) => key),
  ]);

const proved = [['proved'], ['proved']];
const contradicted = [
  ['contradicted', '10'],
  ['contradicted', '10'],
];

describe('the reconciliation of orders with their trades', () => {
  it('contradicts no order of which a trade may be unknown', () => {
    const last: Case = { type: 'MARKET', listedAt: 20, tradedAt: [20, 20] };
    assert.deepEqual(verdictsOf(last), contradicted);
    const fields = { orderId: '10', tradeId: '7', time: daysAgo(20), amount: '1', price: '50' };
    for (const unknown of [{ amount: null }, { orderId: null }])
      for (const [verdict, key] of verdictsOf(last, {
        trades: [aTrade({ ...fields, ...unknown })],
      }))
        assert.deepEqual([verdict === 'contradicted', key], [false, undefined]);
  });

  it('does not contradict an order that was filled in part before the period, however long it rested', () => {
    const order = { type: 'LIMIT', listedAt: 55, tradedAt: [56, 55] } as const;
    assert.deepEqual(verdictsOf(order), proved);
    const dropped = { from: 0, to: period.to };
    assert.deepEqual(verdictsOf(order, {}, dropped), proved, 'an exchange drops old trades');
  });

  it('does not contradict an order that is listed when it is placed and filled after the period', () => {
    assert.deepEqual(verdictsOf({ type: 'LIMIT', listedAt: 40, tradedAt: [39] }), proved);
    assert.deepEqual(verdictsOf({ type: 'LIMIT', listedAt: 40, tradedAt: [] }), proved);
    for (const tradedAt of [[], [0.1, 0.1]])
      assert.deepEqual(verdictsOf({ type: 'MARKET', listedAt: 40, tradedAt }), proved);
  });

  it('contradicts an order that never rests and lacks a trade, within the period', () => {
    const order = (days: number): Case => ({
      type: 'MARKET',
      listedAt: days,
      tradedAt: [days, days],
    });
    assert.deepEqual(verdictsOf(order(55)), contradicted);
    assert.deepEqual(verdictsOf(order(89.9)), proved);
    assert.deepEqual(verdictsOf(order(0.1)), proved);
  });

  it('contradicts an order with a trade too many, and one whose average is not that of its trades', () => {
    const twice = { type: 'LIMIT', listedAt: 89, tradedAt: [89, 89, 89, 89] } as const;
    assert.deepEqual(verdictsOf(twice), contradicted);
    const whole = { type: 'LIMIT', listedAt: 30, tradedAt: [60, 31, 30] } as const;
    assert.deepEqual(verdictsOf(whole), proved);
    const dearer = { ...orderOf(whole, 11), averageExecutionPrice: '51' };
    assert.deepEqual(verdictsOf(whole, { orders: [dearer], trades: tradesOf(whole, 11) }), [
      ['proved'],
      ['contradicted', '11'],
    ]);
  });
});
