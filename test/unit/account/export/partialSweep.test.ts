import assert from 'node:assert/strict';
import { PartialSweep } from '../../../../src/account/export/partialSweep.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const hour = 3_600_000;

describe('the sweep of unfinished exports', () => {
  it('runs at once, each hour of a window that stays open, and when it is told to', async () => {
    const clock = new FakeClock();
    let sweeps = 0;
    const removed: number[] = [];
    const sweep = new PartialSweep({
      partials: { sweep: () => Promise.resolve((sweeps += 1) === 2 ? 3 : 0) },
      clock,
      onRemoved: (count) => removed.push(count),
      onProblem: () => assert.fail(),
    });
    assert.equal(sweeps, 1);
    await clock.advance(hour);
    assert.deepEqual([sweeps, removed], [2, [3]]);
    sweep.run();
    assert.deepEqual([sweeps, clock.waiting], [3, 1]);
    sweep.dispose();
    assert.equal(clock.waiting, 0);
  });

  it('goes on where one of them failed', async () => {
    const clock = new FakeClock();
    const problems: unknown[] = [];
    const sweep = new PartialSweep({
      partials: { sweep: () => Promise.reject(new Error('EIO')) },
      clock,
      onRemoved: () => assert.fail(),
      onProblem: (error) => problems.push(error),
    });
    await clock.advance(hour);
    assert.equal(problems.length, 2);
    sweep.dispose();
  });
});
