import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { Order } from '../../../src/exchange/records.ts';
import { anOrder, someLocked } from '../../support/builders.ts';
import { cancelAllUnderTest, failed, type Script } from '../../support/cancelAllUnderTest.ts';

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

describe('after an unknown cancel-all whose order history does not answer', () => {
  const canceledOrder = anOrder({ status: 'CANCELED', time: '1893456000000' });

  /** Pressed, and a second on: the history answers with what the test resolves it with. */
  async function unanswered(script: Script) {
    const history = Promise.withResolvers<Order[]>();
    const test = cancelAllUnderTest({
      canceled: failed({}),
      history: () => history.promise,
      ...script,
    });
    let hasReported = false;
    const press = async () => {
      const pressing = test.cancelAll.press().then(() => (hasReported = true));
      await test.clock.advance(1000);
      assert.ok(hasReported, 'the press did not end');
      await pressing;
    };
    await press();
    return { ...test, history, press };
  }

  it('is told all the same, within a second, and its evidence once that is there', async () => {
    for (const [found, outcome] of [
      [locked, 'unknown'],
      [[], 'unknownNothingLocked'],
    ] as const) {
      const script = { locked: [locked, [...found]] };
      const { cancelAll, clock, seen, receipts, history } = await unanswered(script);
      assert.deepEqual(
        seen.reports.map(({ evidence }) => evidence),
        [null],
      );
      assert.deepEqual([seen.reports[0]?.outcome, seen.awaiting], [outcome, [true]]);
      history.resolve([canceledOrder]);
      await clock.advance(15_000);
      assert.deepEqual(
        seen.reports.map(({ evidence }) => evidence?.orders.length),
        [undefined, 1],
      );
      assert.deepEqual([seen.awaiting.at(-1), seen.historyQueries.length], [false, 1]);
      assert.equal(receipts.kept.at(-1), seen.reports.at(-1));
      assert.equal(clock.waiting, 0);
      cancelAll.dispose();
    }
  });

  it('says that nothing is locked any more before the history answers, and once', async () => {
    const { clock, seen, history } = await unanswered({ locked: [locked, locked, []] });
    await clock.advance(600_000);
    assert.deepEqual(
      seen.reports.map(({ outcome }, index) => [outcome, seen.awaiting[index]]),
      [
        ['unknown', true],
        ['unknownNothingLocked', true],
      ],
    );
    history.resolve([]);
    await clock.advance(0);
    assert.deepEqual(
      seen.reports.map(({ evidence }) => evidence === null),
      [true, true, false],
    );
    assert.equal(clock.waiting, 0);
  });

  it('can be followed by another, whose request ends it', async () => {
    const { cancelAll, clock, seen, receipts, history, press } = await unanswered({
      locked: [locked],
    });
    const [first] = seen.reports;
    await press();
    assert.equal(seen.deletes, 2);
    const versions = receipts.kept.filter(({ id }) => id === first?.id).length;
    cancelAll.dispose();
    history.resolve([canceledOrder]);
    await clock.advance(15_000);
    assert.equal(receipts.kept.filter(({ id }) => id === first?.id).length, versions);
    assert.deepEqual([seen.reports.length, seen.historyQueries.length], [2, 2]);
  });
});

describe('a receipt that is followed up when the next request leaves', () => {
  it('is not given what that request freed as its own end, and no history is read for it', async () => {
    const hanging = Promise.withResolvers<typeof locked>();
    const test = cancelAllUnderTest({
      canceled: failed({}),
      history: failed({}),
      locked: [locked, locked, () => hanging.promise, locked, []],
    });
    const { cancelAll, clock, seen, receipts } = test;
    await cancelAll.press();
    await clock.advance(2000);
    const [first] = seen.reports;
    const versions = () => receipts.kept.filter(({ id }) => id === first?.id);
    const before = versions().length;
    await cancelAll.press();
    assert.equal(seen.deletes, 2);
    hanging.resolve([]);
    await clock.advance(600_000);
    assert.equal(versions().length, before);
    assert.equal(versions().at(-1)?.outcome, 'unknown');
    assert.deepEqual([seen.historyQueries.length, clock.waiting], [2, 0]);
  });

  it('reads nothing more where it leaves while the last step is kept', async () => {
    const test = cancelAllUnderTest({
      canceled: failed({}),
      history: failed({}),
      locked: [locked],
    });
    const { cancelAll, clock, seen, receipts } = test;
    await cancelAll.press();
    const keep = receipts.keep.bind(receipts);
    receipts.keep = (receipt) => {
      if (receipt.after.length === 4) cancelAll.dispose();
      return keep(receipt);
    };
    await clock.advance(15_000);
    assert.deepEqual([seen.reads.length, seen.historyQueries.length], [5, 1]);
    assert.deepEqual([seen.reports.length, clock.waiting], [1, 0]);
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
