import assert from 'node:assert/strict';
import { CachedRead } from '../../../../src/account/session/cachedRead.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

describe('reference data', () => {
  it('is read when it is asked for, by all together, and again after an hour', async () => {
    let reads = 0;
    const clock = new FakeClock();
    const once = new CachedRead(() => Promise.resolve((reads += 1)), clock);
    assert.deepEqual([once.cached, reads], [undefined, 0]);
    assert.deepEqual(await Promise.all([once.get(), once.getOrCached()]), [1, 1]);
    const readAt = clock.now();
    await clock.advance(3_599_999);
    assert.deepEqual([await once.get(), once.cached, reads], [1, { value: 1, readAt }, 1]);
    assert.equal(once.isFresh, true);
    await clock.advance(1);
    assert.equal(once.isFresh, false);
    assert.deepEqual([await once.get(), reads], [2, 2]);
    clock.setAhead(-1);
    assert.deepEqual([await once.get(), reads], [3, 3], 'after the clock was set back');
  });

  it('is unknown after a failure, and read again at the next call', async () => {
    let reads = 0;
    const once = new CachedRead(
      () => ((reads += 1) === 1 ? Promise.reject(new Error('network')) : Promise.resolve(reads)),
      new FakeClock(),
    );
    assert.equal(await once.get(), undefined);
    assert.equal(await once.get(), 2);
  });

  it('stays as it was known when it cannot be read again', async () => {
    const clock = new FakeClock();
    let reads = 0;
    const reference = new CachedRead(
      () => ((reads += 1) === 1 ? Promise.resolve('old') : Promise.reject(new Error('network'))),
      clock,
    );
    await reference.get();
    const { cached } = reference;
    await clock.advance(3_600_000);
    assert.equal(await reference.getOrCached(), 'old');
    assert.deepEqual([reference.cached, reference.isFresh], [cached, false]);
  });

  it('never waits longer than a second', async () => {
    const clock = new FakeClock();
    let answer: (value: string) => void = () => undefined;
    const once = new CachedRead(() => new Promise<string>((resolve) => (answer = resolve)), clock);
    const soon = once.getOrCached();
    await clock.advance(1000);
    assert.equal(await soon, undefined);
    answer('late');
    assert.equal(await once.get(), 'late');
    assert.equal(clock.waiting, 0);
  });
});
