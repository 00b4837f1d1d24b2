import Big from 'big.js';
import fc from 'fast-check';
import assert from 'node:assert/strict';
import {
  absolute,
  average,
  compactDecimals,
  compare,
  difference,
  extremes,
  fractionDigits,
  isNumberText,
  isZero,
  negated,
  isSame,
  plain,
  product,
  quotient,
  sign,
  sum,
} from '../../../src/base/decimal.ts';

describe('decimal', () => {
  it('accepts only JSON numbers', () => {
    for (const text of ['0', '-0', '1.10', '1E-7', '9007199254740993', '-12.5e+3'])
      assert.ok(isNumberText(text), text);
    for (const text of [
      '',
      ' 1',
      '01',
      '.5',
      '1.',
      '0x10',
      'NaN',
      '1e9999',
      '1,0',
      '9'.repeat(401),
    ])
      assert.ok(!isNumberText(text), text);
  });

  it('writes every digit without an exponent', () => {
    assert.equal(plain('1E-7'), '0.0000001');
    assert.equal(plain('-1.5e3'), '-1500');
    assert.equal(plain('1.10'), '1.10');
    assert.equal(
      plain('123456789012345678.123456789012345678'),
      '123456789012345678.123456789012345678',
    );
  });

  it('returns the sign, and none for -0', () => {
    assert.deepEqual(['-0', '0.00', '-1E-9', '2'].map(sign), [0, 0, -1, 1]);
  });

  it('sums, subtracts, multiplies, compares and turns the sign as big.js does', () => {
    const number = fc
      .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: -25, max: 8 }))
      .map(([digits, exponent]) => `${digits}e${exponent}`);
    fc.assert(
      fc.property(number, number, (one, other) => {
        const value = new Big(one);
        assert.equal(sum([one, other]), value.plus(other).toFixed());
        assert.equal(difference(one, other), value.minus(other).toFixed());
        assert.equal(product(one, other), value.times(other).toFixed());
        assert.equal(compare(one, other), value.cmp(other));
        assert.ok(value.times(-1).eq(negated(one)) && value.abs().eq(absolute(one)));
        assert.equal(isSame(one, other), value.eq(other));
      }),
    );
    assert.equal(sum([]), '0');
  });

  it('divides to 20 decimals, and not by 0', () => {
    assert.equal(quotient('1', '3'), '0.33333333333333333333');
    assert.throws(() => quotient('1', '0'));
  });

  it('averages with four decimals more than its numbers have, and says if it had to round', () => {
    for (const [texts, text, isExact] of [
      [['1', '2'], '1.5', true],
      [['0.10', '0.20', '0.30'], '0.2', true],
      [['1', '1', '2'], '1.3333', false],
      [['0.05', '0.05', '0.1'], '0.066667', false],
    ] as const)
      assert.deepEqual(average(texts, sum(texts)), { text, isExact });
  });

  it('finds the least and the greatest as they are written, the first of equal ones', () => {
    const numbers = ['1e-20', '-2.50', '1.10', '-2.5', '9007199254740993', '9007199254740993.0'];
    assert.deepEqual(extremes(numbers), { min: '-2.50', max: '9007199254740993' });
    assert.deepEqual(extremes(['-0']), { min: '-0', max: '-0' });
  });

  it('compares numbers by value and other text literally', () => {
    for (const [one, other] of [
      ['-0', '0.00'],
      ['a', 'a'],
      [null, null],
    ] as const)
      assert.ok(isSame(one, other), `${one} ${other}`);
    for (const [one, other] of [
      ['a', 'b'],
      ['0', null],
      ['', '0'],
    ] as const)
      assert.ok(!isSame(one, other) && !isSame(other, one), `${one} ${other}`);
  });

  it('knows 0 in every notation', () => {
    for (const zero of ['0', '-0', '0.00', '0e5', '-0.0E-7']) assert.ok(isZero(zero), zero);
    for (const other of ['10', '0.01', '-1', '0.0000001', '1e-9']) assert.ok(!isZero(other), other);
  });
});

describe('the digits that are shown at first', () => {
  it('are never more than there are, are 0 only for 0, and at most as many decimals as asked for', () => {
    const amounts = fc
      .tuple(fc.stringMatching(/^(0|[1-9][0-9]{0,5})$/), fc.stringMatching(/^0{0,9}[0-9]{0,9}$/))
      .map(([whole, fraction]) => (fraction === '' ? whole : `${whole}.${fraction}`));
    fc.assert(
      fc.property(amounts, fc.constantFrom(8, 30), (amount, most) => {
        const decimals = compactDecimals(amount, most);
        const shown = new Big(amount).round(decimals, Big.roundDown);
        assert.equal(compactDecimals(negated(amount), most), decimals);
        assert.ok(decimals <= fractionDigits(amount));
        assert.ok(new Big(amount).eq(0) || !shown.eq(0));
        assert.ok(decimals <= most || new Big(amount).round(decimals - 1, Big.roundDown).eq(0));
      }),
    );
  });
});
