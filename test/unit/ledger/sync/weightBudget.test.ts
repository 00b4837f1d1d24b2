import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hourMs, minuteMs } from '../../../../src/base/time.ts';
import { WeightBudget } from '../../../../src/ledger/sync/weightBudget.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const signal = new AbortController().signal;
const mayRead = (): boolean => true;

/** When each of these pages is granted, in milliseconds, in the order of their requests. */
async function grants(ownShare: number, canWait: readonly boolean[], windowMs = minuteMs) {
  const clock = new FakeClock(0);
  const budget = new WeightBudget({ clock, mayRead, usage: () => ({ ownShare, windowMs }) });
  const at: number[] = [];
  const all = canWait.map(async (waits, index) => {
    await budget.take(10, waits, signal);
    at[index] = clock.now();
  });
  await clock.advance(canWait.length * 20 * minuteMs);
  await Promise.all(all);
  return at;
}

describe('the weight of keeping current', () => {
  it('is 40 in any minute', async () => {
    const at = await grants(500, Array<boolean>(10).fill(false));
    assert.deepEqual(
      at,
      [0, 0, 0, 0, 1, 1, 1, 1, 2, 2].map((minutes) => minutes * minuteMs),
    );
  });

  it('is a tenth of a small share, and one page in several minutes of a smaller one', async () => {
    assert.deepEqual(await grants(200, [false, false, false]), [0, 0, minuteMs]);
    assert.deepEqual(await grants(50, [false, false, false]), [0, 2 * minuteMs, 4 * minuteMs]);
    const daily = await grants(50 * 1440, [false, false], 1440 * minuteMs);
    assert.deepEqual(daily, [0, 2 * minuteMs]);
  });

  it('leaves room for a change of the account', async () => {
    const at = await grants(500, [true, true, false, false, false]);
    assert.deepEqual(at, [0, minuteMs, 0, 0, 0]);
  });

  it('is never exceeded by any sequence of requests', async () => {
    const requests = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(requests, async (canWait) => {
        const at = await grants(500, canWait);
        assert.equal(at.length, canWait.length);
        for (const end of at) {
          const inMinute = at.filter((time) => time > end - minuteMs && time <= end);
          assert.ok(inMinute.length <= 4);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('comes back within a minute after the clock was set back', async () => {
    const clock = new FakeClock();
    const usage = () => ({ ownShare: 500, windowMs: minuteMs });
    const budget = new WeightBudget({ clock, mayRead, usage });
    const granted: number[] = [];
    const take = (): void => void budget.take(10, false, signal).then(() => granted.push(1));
    for (let page = 0; page < 6; page += 1) take();
    await clock.advance(1000);
    assert.equal(granted.length, 4);
    clock.setAhead(-hourMs);
    await clock.advance(minuteMs);
    assert.equal(granted.length, 6);
    for (let page = 0; page < 6; page += 1) take();
    await clock.advance(1000);
    assert.equal(granted.length, 8, 'four in the last minute');
    await clock.advance(minuteMs);
    assert.equal(granted.length, 12);
  });

  it('is not waited for once the signal aborts', async () => {
    const clock = new FakeClock(0);
    const usage = () => ({ ownShare: 100, windowMs: minuteMs });
    const budget = new WeightBudget({ clock, mayRead, usage });
    await budget.take(10, false, signal);
    const stop = new AbortController();
    const waiting = budget.take(10, false, stop.signal);
    stop.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
    assert.equal(clock.waiting, 0);
  });
});
