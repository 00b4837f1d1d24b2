import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { anOrder, someLocked } from '../../support/builders.ts';
import { cancelAllUnderTest, failed } from '../../support/cancelAllUnderTest.ts';

const locked = [someLocked()];

describe('after an unknown cancel-all with orders locked', () => {
  it('reads again at 2, 5 and 15 s, then no more, and says nothing when nothing is new', async () => {
    const { cancelAll, clock, seen } = cancelAllUnderTest({
      canceled: failed({}),
      locked: [locked],
    });
    const start = clock.now();
    await cancelAll.press();
    assert.equal(seen.reports.length, 1);
    await clock.advance(600_000);
    assert.deepEqual(
      seen.reads.map((at) => at - start),
      [0, 0, 2000, 5000, 15_000],
    );
    assert.deepEqual([seen.reports.length, seen.deletes, clock.waiting], [1, 1, 0]);
  });

  it('ends as soon as nothing is locked, and says so', async () => {
    const { cancelAll, clock, seen, receipts } = cancelAllUnderTest({
      canceled: failed({}),
      locked: [locked, locked, locked, []],
    });
    await cancelAll.press();
    await clock.advance(600_000);
    assert.deepEqual(
      seen.reports.map(({ outcome }) => outcome),
      ['unknown', 'unknownNothingLocked'],
    );
    assert.equal(seen.reads.length, 4);
    assert.deepEqual(
      receipts.kept.at(-1)?.after.map((one) => one.locked?.length),
      [1, 1, 0],
    );
    assert.equal(seen.historyQueries.length, 1);
  });

  it('tells at the end what is locked by then', async () => {
    const { cancelAll, clock, seen } = cancelAllUnderTest({
      canceled: failed({}),
      locked: [locked, failed({}), failed({}), locked],
    });
    await cancelAll.press();
    await clock.advance(15_000);
    assert.deepEqual(
      seen.reports.map(({ after }) => after.at(-1)?.locked?.length),
      [undefined, 1],
    );
  });

  it('says nothing when it cannot be read any more', async () => {
    const { cancelAll, clock, seen, receipts } = cancelAllUnderTest({
      canceled: failed({}),
      locked: [locked, locked, failed({})],
    });
    await cancelAll.press();
    await clock.advance(15_000);
    assert.equal(seen.reports.length, 1);
    assert.equal(receipts.kept.at(-1)?.after.length, 4);
  });

  it('reads the history once more when it could not be read at first', async () => {
    let isDown = true;
    const { cancelAll, clock, seen, report } = cancelAllUnderTest({
      canceled: failed({}),
      locked: [locked],
      history: () =>
        isDown
          ? Promise.reject(failed({}))
          : Promise.resolve([anOrder({ status: 'CANCELED', time: '1893456000000' })]),
    });
    await cancelAll.press();
    isDown = false;
    await clock.advance(15_000);
    assert.equal(seen.historyQueries.length, 2);
    assert.equal(report().evidence?.orders.length, 1);
  });

  it('ends when the next request leaves, and not before', async () => {
    const { cancelAll, clock, seen } = cancelAllUnderTest({
      canceled: failed({}),
      locked: [locked],
      says: [true, false, true],
    });
    await cancelAll.press();
    await cancelAll.press();
    assert.equal(clock.waiting, 1);
    await cancelAll.press();
    assert.equal(seen.deletes, 2);
    assert.equal(clock.waiting, 1);
    await clock.advance(15_000);
    assert.deepEqual(
      seen.reports.map(({ id }) => id === seen.reports[0]?.id),
      [true, false],
    );
  });

  it('ends with the window', async () => {
    const { cancelAll, clock, seen } = cancelAllUnderTest({
      canceled: failed({}),
      locked: [locked],
    });
    await cancelAll.press();
    cancelAll.dispose();
    assert.equal(clock.waiting, 0);
    await clock.advance(15_000);
    assert.equal(seen.reads.length, 2);
  });
});

describe('after a cancel-all that was answered and could not be read back', () => {
  it('becomes done, or partly, as soon as it can', async () => {
    for (const [found, outcome] of [
      [[], 'done'],
      [locked, 'partly'],
    ] as const) {
      const script = { locked: [[], failed({}), failed({}), [...found]] };
      const { cancelAll, clock, seen, report } = cancelAllUnderTest(script);
      await cancelAll.press();
      assert.equal(report().outcome, 'unverified');
      await clock.advance(600_000);
      await setImmediate();
      assert.equal(report().outcome, outcome);
      assert.deepEqual([seen.reads.length, seen.historyQueries.length, seen.deletes], [4, 0, 1]);
    }
  });
});
