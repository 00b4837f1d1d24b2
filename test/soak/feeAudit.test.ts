import assert from 'node:assert/strict';
import { assertFound, ChargedTrades, expectedOf } from '../support/auditedFees.ts';

describe('an audit of fees', () => {
  it('reports no rounding as a deviation in 1,000 accounts', () => {
    let expected = 0;
    for (let seed = 0; seed < 1000; seed += 1) expected += expectedOf(new ChargedTrades(seed));
    assert.ok(expected > 1000 * 40 * 0.8, String(expected));
  });

  it('finds an overcharge above rounding in each of 100 accounts', () => {
    for (let seed = 0; seed < 100; seed += 1) assertFound(new ChargedTrades(seed));
  });
});
