import fc from 'fast-check';
import assert from 'node:assert/strict';
import { WeightLimiter } from '../../../../src/practice/http/practiceServer.ts';
import { movableClock } from '../movableClock.ts';

describe('the weight limit of the practice exchange', () => {
  it('never allows more than the limit in 60 seconds, and allows a request after the time to wait', () => {
    const steps = fc.array(
      fc.record({ afterMs: fc.nat(20_000), weight: fc.constantFrom(1, 5, 10) }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, (arrivals) => {
        const clock = movableClock(0);
        const limiter = new WeightLimiter(30, clock);
        const served: { time: number; weight: number }[] = [];
        for (const { afterMs, weight } of arrivals) {
          clock.moveBy(afterMs);
          const waitMs = limiter.take(weight);
          clock.moveBy(waitMs);
          if (waitMs > 0) assert.equal(limiter.take(weight), 0);
          served.push({ time: clock.now(), weight });
          const minute = served.filter(({ time }) => time > clock.now() - 60_000);
          assert.ok(minute.reduce((sum, entry) => sum + entry.weight, 0) <= 30);
        }
      }),
    );
  });
});
