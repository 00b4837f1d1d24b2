import fc from 'fast-check';
import assert from 'node:assert/strict';
import { notionalOf, riskLimits } from '../../../../src/account/session/positionRisk.ts';
import { sign } from '../../../../src/base/decimal.ts';
import { aPosition } from '../../../support/builders.ts';
import { riskOf, risksOf } from '../../../support/risks.ts';

/** A position whose liquidation is so far from a mark price of 100. */
function at(distance: string | null, symbol = 'btc_usdt') {
  const liquidationPrice = distance === null ? null : String(100 - Number(distance));
  return aPosition({ symbol, markPrice: '100', liquidationPrice });
}

describe('the distance to liquidation', () => {
  it('is the gap between mark and liquidation price in percent of the mark price', () => {
    const risk = (markPrice: string, liquidationPrice: string) =>
      riskOf(aPosition({ markPrice, liquidationPrice })).distancePercent;
    assert.equal(risk('100', '80'), '20');
    assert.equal(risk('100', '112.5'), '12.5');
    assert.equal(risk('3e-30', '2e-30'), '33.33333333333333333333');
    assert.equal(risk('0.1', '0.09999999999999999999'), '0.00000000000000001');
  });

  it('is unknown when a price is absent, 0 or below, and so is the band', () => {
    for (const [markPrice, liquidationPrice] of [
      ['100', null],
      [null, '90'],
      [null, null],
      ['100', '0'],
      ['100', '-0'],
      ['100', '-5'],
      ['0', '90'],
      ['0.00', '0'],
      ['-100', '90'],
    ] as const) {
      const { distancePercent, band } = riskOf(aPosition({ markPrice, liquidationPrice }));
      assert.deepEqual([distancePercent, band], [null, 'unknown']);
    }
  });

  it('is unknown of a flat position, which an exchange may list with its old liquidation price', () => {
    for (const amount of ['0', '0.00', '-0', '0E+3']) {
      const flat = aPosition({ amount, markPrice: '100', liquidationPrice: '99' });
      const { distancePercent, isPast, band } = riskOf(flat);
      assert.deepEqual([distancePercent, isPast, band], [null, false, 'unknown']);
      const [first, last] = risksOf([flat, at('50')]);
      assert.deepEqual([first?.band, last?.position], ['notNear', flat]);
    }
  });

  it('decides the band, a limit being within it', () => {
    const bands = ['0', '4.99', '5', '5.01', '10', '10.01', '99'].map(
      (distance) => riskOf(at(distance)).band,
    );
    assert.deepEqual(bands, [
      'critical',
      'critical',
      'critical',
      'near',
      'near',
      'notNear',
      'notNear',
    ]);
  });

  it('is kept when the price is past the liquidation price, and the position is critical and first', () => {
    const risk = (amount: string, markPrice: string, liquidationPrice: string) =>
      riskOf(aPosition({ amount, markPrice, liquidationPrice }));
    for (const [amount, mark, band, isPast] of [
      ['1', '85', 'critical', true],
      ['-1', '125', 'critical', true],
      ['1', '100', 'critical', true],
      ['1', '125', 'notNear', false],
      ['-1', '85', 'notNear', false],
    ] as const) {
      const found = risk(amount, mark, '100');
      assert.deepEqual([found.band, found.isPast], [band, isPast], `${amount} ${mark}`);
    }
    assert.equal(risk('-1', '125', '100').distancePercent, '20');
    const past = aPosition({ amount: '1', markPrice: '85', liquidationPrice: '100' });
    const [first] = risksOf([at('1'), at(null), past]);
    assert.equal(first?.position, past);
  });

  it('orders positions, the nearest first and the unknown last, equals as they came', () => {
    const positions = [at(null, 'a'), at('20', 'b'), at('3', 'c'), at(null, 'd'), at('3', 'e')];
    const symbols = risksOf(positions).map(({ position }) => position.symbol);
    assert.deepEqual(symbols, ['c', 'e', 'b', 'a', 'd']);
  });

  it('sorts any positions this way, loses none, and does not change the list', () => {
    const price = fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 1000 }).map(String));
    const position = fc
      .record({ markPrice: fc.integer({ min: 0, max: 1000 }).map(String), liquidationPrice: price })
      .map(aPosition);
    fc.assert(
      fc.property(fc.array(position), (positions) => {
        const before = [...positions];
        const risks = risksOf(positions);
        assert.deepEqual(positions, before);
        assert.deepEqual(new Set(risks.map((risk) => risk.position)), new Set(positions));
        const distances = risks.map(({ distancePercent, isPast }) => {
          const distance = Number(distancePercent ?? Infinity);
          return isPast ? distance - 1e9 : distance;
        });
        assert.deepEqual(
          distances,
          distances.toSorted((a, b) => (a === b ? 0 : a - b)),
        );
      }),
    );
  });
});

describe('the limits of risk', () => {
  it('are accepted when 0 < critical ≤ near ≤ 100', () => {
    assert.deepEqual(riskLimits(10, 5), { nearPercent: 10, criticalPercent: 5 });
    assert.deepEqual(riskLimits(2.5, 2.5), { nearPercent: 2.5, criticalPercent: 2.5 });
    for (const [near, critical] of [
      [5, 10],
      [10, 0],
      [10, -1],
      [101, 5],
      [NaN, 5],
      ['10', 5],
      [10, null],
    ])
      assert.equal(riskLimits(near, critical), undefined, `${String(near)} ${String(critical)}`);
  });
});

describe('the notional', () => {
  it('is |amount × markPrice| with every digit', () => {
    const notional = (amount: string, markPrice: string) =>
      notionalOf(aPosition({ amount, markPrice }));
    assert.equal(notional('-0.25', '50050'), '12512.5');
    assert.equal(notional('0', '50050'), '0');
    assert.equal(
      notional('123456789012345.678901234567891', '0.000000000000001'),
      '0.123456789012345678901234567891',
    );
    assert.equal(sign(notional('-1E-7', '1e-7') ?? '0'), 1);
  });
});
