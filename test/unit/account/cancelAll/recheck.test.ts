import assert from 'node:assert/strict';
import type { CancelReport } from '../../../../src/account/cancelAll/cancelAll.ts';
import { someLocked } from '../../../support/builders.ts';
import { cancelAllUnderTest, failed, type Script } from '../../../support/cancelAllUnderTest.ts';

const locked = [someLocked()];

/** A cancel-all whose DELETE fails, and what each read of the account finds locked. */
const unknown = (...reads: NonNullable<Script['locked']>) =>
  cancelAllUnderTest({ canceled: failed({}), locked: reads });

describe('after an unknown cancel-all with orders locked', () => {
  it('reads again after 2, 5 and 15 s, and reports nothing if nothing is new', async () => {
    const { cancelAll, clock, seen } = unknown(locked);
    const start = clock.now();
    await cancelAll.run();
    assert.equal(seen.reports.length, 1);
    await clock.advance(600_000);
    const found = seen.reads.map((at) => at - start);
    assert.deepEqual(found, [0, 0, 2000, 5000, 15_000]);
    assert.deepEqual([seen.reports.length, seen.deletes, clock.waiting], [1, 1, 0]);
  });

  it('ends as soon as nothing is locked, and reports that', async () => {
    const { cancelAll, clock, seen, receipts } = unknown(locked, locked, locked, []);
    await cancelAll.run();
    await clock.advance(600_000);
    const outcomes = seen.reports.map(({ outcome }) => outcome);
    assert.deepEqual(outcomes, ['unknown', 'unknownNothingLocked']);
    assert.equal(seen.reads.length, 4);
    const shown = receipts.kept.at(-1)?.after.map((one) => one.locked?.length);
    assert.deepEqual(shown, [1, 1, 0]);
  });

  it('reports at the end what is locked by then', async () => {
    const { cancelAll, clock, seen } = unknown(locked, failed({}), failed({}), locked);
    await cancelAll.run();
    await clock.advance(15_000);
    assert.deepEqual(
      seen.reports.map(({ after }) => after.at(-1)?.locked?.length),
      [undefined, 1],
    );
  });

  it('does not report that it cannot be read any more', async () => {
    const { cancelAll, clock, seen, receipts } = unknown(locked, locked, failed({}));
    await cancelAll.run();
    await clock.advance(15_000);
    assert.equal(seen.reports.length, 1);
    assert.equal(receipts.kept.at(-1)?.after.length, 4);
  });

  // The read after a refusal is less than 2 s old when the next one is due.
  for (const [name, failure, later] of [
    ['was not sent', { sent: 'no' }, [4500, 5000, 15_000]],
    [
      'was refused',
      { kind: 'auth', sent: 'yes', status: 403, serverWords: 'no' },
      [4500, 4500, 15_000],
    ],
  ] as const)
    it(`goes on if the next request ${name}`, async () => {
      const ends = [failed({}), failed(failure)];
      const canceled = () => Promise.reject(ends.shift() ?? new Error('one request too many'));
      const { cancelAll, clock, seen } = cancelAllUnderTest({ canceled, locked: [locked] });
      const start = clock.now();
      await cancelAll.run();
      await clock.advance(4500);
      await cancelAll.run();
      const [first, second] = seen.reports;
      assert.notEqual(first?.id, second?.id);
      const isActive = () =>
        seen.changes.findLast(({ receipt }) => receipt.id === first?.id)?.isActive;
      assert.equal(isActive(), true);
      await clock.advance(600_000);
      assert.deepEqual(
        seen.reads.map((at) => at - start),
        [0, 0, 2000, ...later],
      );
      assert.deepEqual([isActive(), seen.deletes, clock.waiting], [false, 2, 0]);
    });

  it('is one series: it ends when the next request is sent, and not before', async () => {
    const { cancelAll, clock, seen } = cancelAllUnderTest({
      canceled: failed({}),
      locked: [locked],
      says: [true, false, true],
    });
    await cancelAll.run();
    await cancelAll.run();
    assert.equal(clock.waiting, 1);
    await cancelAll.run();
    assert.equal(seen.deletes, 2);
    assert.equal(clock.waiting, 1);
    await clock.advance(15_000);
    assert.deepEqual(
      seen.reports.map(({ id }) => id === seen.reports[0]?.id),
      [true, false],
    );
  });

  it('does not credit a request with what a newer one freed', async () => {
    const hanging = Promise.withResolvers<typeof locked>();
    const { cancelAll, clock, seen, receipts } = unknown(
      locked,
      locked,
      () => hanging.promise,
      locked,
      [],
    );
    await cancelAll.run();
    await clock.advance(2000);
    const versions = () => receipts.kept.filter(({ id }) => id === seen.reports[0]?.id);
    const before = versions().length;
    const second = cancelAll.run();
    await clock.advance(5000);
    assert.equal(seen.deletes, 2);
    hanging.resolve([]);
    await second;
    await clock.advance(600_000);
    assert.equal(versions().length, before);
    assert.deepEqual([versions().at(-1)?.outcome, clock.waiting], ['unknown', 0]);
  });

  it('ends with the window, even while a receipt is stored', async () => {
    const { cancelAll, clock, seen, receipts } = unknown(locked);
    await cancelAll.run();
    const save = receipts.save.bind(receipts);
    receipts.save = (receipt) => {
      cancelAll.dispose();
      return save(receipt);
    };
    await clock.advance(15_000);
    assert.deepEqual([seen.reads.length, seen.reports.length, clock.waiting], [3, 1, 0]);
  });
});

