import assert from 'node:assert/strict';
import { FakeClock } from '../../support/fakeClock.ts';

describe('fake clock', () => {
  it('runs what falls due, earliest first, at its own time', async () => {
    const clock = new FakeClock(1000);
    const ran: string[] = [];
    clock.after(20, () => ran.push(`late ${clock.now()}`));
    clock.after(10, () => ran.push(`early ${clock.now()}`));
    clock.after(31, () => ran.push('too late'));
    await clock.advance(30);
    assert.deepEqual(ran, ['early 1010', 'late 1020']);
    assert.deepEqual([clock.now(), clock.waiting], [1030, 1]);
  });

  it('runs timers that promises and timers set on the way', async () => {
    const clock = new FakeClock();
    let ticks = 0;
    const tick = async (): Promise<void> => {
      await Promise.resolve();
      ticks += 1;
      clock.after(10, () => void tick());
    };
    clock.after(10, () => void tick());
    await clock.advance(50);
    assert.equal(ticks, 5);
  });

  it('forgets a cancelled timer', async () => {
    const clock = new FakeClock();
    const cancel = clock.after(10, () => assert.fail('it was cancelled'));
    cancel();
    await clock.advance(20);
    assert.equal(clock.waiting, 0);
  });
});
