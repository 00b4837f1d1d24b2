import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { DeadlineExceeded, sleep, abortable, startDeadline } from '../../../src/base/abort.ts';
import { FakeClock } from '../../support/fakeClock.ts';

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

  const until = (delayMs: number) => startDeadline(clock, delayMs, caller.signal);

  it('aborts when its time has passed, and not before', async () => {
    const deadline = until(1000);
    await clock.advance(999);
    assert.ok(!deadline.signal.aborted);
    await clock.advance(1);
    assert.ok(deadline.signal.reason instanceof DeadlineExceeded);
    deadline.dispose();
  });

  it('aborts with the caller’s reason when the caller is first', () => {
    const deadline = until(1000);
    caller.abort(new Error('enough'));
    assert.equal((deadline.signal.reason as Error).message, 'enough');
    deadline.dispose();
    const late = until(1000);
    assert.equal((late.signal.reason as Error).message, 'enough');
    late.dispose();
  });

  it('leaves no timer and no listener when it is disposed', () => {
    const deadline = until(1000);
    deadline.dispose();
    assert.ok(!deadline.signal.aborted);
  });

  it('never comes when it is infinite', () => {
    const deadline = until(Infinity);
    assert.equal(clock.waiting, 0);
    caller.abort(new Error('enough'));
    assert.ok(deadline.signal.aborted);
    deadline.dispose();
  });
});

describe('a pause', () => {
  it('ends by the clock, or with the signal’s reason', async () => {
    const clock = new FakeClock();
    const caller = new AbortController();
    const whole = sleep(clock, 500, caller.signal);
    await clock.advance(500);
    await whole;
    assert.deepEqual(getEventListeners(caller.signal, 'abort'), []);
    const cut = sleep(clock, 500, caller.signal);
    caller.abort(new Error('enough'));
    await assert.rejects(cut, /enough/);
    await assert.rejects(sleep(clock, 500, caller.signal), /enough/);
    assert.equal(clock.waiting, 0);
  });
});

describe('shared work', () => {
  it('passes its value or error to all callers that still wait', async () => {
    const { signal } = new AbortController();
    assert.equal(await abortable(Promise.resolve(7), signal), 7);
    assert.equal(await abortable(Promise.resolve(7), undefined), 7);
    await assert.rejects(abortable(Promise.reject(new Error('own')), signal), /own/);
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });

  it('rejects an aborted caller with its reason, and continues for the others', async () => {
    const caller = new AbortController();
    const work = Promise.withResolvers<number>();
    const waiting = assert.rejects(abortable(work.promise, caller.signal), /enough/);
    caller.abort(new Error('enough'));
    await waiting;
    assert.deepEqual(getEventListeners(caller.signal, 'abort'), []);
    await assert.rejects(abortable(work.promise, caller.signal), /enough/);
    work.resolve(7);
    assert.equal(await work.promise, 7);
  });
});
