import assert from 'node:assert/strict';
import { Followed } from '../../../../src/host/webview/followed.ts';
import { eventually } from '../../../support/eventually.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

describe('a result that follows changes', () => {
  let clock: FakeClock;
  let isVisible: boolean;
  let runs: { readonly signal: AbortSignal; readonly end: PromiseWithResolvers<string> }[];
  let shown: string[];
  let failures: unknown[];
  let followed: Followed<string>;

  const follow = (restMs = 0) =>
    new Followed<string>({
      compute: (signal) => {
        const end = Promise.withResolvers<string>();
        runs.push({ signal, end });
        return end.promise;
      },
      show: (result) => shown.push(result),
      fail: (error) => failures.push(error),
      isVisible: () => isVisible,
      delayMs: 1000,
      restMs: () => restMs,
      clock,
    });

  beforeEach(() => {
    clock = new FakeClock();
    isVisible = true;
    runs = [];
    shown = [];
    failures = [];
    followed = follow();
  });

  const started = (count: number) => eventually('a computation', () => runs.length === count);

  it('is computed once for a burst of changes, a delay after the first of them', async () => {
    followed.change();
    await clock.advance(900);
    followed.change();
    assert.equal(runs.length, 0);
    await clock.advance(100);
    await started(1);
    runs[0]?.end.resolve('new');
    await eventually('the result', () => shown.length === 1);
    assert.deepEqual([shown, clock.waiting], [['new'], 0]);
  });

  it('is not computed while it is hidden', async () => {
    followed.change();
    isVisible = false;
    await clock.advance(1000);
    followed.change();
    assert.deepEqual([runs.length, clock.waiting], [0, 0]);
    isVisible = true;
    followed.change();
    await clock.advance(1000);
    await started(1);
  });

  it('is computed at once on request, which covers the changes before', async () => {
    followed.change();
    const updated = followed.update();
    await started(1);
    assert.equal(clock.waiting, 0);
    runs[0]?.end.resolve('new');
    await updated;
    assert.deepEqual(shown, ['new']);
  });

  it('is computed once more for all requests while it is computed', async () => {
    void followed.update();
    await started(1);
    const [one, other] = [followed.update(), followed.update()];
    assert.equal(one, other);
    runs[0]?.end.resolve('old');
    await started(2);
    runs[1]?.end.resolve('new');
    await one;
    assert.deepEqual([shown, runs.length], [['old', 'new'], 2]);
  });

  it('follows what changes while it is computed, also after a failure', async () => {
    void followed.update();
    await started(1);
    followed.change();
    runs[0]?.end.reject(new Error('The file is locked.'));
    await eventually('the failure', () => failures.length === 1);
    await clock.advance(1000);
    await started(2);
    runs[1]?.end.resolve('new');
    await eventually('the result', () => shown.length === 1);
  });

  it('rests between two computations that changes cause', async () => {
    followed = follow(60_000);
    void followed.update();
    await started(1);
    runs[0]?.end.resolve('old');
    followed.change();
    await clock.advance(59_999);
    assert.equal(runs.length, 1);
    await clock.advance(1);
    await started(2);
  });

  it('rests no longer than that after the clock was set back', async () => {
    followed = follow(60_000);
    void followed.update();
    await started(1);
    runs[0]?.end.resolve('old');
    clock.setAhead(-3_600_000);
    followed.change();
    await clock.advance(60_000);
    await started(2);
  });

  it('drops what runs and waits once it is stopped, and starts afresh', async () => {
    void followed.update();
    await started(1);
    void followed.update();
    followed.change();
    followed.stop();
    assert.deepEqual([runs[0]?.signal.aborted, clock.waiting], [true, 0]);
    const updated = followed.update();
    await started(2);
    runs[0]?.end.resolve('of another account');
    runs[1]?.end.resolve('new');
    await updated;
    assert.deepEqual([shown, runs.length], [['new'], 2]);
  });
});
