import assert from 'node:assert/strict';
import {
  PagePrefetch,
  hasRoomToPrefetch,
  pageWeightText,
} from '../../../../src/host/tables/prefetch.ts';
import { aDisplay } from '../../../support/display.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const next = { filters: {}, page: 1, size: 100 };

describe('a page that was read ahead', () => {
  const read = () => Promise.resolve('rows');
  const { signal } = new AbortController();

  it('is used once, by its own query', async () => {
    const prefetch = new PagePrefetch<string>(new FakeClock());
    prefetch.start(next, read);
    assert.equal(await prefetch.take(next, signal), 'rows');
    assert.equal(await prefetch.take(next, signal), undefined);
  });

  it('is aborted by another query, and by a newer page', async () => {
    const prefetch = new PagePrefetch<string>(new FakeClock());
    const signals: AbortSignal[] = [];
    const endless = (own: AbortSignal): Promise<string> => {
      signals.push(own);
      return new Promise(() => undefined);
    };
    prefetch.start(next, endless);
    prefetch.start({ ...next, page: 2 }, endless);
    assert.equal(await prefetch.take({ ...next, filters: { side: 'BUY' } }, signal), undefined);
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, true],
    );
  });

  it('is read once for the same query, until whoever took it aborts it', () => {
    const prefetch = new PagePrefetch<string>(new FakeClock());
    const signals: AbortSignal[] = [];
    const endless = (own: AbortSignal): Promise<string> => {
      signals.push(own);
      return new Promise(() => undefined);
    };
    for (let time = 0; time < 2; time += 1) prefetch.start(next, endless);
    const asking = new AbortController();
    void prefetch.take(next, asking.signal);
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [false],
    );
    asking.abort();
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true],
    );
  });

  it('is not used when it is 20 s old or from the future, and tells why it failed', async () => {
    const clock = new FakeClock(1e12);
    const prefetch = new PagePrefetch<string>(clock);
    prefetch.start(next, read);
    await clock.advance(19_999);
    assert.equal(await prefetch.take(next, signal), 'rows');
    prefetch.start(next, read);
    await clock.advance(20_000);
    assert.equal(await prefetch.take(next, signal), undefined);
    prefetch.start(next, read);
    clock.setAhead(-1);
    assert.equal(await prefetch.take(next, signal), undefined);
    prefetch.start(next, () => Promise.reject(new Error('network')));
    await assert.rejects(prefetch.take(next, signal), /network/);
  });
});

describe('the weight of the next page', () => {
  const usage = {
    at: 0,
    used: 249,
    ownShare: 500,
    limit: 1000,
    windowMs: 60_000,
    pausedUntil: undefined,
    waiting: 0,
    isUnshared: false,
  };

  it('is spent ahead only while more than half of the share is left and nothing waits', () => {
    assert.ok(hasRoomToPrefetch(usage));
    for (const busy of [
      { used: 250 },
      { waiting: 1 },
      { pausedUntil: 5 },
      { isUnshared: true },
      { ownShare: 0 },
    ])
      assert.ok(!hasRoomToPrefetch({ ...usage, ...busy }), JSON.stringify(busy));
  });

  it('is named with what is left of the share', () => {
    const text = (changes: object) =>
      pageWeightText('trades', { ...usage, ...changes }, aDisplay());
    assert.equal(text({}), 'Costs weight 10; 251 of 500 left of the share');
    assert.equal(text({ used: 700 }), 'Costs weight 10; 0 of 500 left of the share');
    assert.equal(text({ limit: 0 }), 'Costs weight 10');
  });
});
