import assert from 'node:assert/strict';
import type { Trade } from '../../../../src/exchange/records.ts';
import type { Checkpoint, CheckpointFees } from '../../../../src/ledger/ledger.ts';
import {
  assertFound,
  audited,
  auditStart,
  ChargedTrades,
  expectedOf,
  feeCheckpoint,
} from '../../../support/auditedFees.ts';
import { aTrade, type Whole } from '../../../support/builders.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const table = [
  { tier: '0', maker: '0.0002', taker: '0.0008' },
  { tier: '1', maker: '-0.0001', taker: '0.0005' },
];

function feesOf(tier: 0 | 1, fees: Partial<CheckpointFees> = {}): CheckpointFees {
  return { tier: String(tier), discount: '0', rates: table[tier] ?? null, table, ...fees };
}

/** A trade of 2,000.02 at this minute, for which a taker of tier 1 pays 1.00001. */
function trade(minute: number, fields: Partial<Whole<Trade>> = {}): Whole<Trade> {
  return aTrade({
    tradeId: String(1000 + minute),
    time: String(auditStart + minute * minuteMs),
    amount: '0.02',
    price: '100001',
    fee: '1.00001',
    type: 'ORDER_BOOK',
    ...fields,
  });
}

/** Twenty trades as they should be, one a minute. */
const usual = Array.from({ length: 20 }, (_none, minute) => trade(minute));
const around: readonly Checkpoint[] = [-1, 60].map((minute) =>
  feeCheckpoint(auditStart + minute * minuteMs, feesOf(1)),
);

/** What is said of a trade among the usual ones, which are as expected. */
function saidOf(
  own: Whole<Trade>,
  checkpoints = around,
  others: readonly Whole<Trade>[] = usual,
): string {
  const trades = [...others, own].sort((one, other) => Number(one.time) - Number(other.time));
  const { markets, undecided, deviations } = audited(trades, checkpoints);
  const [deviation] = deviations;
  if (deviation) {
    const { kind, overcharge, billedAs } = deviation;
    assert.equal(deviation.trade.tradeId, own.tradeId);
    const as = billedAs ? ` as ${billedAs.maker ? 'maker' : 'taker'} of ${billedAs.tier}` : '';
    return `${kind} by ${overcharge}${as}`;
  }
  const [reason] = undecided;
  const expected = markets.reduce((sum, each) => sum + each.asExpected, 0);
  assert.equal(expected + (reason?.count ?? 0), trades.length);
  return reason ? reason.reason : 'asExpected';
}