describe('an open receipt', () => {
  const versions = (changes: readonly CancelReport[]) =>
    changes.map(({ receipt, isActive }) => [receipt.outcome, receipt.after.length, isActive]);

  it('gets each version, and learns that no other follows', async () => {
    const { cancelAll, clock, seen } = unknown(locked);
    await cancelAll.run();
    await clock.advance(5000);
    const first = [
      ['sending', 0, true],
      ['unknown', 0, true],
      ['unknown', 1, true],
      ['unknown', 2, true],
      ['unknown', 3, true],
    ];
    assert.deepEqual(versions(seen.changes), first);
    await clock.advance(10_000);
    const last = [...first, ['unknown', 4, true], ['unknown', 4, false]];
    assert.deepEqual(versions(seen.changes), last);
  });

  it('learns it even when a newer request ends its re-checks', async () => {
    const { cancelAll, clock, seen } = unknown(locked);
    await cancelAll.run();
    await clock.advance(2000);
    await cancelAll.run();
    const [older] = seen.changes;
    const own = seen.changes.filter(({ receipt }) => receipt.id === older?.receipt.id);
    assert.deepEqual(versions(own).at(-1), ['unknown', 2, false]);
  });

  it('says that it could not be stored', async () => {
    const { cancelAll, receipts, seen } = cancelAllUnderTest();
    receipts.save = () => Promise.reject(new Error('the disk is full'));
    await cancelAll.run();
    assert.ok(seen.changes.length > 0);
    assert.ok(seen.changes.every(({ isSaved }) => !isSaved));
  });
});

describe('after a cancel-all that was answered and could not be read back', () => {
  it('becomes done, or partly, as soon as it can be read', async () => {
    for (const [found, outcome] of [
      [[], 'done'],
      [locked, 'partly'],
    ] as const) {
      const script = { locked: [[], failed({}), failed({}), [...found]] };
      const { cancelAll, clock, seen, report } = cancelAllUnderTest(script);
      await cancelAll.run();
      assert.equal(report().outcome, 'unverified');
      await clock.advance(600_000);
      assert.equal(report().outcome, outcome);
      assert.deepEqual([seen.reads.length, seen.deletes], [4, 1]);
    }
  });
});
