import assert from 'node:assert/strict';
import { PartialExports } from '../../../../src/account/export/partialExports.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const hourMs = 3_600_000;

/** Unfinished exports whose removals end with these numbers of exports, or errors, in turn. */
function partialsWith(clock: FakeClock, results: readonly (number | Error)[]): PartialExports {
  const partials = new PartialExports({ folder: '/none', clock });
  let removals = 0;
  partials.removeExpired = () => {
    const result = results[(removals += 1) - 1] ?? assert.fail('removed too often');
    return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
  };
  return partials;
}

describe('the cleanup of unfinished exports', () => {
  it('runs immediately and every hour until disposed', async () => {
    const clock = new FakeClock();
    const removed: number[] = [];
    const cleanup = partialsWith(clock, [0, 3, 0]).removeExpiredHourly({
      onRemoved: (count) => removed.push(count),
      onError: () => assert.fail(),
    });
    await clock.advance(hourMs - 1);
    assert.deepEqual(removed, []);
    await clock.advance(1);
    assert.deepEqual([removed, clock.waiting], [[3], 1]);
    await clock.advance(hourMs);
    cleanup.dispose();
    assert.equal(clock.waiting, 0);
  });

  it('runs again after an error', async () => {
    const clock = new FakeClock();
    const errors: unknown[] = [];
    const cleanup = partialsWith(clock, [new Error('EIO'), new Error('EIO')]).removeExpiredHourly({
      onRemoved: () => assert.fail(),
      onError: (error) => errors.push(error),
    });
    await clock.advance(hourMs);
    assert.equal(errors.length, 2);
    cleanup.dispose();
  });
});
