import assert from 'node:assert/strict';
import { negated } from '../../../src/base/decimal.ts';
import type { Trade } from '../../../src/exchange/records.ts';
import { audited, auditStart, feeCheckpoint } from '../../support/auditedFees.ts';
import { aTrade, type Whole } from '../../support/builders.ts';
import { testHabits } from '../../support/habits.ts';
import { minuteMs } from '../../../src/base/time.ts';

const table = [
  { tier: '0', maker: '0', taker: '0.0008' },
  { tier: '1', maker: '0', taker: '0.0005' },
];
const checkpoints = [-1, 200].map((minute) =>
  feeCheckpoint(auditStart + minute * minuteMs, {
    tier: '1',
    discount: '0',
    rates: table[1] ?? null,
    table,
  }),
);

/** A trade for which a taker pays 0.2200011, and a maker nothing. */
function trade(minute: number, fields: Partial<Whole<Trade>>): Whole<Trade> {
  return aTrade({
    tradeId: String(1000 + minute),
    time: String(auditStart + minute * minuteMs),
    amount: '0.02',
    price: '22000.11',
    type: 'ORDER_BOOK',
    ...fields,
  });
}

const taken = { maker: false, fee: '0.2200011' } as const;

/** What an audit finds of a trade between a hundred others, of which every fourth took. */
function foundAmong(made: string, wrong: Partial<Whole<Trade>>, isNegative = false) {
  const others = Array.from({ length: 100 }, (_none, minute) =>
    trade(minute, minute % 4 === 0 ? taken : { maker: true, fee: made }),
  );
  const all = [...others.slice(0, 50), trade(49.5, { ...taken, ...wrong }), ...others.slice(50)];
  const trades = isNegative ? all.map((each) => ({ ...each, fee: negated(each.fee) })) : all;
  const { deviations, markets, undecided } = audited(trades, checkpoints);
  assert.deepEqual([markets[0]?.asExpected, undecided], [100, []]);
  return deviations.map(({ kind, overcharge }) => `${kind} ${overcharge}`);
}

const cases: readonly [
  habit: string,
  made: readonly string[],
  wrong: Partial<Whole<Trade>>,
  deviation: string,
  isNegative?: boolean,
][] = [
  [
    'a taker pays 1 in place of 0.22',
    ['0', '0.00', '-0', '0E-8'],
    { fee: '1' },
    'dearer 0.7799989',
  ],
  ['a taker pays nothing', ['0'], { fee: '0' }, 'cheaper -0.2200011'],
  ['a maker pays 1', ['0'], { maker: true, fee: '1' }, 'dearer 1'],
  ['a paid fee is negative', ['0'], { fee: '1' }, 'dearer 0.7799989', true],
];

testHabits(
  'free making',
  cases.map(([habit, fees, wrong, deviation, isNegative]) => ({
    habit: `the maker rate is 0, and ${habit}`,
    source: 'issue 27, or a sibling',
    sees: 'a deviation',
    check: () => {
      for (const made of fees) assert.deepEqual(foundAmong(made, wrong, isNegative), [deviation]);
    },
  })),
);