describe('an audit of fees', () => {
  it('leaves a trade undecided of which a figure is unknown', () => {
    const unknown = aTrade({ ...trade(21), fee: null });
    const { markets, undecided } = audited([...usual, unknown as Whole<Trade>], around);
    assert.deepEqual(undecided, [{ reason: 'unknownFigure', count: 1 }]);
    assert.equal(markets[0]?.undecided, 1);
  });

  it('finds what was paid too much or too little, and adds it up by asset', () => {
    const dearer = trade(10.5, { fee: '1.2' });
    const cheaper = trade(11.5, { fee: '0.9', maker: false });
    const { deviations, sums } = audited(
      [...usual.slice(0, 11), dearer, cheaper, ...usual.slice(11)],
      around,
    );
    assert.deepEqual(
      deviations.map(({ trade: { tradeId }, billedAs, ...others }) => {
        return { tradeId, billedAs, ...others };
      }),
      [
        {
          kind: 'cheaper',
          tradeId: cheaper.tradeId,
          tier: '1',
          rate: '0.0005',
          billedAs: null,
          impliedRate: '0.00044999550004499955',
          expected: '1.00001',
          overcharge: '-0.10001',
        },
        {
          kind: 'dearer',
          tradeId: dearer.tradeId,
          tier: '1',
          rate: '0.0005',
          billedAs: null,
          impliedRate: '0.0005999940000599994',
          expected: '1.00001',
          overcharge: '0.19999',
        },
      ],
    );
    assert.deepEqual(sums, [{ asset: 'usdt', dearer: '0.19999', cheaper: '-0.10001' }]);
  });

  it('names the tier or the side whose rate was taken instead', () => {
    assert.equal(saidOf(trade(5.5, { fee: '1.600016' })), 'dearer by 0.600006 as taker of 0');
    assert.equal(saidOf(trade(5.5, { maker: true })), 'dearer by 1.200012 as taker of 1');
    assert.equal(saidOf(trade(5.5, { fee: '-0.200002' })), 'cheaper by -1.200012 as maker of 1');
    assert.equal(saidOf(trade(5.5, { fee: '1.3' })), 'dearer by 0.29999');
  });

  it('recognizes that a round fee among fees with more digits was not rounded', () => {
    assert.equal(saidOf(trade(10.5, { price: '100021', fee: '1' })), 'cheaper by -0.00021');
    assert.equal(saidOf(trade(10.5, { fee: '2' })), 'dearer by 0.99999');
    assert.equal(saidOf(trade(10.5, { fee: '0' })), 'cheaper by -1.00001');
    // At the end, rounding may have changed.
    assert.equal(saidOf(trade(30, { price: '100021', fee: '1' })), 'unknownRounding');
    assert.equal(saidOf(trade(30, { fee: '3' })), 'dearer by 1.99999');
  });

  it('judges nothing that is not in the quote asset, has no value, or no rates', () => {
    assert.equal(saidOf(trade(5.5, { feeAsset: 'bnb', fee: '9' })), 'otherAsset');
    assert.equal(saidOf(trade(5.5, { symbol: 'btcusdt' })), 'otherAsset');
    assert.equal(saidOf(trade(5.5, { amount: '0', fee: '9' })), 'noValue');
    assert.equal(saidOf(trade(5.5, { type: 'AUCTION', fee: '9' })), 'otherType');
    assert.equal(saidOf(trade(5.5, { type: 'AUCTION' })), 'asExpected');
    const without = feesOf(1, { rates: null });
    for (const checkpoints of [[], [feeCheckpoint(auditStart)], [feeCheckpoint(0, without)]])
      assert.deepEqual(audited(usual, checkpoints).undecided, [{ reason: 'noRates', count: 20 }]);
  });

  it('judges nothing before five fees fitted the fee table in one way', () => {
    const four = usual.slice(0, 4);
    assert.deepEqual(audited(four, around).undecided, [{ reason: 'notLearned', count: 4 }]);
    const unlike = usual.map((each, index) => ({ ...each, fee: `${index + 3}.7` }));
    assert.deepEqual(audited(unlike, around).undecided, [{ reason: 'notLearned', count: 20 }]);
    const dearer = usual.map((each) => ({ ...each, fee: '1.234567' }));
    assert.equal(audited([...usual, ...dearer.slice(0, 15)], around).deviationCount, 15);
  });

  it('accepts a fee before the first checkpoint only if it fits that checkpoint', () => {
    const later = around.map(({ answeredAt, fees }) => feeCheckpoint(answeredAt + dayMs, fees));
    assert.equal(saidOf(trade(5.5), later), 'asExpected');
    assert.equal(saidOf(trade(5.5, { fee: '1.3' }), later), 'unknownTier');
    const earlier = around.map(({ answeredAt, fees }) => feeCheckpoint(answeredAt - dayMs, fees));
    assert.equal(saidOf(trade(5.5, { fee: '1.3' }), earlier), 'unknownTier');
  });

  it('knows no tier between checkpoints that are far apart or of two tiers', () => {
    const between = (first: 0 | 1, last: 0 | 1, days: number): readonly Checkpoint[] => [
      feeCheckpoint(auditStart - minuteMs, feesOf(first)),
      feeCheckpoint(auditStart + days * dayMs, feesOf(last)),
    ];
    const ofTier0 = trade(5.5, { fee: '1.600016' });
    assert.equal(saidOf(ofTier0, between(1, 1, 0.5)), 'dearer by 0.600006 as taker of 0');
    assert.equal(saidOf(ofTier0, between(1, 1, 5)), 'unknownTier');
    assert.equal(saidOf(trade(5.5, { fee: '1.3' }), between(1, 1, 5)), 'dearer by 0.29999');
    assert.equal(saidOf(ofTier0, between(0, 1, 0.5)), 'asExpected');
    assert.equal(saidOf(trade(5.5, { fee: '1.3' }), between(0, 1, 0.5)), 'unknownTier');
    assert.equal(saidOf(trade(5.5, { fee: '1.75' }), between(1, 0, 0.5)), 'dearer by 0.74999');
    assert.equal(saidOf(trade(5.5, { fee: '0.9' }), between(0, 1, 0.5)), 'cheaper by -0.700016');
  });

  it('does not count the edge of a checkpoint as before or after it', () => {
    const [first] = around;
    const changed = feeCheckpoint(auditStart + 5 * minuteMs, feesOf(0));
    const checkpoints = first
      ? [first, changed, feeCheckpoint(auditStart + dayMs / 2, feesOf(0))]
      : [];
    const atEdge = trade(5, { tradeId: '1', fee: '1.600016' });
    assert.equal(saidOf(atEdge, checkpoints, usual.slice(0, 5)), 'asExpected');
    assert.equal(
      saidOf({ ...atEdge, fee: '1.00001' }, checkpoints, usual.slice(0, 5)),
      'asExpected',
    );
  });

  it('learns what the discount is, or judges no discounted fee', () => {
    const discounted = around.map(({ answeredAt }) =>
      feeCheckpoint(answeredAt, feesOf(1, { discount: '10' })),
    );
    const all = (fee: string): Whole<Trade>[] => usual.map((each) => ({ ...each, fee }));
    const units = {
      none: '1.00001',
      percent: '0.900009',
      perMille: '0.9900099',
      basisPoints: '0.99900999',
    };
    for (const [unit, fee] of Object.entries(units)) {
      const { markets, discountIn } = audited(all(fee), discounted);
      assert.deepEqual([markets[0]?.asExpected, discountIn], [20, unit], unit);
      const dearer = trade(10.5, { fee: '1.100011' });
      assert.match(saidOf(dearer, discounted, all(fee)), /^dearer by 0\.[1-2]/, unit);
      // That a rebate is lowered by it was not seen.
      const rebate = trade(10.5, { maker: true, fee: '-0.200002' });
      const said = unit === 'none' ? 'asExpected' : 'unknownDiscount';
      assert.equal(saidOf(rebate, discounted, all(fee)), said, unit);
    }
    const unknown = audited(all('0.7123456'), discounted);
    assert.deepEqual(unknown.undecided, [{ reason: 'unknownDiscount', count: 20 }]);
    assert.equal(unknown.discountIn, null);
  });

  it('reads fees of either sign, and rates in percent', () => {
    const inPercent = table.map(({ tier, maker, taker }) => ({
      tier,
      maker: String(Number(maker) * 100),
      taker: String(Number(taker) * 100),
    }));
    const fees = feesOf(1, { table: inPercent, rates: inPercent[1] ?? null });
    const checkpoints = around.map(({ answeredAt }) => feeCheckpoint(answeredAt, fees));
    const negative = usual.map((each) => ({ ...each, fee: '-1.00001' }));
    assert.equal(saidOf(trade(10.5, { fee: '-1.00001' }), checkpoints, negative), 'asExpected');
    assert.equal(saidOf(trade(10.5, { fee: '-1.2' }), checkpoints, negative), 'dearer by 0.19999');
    assert.equal(audited(negative, checkpoints).ratesIn, 'percent');
    assert.equal(audited(usual, around).ratesIn, 'shares');
    assert.equal(audited(usual.slice(0, 1), around).ratesIn, null);
  });

  it('never reports rounding as a deviation, however an exchange rounds and charges', () => {
    let expected = 0;
    for (let seed = 0; seed < 60; seed += 1) expected += expectedOf(new ChargedTrades(seed));
    assert.ok(expected > 60 * 40 * 0.8, String(expected));
  });

  it('finds an overcharge above rounding', () => {
    for (let seed = 0; seed < 20; seed += 1) assertFound(new ChargedTrades(seed));
  });
});
