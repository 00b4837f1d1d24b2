import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { DeadlinePassed, pause, unlessAborted, within } from '../../../src/base/deadline.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const never = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

describe('a deadline', () => {
  let clock: FakeClock;
  let caller: AbortController;
  beforeEach(() => {
    clock = new FakeClock();
    caller = new AbortController();
  });
  afterEach(() => {
    assert.equal(clock.waiting, 0);
    assert.deepEqual(getEventListeners(caller.signal, 'abort'), []);
  });

  it('ends the work when its time has passed, and not before', async () => {
    const ended = assert.rejects(within(clock, 1000, caller.signal, never), DeadlinePassed);
    await clock.advance(999);
    assert.equal(clock.waiting, 1);
    await clock.advance(1);
    await ended;
  });

  it('gives the caller’s reason when the caller is first', async () => {
    const ended = assert.rejects(within(clock, 1000, caller.signal, never), /enough/);
    caller.abort(new Error('enough'));
    await ended;
    await assert.rejects(
      within(clock, 1000, caller.signal, () => assert.fail('ran')),
      /enough/,
    );
  });

  it('gives what the work gives, and its error', async () => {
    assert.equal(await within(clock, 1000, caller.signal, () => Promise.resolve(7)), 7);
    await assert.rejects(
      within(clock, 1000, caller.signal, () => Promise.reject(new Error('own'))),
      /own/,
    );
  });

  it('never comes when it is infinite', async () => {
    const work = within(clock, Infinity, caller.signal, never);
    assert.equal(clock.waiting, 0);
    caller.abort(new Error('enough'));
    await assert.rejects(work, /enough/);
  });
});

describe('a pause', () => {
  it('ends by the clock, or with the signal’s reason', async () => {
    const clock = new FakeClock();
    const caller = new AbortController();
    const whole = pause(clock, 500, caller.signal);
    await clock.advance(500);
    await whole;
    assert.deepEqual(getEventListeners(caller.signal, 'abort'), []);
    const cut = pause(clock, 500, caller.signal);
    caller.abort(new Error('enough'));
    await assert.rejects(cut, /enough/);
    await assert.rejects(pause(clock, 500, caller.signal), /enough/);
    assert.equal(clock.waiting, 0);
  });
});

describe('shared work', () => {
  it('gives what it gives, and its error, to whoever still waits', async () => {
    const { signal } = new AbortController();
    assert.equal(await unlessAborted(Promise.resolve(7), signal), 7);
    assert.equal(await unlessAborted(Promise.resolve(7), undefined), 7);
    await assert.rejects(unlessAborted(Promise.reject(new Error('own')), signal), /own/);
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });

  it('lets go whoever gives up, for his reason, and is not waited for by one who had', async () => {
    const caller = new AbortController();
    const work = Promise.withResolvers<number>();
    const waiting = assert.rejects(unlessAborted(work.promise, caller.signal), /enough/);
    caller.abort(new Error('enough'));
    await waiting;
    assert.deepEqual(getEventListeners(caller.signal, 'abort'), []);
    await assert.rejects(unlessAborted(work.promise, caller.signal), /enough/);
    work.resolve(7);
    assert.equal(await work.promise, 7);
  });
});
