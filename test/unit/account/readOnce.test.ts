import assert from 'node:assert/strict';
import { ReadOnce } from '../../../src/account/readOnce.ts';
import { FakeClock } from '../../support/fakeClock.ts';

describe('what is read once', () => {
  it('is read when it is asked for, by all together, and never again', async () => {
    let reads = 0;
    const once = new ReadOnce(() => Promise.resolve((reads += 1)), new FakeClock());
    assert.deepEqual([once.known, reads], [undefined, 0]);
    assert.deepEqual(await Promise.all([once.get(), once.soon()]), [1, 1]);
    assert.deepEqual([await once.get(), once.known, reads], [1, 1, 1]);
  });

  it('is unknown after a failure, and read again by whoever asks next', async () => {
    let reads = 0;
    const once = new ReadOnce(
      () => ((reads += 1) === 1 ? Promise.reject(new Error('network')) : Promise.resolve(reads)),
      new FakeClock(),
    );
    assert.equal(await once.get(), undefined);
    assert.equal(await once.get(), 2);
  });

  it('keeps nobody waiting longer than a second', async () => {
    const clock = new FakeClock();
    let answer: (value: string) => void = () => undefined;
    const once = new ReadOnce(() => new Promise<string>((resolve) => (answer = resolve)), clock);
    const soon = once.soon();
    await clock.advance(1000);
    assert.equal(await soon, undefined);
    answer('late');
    assert.equal(await once.get(), 'late');
    assert.equal(clock.waiting, 0);
  });
});
