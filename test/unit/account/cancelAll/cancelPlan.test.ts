import assert from 'node:assert/strict';
import { newReceipt } from '../../../../src/account/cancelAll/cancelPlan.ts';
import { NoAccountError } from '../../../../src/account/session/activeAccount.ts';
import { UserFacingError } from '../../../../src/base/errors.ts';
import { phrase } from '../../../../src/base/phrase.ts';
import { someLocked } from '../../../support/builders.ts';
import {
  cancelAllUnderTest,
  failed,
  usedUpRateLimiter,
  type Script,
} from '../../../support/cancelAllUnderTest.ts';
import { english } from '../../../support/english.ts';
import { wallClockJumps } from '../../../support/wallClockJumps.ts';

type Test = ReturnType<typeof cancelAllUnderTest>;

const abort = new DOMException('closed', 'AbortError');
const unreadable = failed({ kind: 'server', operation: 'accounts', status: 500 });
const open = [someLocked()];
const { profile } = cancelAllUnderTest().world.account;

/** A cancel-all of which something happens while its first question is open; a second one is answered with no. */
function meanwhile(happens: (test: Test) => unknown, script: Script = {}): Test {
  const test = cancelAllUnderTest({
    says: [async () => (await happens(test), true), false],
    ...script,
  });
  return test;
}

/** A limit with room for a DELETE from a moment on. */
function roomFrom(readyAt: () => number) {
  return Object.defineProperty(usedUpRateLimiter(), 'cancelAllReadyAt', { get: readyAt });
}

describe('the plan of a cancel-all', () => {
  it('names what is locked by a read that began after the press', async () => {
    const { cancelAll, seen, world } = cancelAllUnderTest({
      locked: [[someLocked({ symbol: 'old' })], open],
      says: [false],
    });
    void world.account.refresher.refresh();
    await cancelAll.run();
    const plan = seen.questions[0]?.plan;
    assert.deepEqual(plan?.figures?.locked, open);
    assert.deepEqual([plan.unreadReason, plan.sendableAt, seen.deletes], [undefined, undefined, 0]);
  });

  it('is not made when nothing may be sent', async () => {
    const test = cancelAllUnderTest();
    test.world.refusal = new Error('read-only');
    await assert.rejects(test.cancelAll.run(), /read-only/);
    assert.deepEqual([test.seen.reads.length, test.seen.deletes], [0, 0]);
    assert.equal(test.seen.states.at(-1), 'ended');
  });

  it('has no question if the account is closed while it is read', async () => {
    const test = cancelAllUnderTest({ locked: [abort] });
    await assert.rejects(test.cancelAll.run(), { name: 'AbortError' });
    assert.deepEqual([test.seen.reports, test.seen.states.at(-1)], [[], 'ended']);
  });

  it('names other cancel-alls of the last 30 s, by any window, that may have acted', async () => {
    const test = cancelAllUnderTest({ says: [true, false] });
    await test.cancelAll.run();
    const own = test.report();
    const now = test.clock.now();
    const others = [
      { id: 'closed window', sentAt: now - 30_000, outcome: 'sending' },
      { id: 'too old', sentAt: now - 30_001 },
      { id: 'before the clock was set back', sentAt: now + 1 },
      { id: 'another account', account: 'f2' },
      { id: 'refused', outcome: 'refused' },
      { id: 'never left', outcome: 'notSent' },
    ] as const;
    for (const fields of others) await test.receipts.save({ ...own, ...fields });
    await test.cancelAll.run();
    const named = test.seen.questions[1]?.plan.recentCancels.map(({ id }) => id);
    assert.deepEqual(named, ['closed window', own.id]);
  });
});

