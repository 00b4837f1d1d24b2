import assert from 'node:assert/strict';
import { createMachineClock } from '../../../../src/host/shared/machineClock.ts';

const hourMs = 3_600_000;

describe('the clock of the machine', () => {
  it('goes on while the machine sleeps, and to the millisecond while it is awake', () => {
    let [awake, asleep] = [5000, 0];
    const clock = createMachineClock(
      () => awake,
      () => Math.floor((awake + asleep) / 1000) * 1000,
    );
    /** How far the clock goes on meanwhile. */
    const pass = (awakeMs: number, asleepMs: number): number => {
      const before = clock.steadyNow();
      [awake, asleep] = [awake + awakeMs, asleep + asleepMs];
      return clock.steadyNow() - before;
    };
    assert.deepEqual([pass(1, 0), pass(998, 0)], [1, 998]);
    for (let nap = 1; nap <= 3; nap += 1) {
      assert.ok(Math.abs(pass(0, hourMs) - hourMs) <= 1000);
      assert.deepEqual([pass(1, 0), pass(1500, 0)], [1, 1500]);
    }
  });
});
