import assert from 'node:assert/strict';
import { dayMs } from '../../../../src/base/time.ts';
import type { Order, Trade } from '../../../../src/exchange/records.ts';
import type { SubjectReport } from '../../../../src/ledger/ledger.ts';
import { reconcile } from '../../../../src/ledger/reconciliation/reconciliation.ts';
import { anOrder, aTrade } from '../../../support/builders.ts';
import { everythingCovered, ledgerInMemory } from '../../../support/ledgerInMemory.ts';

const now = Date.UTC(2026, 10, 20);
const period = { from: now - 90 * dayMs, to: now };
const daysAgo = (days: number): string => String(Math.round(now - days * dayMs));
const soon = 1 / dayMs;

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

  const verdictOf: readonly (readonly [what: string, order: Case, isContradicted?: true])[] = [
    ['was filled in part before', { type: 'LIMIT', listedAt: 55, tradedAt: [56, 55] }],
    ['rests after its first trade', { type: 'LIMIT', listedAt: 40, tradedAt: [39] }],
    ['rests without a trade', { type: 'LIMIT', listedAt: 40, tradedAt: [] }],
    ['has no trade yet', { type: 'MARKET', listedAt: 40, tradedAt: [] }],
    ['is filled at the end of the period', { type: 'MARKET', listedAt: 40, tradedAt: [0.1, 0.1] }],
    ['never rests, and lacks a trade', { type: 'MARKET', listedAt: 55, tradedAt: [55, 55] }, true],
    ['is as old as the period', { type: 'MARKET', listedAt: 89.9, tradedAt: [89.9, 89.9] }],
    ['is as young', { type: 'MARKET', listedAt: 0.1, tradedAt: [0.1, 0.1] }],
    ['is a day from the start', { type: 'MARKET', listedAt: 89, tradedAt: [89, 89] }, true],
    [
      'is less than a day from the start',
      { type: 'MARKET', listedAt: 89 + soon, tradedAt: [89 + soon, 89] },
    ],
    [
      'is more than a day from the end',
      { type: 'MARKET', listedAt: 2, tradedAt: [2, 1 + soon] },
      true,
    ],
    ['is a day from the end', { type: 'MARKET', listedAt: 2, tradedAt: [2, 1] }],
    ['was filled over a month', { type: 'LIMIT', listedAt: 30, tradedAt: [60, 31, 30] }],
    ['has a trade too many', { type: 'LIMIT', listedAt: 89, tradedAt: [89, 89, 89, 89] }, true],
  ];
  for (const [what, order, isContradicted] of verdictOf)
    it(`${isContradicted ? 'contradicts' : 'does not contradict'} one that ${what}`, () => {
      assert.deepEqual(verdictsOf(order), isContradicted ? contradicted : proved);
    });

  it('does not contradict one whose old trades an exchange drops', () => {
    const order = { type: 'LIMIT', listedAt: 55, tradedAt: [56, 55] } as const;
    assert.deepEqual(verdictsOf(order, {}, { from: 0, to: period.to }), proved);
  });

  it('contradicts one whose average is not that of its trades', () => {
    const whole = { type: 'LIMIT', listedAt: 30, tradedAt: [60, 31, 30] } as const;
    const dearer = { ...orderOf(whole, 11), averageExecutionPrice: '51' };
    assert.deepEqual(verdictsOf(whole, { orders: [dearer], trades: tradesOf(whole, 11) }), [
      ['proved'],
      ['contradicted', '11'],
    ]);
  });
});