describe('a confirmed cancel-all', () => {
  const later = (ms: number) => (test: Test) => test.clock.advance(ms);
  const opened =
    (...fields: Parameters<Test['openAccount']>) =>
    (test: Test) =>
      (test.world.account = test.openAccount(...fields));
  const another = async (test: Test): Promise<void> => {
    await test.clock.advance(30_001);
    const { plan } = test.seen.questions[0] ?? assert.fail('no question');
    await test.receipts.save({ ...newReceipt(plan, test.clock.now()), id: 'other' });
  };
  const changed = [someLocked({ lockedBid: '101' })];

  for (const [what, happens, locked, reads] of [
    ['within 30 s', later(30_000), [open], 2],
    [
      'after 30 s, if nothing changed',
      later(30_001),
      [open, [someLocked({ lockedBid: '1E2' })], []],
      3,
    ],
    ['after 30 s, if the account is still not readable', later(30_001), [unreadable], 3],
    ['if the same account was opened again', opened(), [open], 3],
    ...wallClockJumps.map(
      ([name, ms]) =>
        [
          `while the wall clock is ${name}`,
          ({ clock }: Test) => clock.setAhead(ms),
          [open],
          2,
        ] as const,
    ),
  ] as const)
    it(`is sent ${what}`, async () => {
      const test = meanwhile(happens, { locked: [...locked] });
      await test.cancelAll.run();
      assert.deepEqual([test.seen.questions.length, test.seen.deletes], [1, 1]);
      assert.equal(test.seen.reads.length, reads);
      const again = reads > 2 ? ['planning'] : [];
      const [first, ...others] = test.seen.states;
      assert.deepEqual([first, others[0]], ['planning', 'confirming']);
      assert.deepEqual(others.slice(1), [...again, 'sending', 'verifying', 'ended']);
      test.cancelAll.dispose();
    });

  for (const [what, happens, locked] of [
    ['what is locked has changed', later(30_001), [open, changed]],
    ['the account can no longer be read', later(30_001), [[], unreadable]],
    ['the account is read for the first time', later(30_001), [unreadable, []]],
    ['another key was opened', opened({ fingerprint: 'f2' }), [open]],
    ['another profile was opened', opened({ profile: { ...profile, name: 'Other' } }), [open]],
    [
      'another address was opened',
      opened({ profile: { ...profile, baseUrl: 'https://o' } }),
      [open],
    ],
    ['another cancel-all was sent', another, [open]],
  ] as const)
    it(`is asked again, and says why it is not sent, if ${what}`, async () => {
      const test = meanwhile(happens, { locked: [...locked] });
      await test.cancelAll.run();
      assert.equal(test.seen.questions.length, 2);
      const [first, second] = test.seen.questions;
      assert.deepEqual([first?.earlier, second?.earlier], [undefined, first?.plan]);
      assert.equal(second?.plan.account, test.world.account);
      assert.match(reasonNotSent(test), /kept the orders/);
    });

  it('keeps the room that it waited for while its plan is made again', async () => {
    const test = cancelAllUnderTest();
    const start = test.clock.now();
    const isThere = (): boolean => test.clock.now() === start + 40_000 && test.seen.held === 0;
    const readyAt = (): number => (isThere() ? 0 : start + 40_000 + 20_000 * test.seen.held);
    test.world.account = test.openAccount({ rateLimiter: roomFrom(readyAt) });
    void test.cancelAll.run();
    await test.clock.advance(40_000);
    assert.deepEqual(test.seen.states.slice(-4), ['planning', 'sending', 'verifying', 'ended']);
    assert.deepEqual([test.seen.questions.length, test.seen.deletes, test.seen.held], [1, 1, 0]);
  });

  for (const [what, happens, reason] of [
    ['another account is opened', refuse(abort), /^the account is no longer open/],
    ['its account is closed', refuse(new NoAccountError()), /^the account is no longer open/],
    [
      'it may not be sent',
      refuse(new UserFacingError('“A” is read-only.')),
      /^“A” is read-only\.$/,
    ],
    ['a phrase says why', refuse(new UserFacingError(phrase('{0} is gone.', 'A'))), /^A is gone\./],
    ['a second read is dropped', later(30_001), /^the account is no longer open/],
  ] as const)
    it(`has a report and a receipt of why it is not sent, if ${what}`, async () => {
      const test = meanwhile(happens, { locked: [[], abort] });
      await test.cancelAll.run();
      assert.match(reasonNotSent(test), reason);
    });
});

