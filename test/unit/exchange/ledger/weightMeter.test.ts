import assert from 'node:assert/strict';
import { WeightMeter } from '../../../../src/exchange/ledger/weightMeter.ts';

describe('the weight meter', () => {
  it('sums the weight of the last minute and forgets what is older', () => {
    const meter = new WeightMeter();
    meter.spend(10, 0);
    meter.spend(5, 30_000);
    assert.equal(meter.used(59_999), 15);
    assert.equal(meter.used(60_000), 5);
    meter.spend(1, 90_000);
    assert.equal(meter.used(90_000), 1);
  });
});
