import assert from 'node:assert/strict';
import fc from 'fast-check';
import { WeightCounter } from '../../../src/practice/weights.ts';
import { movableClock } from './movableClock.ts';

describe('the weight counter', () => {
  it('serves up to the limit, then says how long to wait', () => {
    const clock = movableClock();
    const counter = new WeightCounter(20, clock);
    assert.equal(counter.take(10), 0);
    clock.moveBy(1500);
    assert.equal(counter.take(5), 0);
    assert.equal(counter.take(5), 0);
    assert.equal(counter.take(1), 58_500);
    assert.equal(counter.take(11), 60_000);
  });

  it('takes nothing for what it refuses', () => {
    const clock = movableClock();
    const counter = new WeightCounter(10, clock);
    counter.take(10);
    for (let count = 0; count < 50; count++) assert.ok(counter.take(10) > 0);
    clock.moveBy(59_999);
    assert.equal(counter.take(10), 1);
    clock.moveBy(1);
    assert.equal(counter.take(10), 0);
  });

  it('never has room for what is heavier than the limit', () => {
    assert.equal(new WeightCounter(5, movableClock()).take(6), 60_000);
  });

  it('never lets more than the limit through in sixty seconds, and the wait it names suffices', () => {
    const steps = fc.array(
      fc.record({ afterMs: fc.nat(20_000), weight: fc.constantFrom(1, 5, 10) }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, (arrivals) => {
        const clock = movableClock(0);
        const counter = new WeightCounter(30, clock);
        const served: { time: number; weight: number }[] = [];
        for (const { afterMs, weight } of arrivals) {
          clock.moveBy(afterMs);
          const waitMs = counter.take(weight);
          clock.moveBy(waitMs);
          if (waitMs > 0) assert.equal(counter.take(weight), 0);
          served.push({ time: clock.now(), weight });
          const minute = served.filter(({ time }) => time > clock.now() - 60_000);
          assert.ok(minute.reduce((sum, entry) => sum + entry.weight, 0) <= 30);
        }
      }),
    );
  });
});