describe('a cancel-all with the whole limit used', () => {
  function usedUpFor(ms: number, says: Script['says'] = [true]) {
    const test = cancelAllUnderTest({ says });
    const readyAt = test.clock.now() + ms;
    test.world.account = test.openAccount({ rateLimiter: usedUpRateLimiter(readyAt) });
    return { ...test, readyAt };
  }

  for (const ms of [1, 20_000, 89_999, 90_000])
    it(`says that it can be sent in ${ms} ms, and is sent then, once`, async () => {
      const test = usedUpFor(ms);
      const presses = [test.cancelAll.run(), test.cancelAll.run()];
      await test.clock.advance(ms - 1);
      assert.equal(test.seen.questions[0]?.plan.sendableAt, test.readyAt);
      assert.deepEqual([test.seen.deletes, test.seen.states.at(-1)], [0, 'waiting']);
      await test.clock.advance(1);
      await Promise.all(presses);
      assert.deepEqual([test.seen.deletes, test.seen.questions.length], [1, 1]);
      assert.equal(test.report().sentAt, test.readyAt);
    });

  for (const ms of [90_001, 3_600_000])
    it(`does not wait for ${ms} ms`, async () => {
      const test = usedUpFor(ms);
      await test.cancelAll.run();
      assert.ok(!test.seen.states.includes('waiting'));
      assert.equal(test.clock.waiting, 0);
    });

  for (const [name, aheadMs] of wallClockJumps)
    it(`waits as long while the wall clock is ${name}, after an earlier one`, async () => {
      const test = cancelAllUnderTest();
      await test.cancelAll.run();
      await test.clock.advance(600_000);
      const readyAt = test.clock.steadyNow() + 80_000;
      const ahead = () => test.clock.now() - test.clock.steadyNow();
      test.world.account = test.openAccount({ rateLimiter: roomFrom(() => readyAt + ahead()) });
      void test.cancelAll.run();
      await test.clock.advance(10_000);
      test.clock.setAhead(aheadMs);
      await test.clock.advance(69_999);
      assert.deepEqual([test.seen.deletes, test.seen.states.at(-1)], [1, 'waiting']);
      await test.clock.advance(1);
      assert.deepEqual([test.seen.deletes, test.seen.questions.length], [2, 2]);
    });

  it('is asked again within a second if another account is opened during the wait', async () => {
    const test = usedUpFor(80_000, [true, false]);
    void test.cancelAll.run();
    await test.clock.advance(1000);
    test.world.account = test.openAccount({ fingerprint: 'f2' });
    await test.clock.advance(1000);
    assert.deepEqual([test.seen.deletes, test.seen.questions.length], [0, 2]);
    assert.deepEqual([test.clock.waiting, test.seen.held], [0, 0]);
  });

  it('gives back room that came while another account was opened', async () => {
    const test = usedUpFor(1500, [true, false]);
    void test.cancelAll.run();
    await test.clock.advance(999);
    const opening = Promise.withResolvers<undefined>();
    test.world.opening = opening.promise;
    await test.clock.advance(501);
    assert.equal(test.seen.held, 1);
    test.world.account = test.openAccount({ fingerprint: 'f2' });
    opening.resolve(undefined);
    await test.clock.advance(0);
    assert.deepEqual([test.seen.questions.length, test.seen.held], [2, 0]);
  });

  it('is withdrawn if the user stops the wait, and says that it was not sent if the window closes', async () => {
    for (const [end, outcome] of [
      [({ seen }: Test) => seen.stopWaiting(), undefined],
      [({ cancelAll }: Test) => cancelAll.dispose(), 'notSent'],
    ] as const) {
      const test = usedUpFor(20_000);
      void test.cancelAll.run();
      await test.clock.advance(1000);
      end(test);
      await test.clock.advance(20_000);
      assert.equal(test.seen.deletes, 0);
      assert.equal(test.receipts.kept.at(-1)?.outcome, outcome);
      assert.equal(test.clock.waiting, 0);
    }
  });
});

describe('a cancel-all whose room in the limit another window takes', () => {
  /** When there would be room, another window takes it for so long. */
  function overtakenFor(ms: number, says: Script['says'] = [true]) {
    const test = cancelAllUnderTest({ says });
    const start = test.clock.now();
    const takenAt = start + 20_000;
    const readyAt = (): number => (test.clock.now() < takenAt ? takenAt : takenAt + ms);
    test.world.account = test.openAccount({ rateLimiter: roomFrom(readyAt) });
    return { ...test, start };
  }

  it('waits for the next room, also at other presses, with one receipt of when it was sent', async () => {
    const test = overtakenFor(30_000);
    void test.cancelAll.run();
    await test.clock.advance(20_000);
    void test.cancelAll.run();
    assert.deepEqual([test.seen.states.at(-1), test.receipts.kept], ['waiting', []]);
    await test.clock.advance(30_000);
    assert.deepEqual([test.report().outcome, test.report().sentAt], ['done', test.start + 50_000]);
    assert.equal(new Set(test.receipts.kept.map(({ id }) => id)).size, 1);
    assert.deepEqual([test.seen.questions.length, test.seen.held], [1, 0]);
  });

  it('asks again with that cancel-all, and gives its room back', async () => {
    const test = overtakenFor(30_000, [true, false]);
    void test.cancelAll.run();
    await test.clock.advance(30_000);
    const { plan } = test.seen.questions[0] ?? assert.fail('no question');
    const other = newReceipt(plan, test.start + 29_500);
    await test.receipts.save({ ...other, id: 'other' });
    await test.clock.advance(20_000);
    assert.equal(test.seen.questions[1]?.plan.recentCancels[0]?.id, 'other');
    assert.deepEqual([test.seen.deletes, test.seen.held], [0, 0]);
    assert.match(reasonNotSent(test), /kept the orders/);
  });

  it('is not sent, and says that the limit has no room, 90 s after the confirmation', async () => {
    const test = overtakenFor(70_001);
    await Promise.all([test.cancelAll.run(), test.clock.advance(90_000)]);
    assert.deepEqual([test.report().outcome, test.seen.deletes], ['notSent', 0]);
    assert.equal(test.report().failure?.kind, 'rateLimited');
    assert.equal(test.clock.waiting, 0);
  });
});

/** What the report of the one press, and its receipt, say; nothing else happened. */
function reasonNotSent({ seen, receipts }: Test): string {
  const [report] = seen.reports;
  assert.deepEqual(
    receipts.kept.filter(({ id }) => id !== 'other'),
    [report],
  );
  assert.deepEqual([report?.outcome, seen.deletes, seen.states.at(-1)], ['notSent', 0, 'ended']);
  const detail = report?.failure?.detail ?? '';
  return typeof detail === 'string' ? detail : english(detail);
}

function refuse(refusal: Error): (test: Test) => void {
  return (test) => void (test.world.refusal = refusal);
}
