import assert from 'node:assert/strict';
import Big from 'big.js';
import fc from 'fast-check';
import { glance } from '../../../src/base/format.ts';

describe('format', () => {
  it('cuts a glance to two decimals from 1 up, toward zero', () => {
    assert.equal(glance('12345.679'), '12345.67');
    assert.equal(glance('-12345.679'), '-12345.67');
    assert.equal(glance('1'), '1.00');
    assert.equal(glance('9.999'), '9.99');
  });

  it('cuts a glance to four significant digits below 1, toward zero', () => {
    assert.equal(glance('0.123456'), '0.1234');
    assert.equal(glance('-0.00099999'), '-0.0009999');
    assert.equal(glance('1E-18'), '0.000000000000000001');
    assert.equal(glance('0.5'), '0.5');
  });

  it('shows zero as 0, whatever its notation', () => {
    assert.deepEqual(['0', '-0', '0.000', '0e5'].map(glance), ['0', '0', '0', '0']);
  });

  it('never promises more than there is', () => {
    const amounts = fc
      .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 24 }))
      .map(([digits, scale]) => new Big(digits.toString()).div(new Big(10).pow(scale)).toFixed());
    fc.assert(
      fc.property(amounts, (amount) => {
        const shown = new Big(glance(amount));
        assert.ok(shown.abs().lte(new Big(amount).abs()));
        assert.ok(new Big(amount).eq(0) || !shown.eq(0));
      }),
    );
  });
});
