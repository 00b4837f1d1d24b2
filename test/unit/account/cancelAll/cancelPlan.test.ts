import assert from 'node:assert/strict';
import { NoAccountError } from '../../../../src/account/session/activeAccount.ts';
import { UserFacingError } from '../../../../src/base/errors.ts';
import { phrase } from '../../../../src/base/phrase.ts';
import { newReceipt } from '../../../../src/account/cancelAll/cancelPlan.ts';
import { someLocked } from '../../../support/builders.ts';
import { english } from '../../../support/english.ts';
import {
  cancelAllUnderTest,
  failed,
  usedUpRateLimiter,
} from '../../../support/cancelAllUnderTest.ts';

const abort = new DOMException('closed', 'AbortError');
const unreadable = failed({ kind: 'server', operation: 'accounts', status: 500 });

describe('the plan of a cancel-all', () => {
  it('names what is locked by a read that began after the press', async () => {
    const { cancelAll, seen, world } = cancelAllUnderTest({
      locked: [[someLocked({ symbol: 'old' })], [someLocked()]],
      says: [false],
    });
    void world.account.refresher.refresh();
    await cancelAll.run();
    const plan = seen.questions[0]?.plan;
    assert.deepEqual(plan?.figures?.locked, [someLocked()]);
    assert.deepEqual([plan.unreadReason, plan.sendableAt, seen.deletes], [undefined, undefined, 0]);
  });

  it('is not made when nothing may be sent', async () => {
    const test = cancelAllUnderTest();
    test.world.refusal = new Error('read-only');
    await assert.rejects(test.cancelAll.run(), /read-only/);
    assert.deepEqual([test.seen.reads.length, test.seen.deletes], [0, 0]);
    assert.equal(test.seen.states.at(-1), 'ended');
  });
});

describe('a confirmed plan', () => {
  it('is sent as it is within 30 s', async () => {
    const test = cancelAllUnderTest({ says: [later(() => test.clock.advance(30_000))] });
    await test.cancelAll.run();
    assert.deepEqual([test.seen.deletes, test.seen.questions.length], [1, 1]);
    assert.equal(test.seen.reads.length, 2);
  });

  it('is read again after 30 s, and sent if nothing changed', async () => {
    const test = cancelAllUnderTest({
      locked: [[someLocked()], [someLocked({ lockedBid: '100.00' })], []],
      says: [later(() => test.clock.advance(30_001))],
    });
    await test.cancelAll.run();
    assert.deepEqual([test.seen.deletes, test.seen.questions.length], [1, 1]);
    assert.equal(test.report().before.locked[0]?.lockedBid, '100.00');
    assert.deepEqual(test.seen.states, [
      ...['planning', 'confirming', 'planning', 'sending', 'verifying', 'ended'],
    ]);
  });

  it('is asked again after 30 s if what is locked has changed', async () => {
    const test = cancelAllUnderTest({
      locked: [[someLocked()], [someLocked({ lockedBid: '101' })]],
      says: [later(() => test.clock.advance(30_001)), false],
    });
    await test.cancelAll.run();
    assert.equal(test.seen.deletes, 0);
    assert.equal(test.seen.questions[1]?.earlier?.figures?.locked?.[0]?.lockedBid, '100');
    assert.equal(test.seen.questions[1].plan.figures?.locked?.[0]?.lockedBid, '101');
  });

  const uncertain: [string, (typeof unreadable | [])[], number][] = [
    ['is asked again when the account can no longer be read', [[], unreadable], 2],
    ['is sent when the account is still not readable', [unreadable, unreadable], 1],
    ['is asked again when the account is read for the first time', [unreadable, []], 2],
  ];
  for (const [name, locked, questions] of uncertain)
    it(`${name}, after 30 s`, async () => {
      const test = cancelAllUnderTest({
        locked,
        says: [later(() => test.clock.advance(30_001)), false],
      });
      await test.cancelAll.run();
      assert.deepEqual(
        [test.seen.questions.length, test.seen.deletes],
        [questions, questions === 1 ? 1 : 0],
      );
      test.cancelAll.dispose();
    });

  /** What the report of the one press, and its receipt, say; nothing else happened. */
  function reasonNotSent({ seen, receipts }: ReturnType<typeof cancelAllUnderTest>): string {
    const [report] = seen.reports;
    assert.deepEqual(receipts.kept, [report]);
    assert.deepEqual([report?.outcome, seen.deletes, seen.states.at(-1)], ['notSent', 0, 'ended']);
    const detail = report?.failure?.detail ?? '';
    return typeof detail === 'string' ? detail : english(detail);
  }

  it('has a report and a receipt if its account is closed during another read', async () => {
    const test = cancelAllUnderTest({
      locked: [[], abort],
      says: [later(() => test.clock.advance(30_001))],
    });
    await test.cancelAll.run();
    assert.match(reasonNotSent(test), /^the account is no longer open/);
    const unasked = cancelAllUnderTest({ locked: [abort] });
    await assert.rejects(unasked.cancelAll.run(), { name: 'AbortError' });
    assert.deepEqual([unasked.seen.reports, unasked.seen.states.at(-1)], [[], 'ended']);
  });

  it('has a report and a receipt if it is kept when it is asked again', async () => {
    const test = cancelAllUnderTest({
      says: [
        later(() => void (test.world.account = test.openAccount({ fingerprint: 'f2' }))),
        false,
      ],
    });
    await test.cancelAll.run();
    assert.match(reasonNotSent(test), /kept the orders/);
  });

  for (const [name, refusal, reason] of [
    ['is superseded by another account', abort, /^the account is no longer open/],
    ['is closed', new NoAccountError(), /^the account is no longer open/],
    ['may not send', new UserFacingError('“A” is read-only.'), /^“A” is read-only\.$/],
    ['may not send, in a phrase', new UserFacingError(phrase('{0} is gone.', 'A')), /^A is gone\./],
  ] as const)
    it(`has a report and a receipt if its account ${name} after the confirmation`, async () => {
      const test = cancelAllUnderTest({ says: [later(() => void (test.world.refusal = refusal))] });
      await test.cancelAll.run();
      assert.match(reasonNotSent(test), reason);
    });

  it('is read again, and sent, when the same account was opened again meanwhile', async () => {
    const test = cancelAllUnderTest({
      says: [later(() => void (test.world.account = test.openAccount()))],
    });
    await test.cancelAll.run();
    assert.deepEqual([test.seen.deletes, test.seen.questions.length], [1, 1]);
    assert.equal(test.seen.reads.length, 3);
  });

  const { profile } = cancelAllUnderTest().world.account;
  for (const [name, fields] of [
    ['key', { fingerprint: 'f2' }],
    ['profile', { profile: { ...profile, name: 'Other' } }],
    ['address', { profile: { ...profile, baseUrl: 'https://other' } }],
  ] as const)
    it(`is asked again when another ${name} was opened meanwhile`, async () => {
      const test = cancelAllUnderTest({
        says: [later(() => void (test.world.account = test.openAccount(fields))), false],
      });
      await test.cancelAll.run();
      assert.deepEqual([test.seen.deletes, test.seen.questions.length], [0, 2]);
      assert.equal(test.seen.questions[1]?.plan.account, test.world.account);
    });
});

describe('a cancel-all with the whole limit used', () => {
  function usedUpFor(ms: number, says = [true]) {
    const test = cancelAllUnderTest({ says });
    const rateLimiter = usedUpRateLimiter(test.clock.now() + ms);
    test.world.account = test.openAccount({ rateLimiter });
    return test;
  }

  it('says when it can be sent, and waits until then once it is confirmed', async () => {
    const test = usedUpFor(20_000);
    const sendableAt = test.clock.now() + 20_000;
    void test.cancelAll.run();
    await test.clock.advance(19_999);
    assert.equal(test.seen.questions[0]?.plan.sendableAt, sendableAt);
    assert.deepEqual([test.seen.deletes, test.seen.states.at(-1)], [0, 'waiting']);
    await test.clock.advance(1);
    assert.deepEqual([test.seen.deletes, test.seen.questions.length], [1, 1]);
    assert.equal(test.report().sentAt, sendableAt);
  });

  it('is sent after a wait of more than 30 s if nothing changed', async () => {
    const test = usedUpFor(55_000);
    void test.cancelAll.run();
    void test.cancelAll.run();
    await test.clock.advance(55_000);
    assert.deepEqual([test.seen.deletes, test.seen.questions.length], [1, 1]);
  });

  it('is asked again within a second if another account is opened during the wait', async () => {
    const test = usedUpFor(80_000, [true, false]);
    void test.cancelAll.run();
    await test.clock.advance(1000);
    test.world.account = test.openAccount({ fingerprint: 'f2' });
    await test.clock.advance(1000);
    assert.deepEqual([test.seen.deletes, test.seen.questions.length], [0, 2]);
    assert.equal(test.clock.waiting, 0);
  });

  describe('by another window again', () => {
    const noRoom = failed({ kind: 'rateLimited', sent: 'no' });

    /** At the first request, another window has taken the room, for so long. */
    function overtakenFor(ms: number, says = [true]) {
      const ends = [Promise.reject(noRoom), Promise.resolve([])];
      const canceled = () => ends.shift() ?? assert.fail('one request too many');
      const test = cancelAllUnderTest({ says, canceled });
      const start = test.clock.now();
      const readyAt = (): number => start + 20_000 + (test.seen.deletes > 0 ? ms : 0);
      const rateLimiter = Object.defineProperty(usedUpRateLimiter(), 'cancelAllReadyAt', {
        get: readyAt,
      });
      test.world.account = test.openAccount({ rateLimiter });
      return { ...test, start };
    }

    it('waits for the next room, with one receipt of when it was sent', async () => {
      const test = overtakenFor(30_000);
      void test.cancelAll.run();
      await test.clock.advance(20_000);
      assert.equal(test.receipts.kept.at(-1)?.outcome, 'notSent');
      assert.deepEqual([test.seen.states.at(-1), test.seen.reports], ['waiting', []]);
      await test.clock.advance(30_000);
      assert.deepEqual(
        [test.report().outcome, test.report().sentAt],
        ['done', test.start + 50_000],
      );
      assert.equal(new Set(test.receipts.kept.map(({ id }) => id)).size, 1);
      assert.equal(test.seen.questions.length, 1);
    });

    it('can be withdrawn while it waits again', async () => {
      const test = overtakenFor(30_000);
      void test.cancelAll.run();
      await test.clock.advance(21_000);
      test.seen.stopWaiting();
      await test.clock.advance(60_000);
      assert.deepEqual([test.seen.deletes, test.receipts.kept.at(-1)?.outcome], [1, 'notSent']);
    });

    for (const [answer, says, outcomes] of [
      ['keeps the orders', false, ['notSent']],
      ['confirms', true, ['done']],
    ] as const)
      it(`is reported unless a second press sends one: its question is open, and the user ${answer}`, async () => {
        const first = Promise.withResolvers<[]>();
        const second = Promise.withResolvers<boolean>();
        const ends = [first.promise, Promise.resolve([])];
        const test = cancelAllUnderTest({
          says: [true, () => second.promise],
          canceled: () => ends.shift() ?? assert.fail('one request too many'),
        });
        let readyAt = 0;
        const rateLimiter = Object.defineProperty(usedUpRateLimiter(), 'cancelAllReadyAt', {
          get: () => readyAt,
        });
        test.world.account = test.openAccount({ rateLimiter });
        const presses = [test.cancelAll.run()];
        await test.clock.advance(0);
        presses.push(test.cancelAll.run());
        await test.clock.advance(0);
        assert.equal(test.seen.questions.length, 2);
        readyAt = test.clock.now() + 3000;
        first.reject(noRoom);
        await test.clock.advance(0);
        second.resolve(says);
        await test.clock.advance(3000);
        await Promise.all(presses);
        assert.deepEqual(
          test.seen.reports.map(({ outcome }) => outcome),
          outcomes,
        );
        assert.equal(test.clock.waiting, 0);
      });

    it('is reported if the wait for the next room is withdrawn', async () => {
      const test = overtakenFor(30_000);
      void test.cancelAll.run();
      await test.clock.advance(21_000);
      test.seen.stopWaiting();
      await test.clock.advance(1000);
      assert.deepEqual([test.report().outcome, test.seen.deletes], ['notSent', 1]);
    });

    it('asks again if that window sent a cancel-all', async () => {
      const test = overtakenFor(30_000, [true, false]);
      void test.cancelAll.run();
      await test.clock.advance(19_000);
      const { plan } = test.seen.questions[0] ?? assert.fail('no question');
      await test.receipts.save(newReceipt(plan, test.start + 19_500, 'other'));
      await test.clock.advance(1000);
      assert.equal(test.seen.questions[1]?.plan.recentCancels[0]?.id, 'other');
      assert.equal(test.seen.deletes, 1);
    });

    it('is reported as not sent if the room comes later than 90 s after the confirmation', async () => {
      const test = overtakenFor(80_000);
      const run = test.cancelAll.run();
      await test.clock.advance(20_000);
      await run;
      assert.deepEqual([test.report().outcome, test.seen.deletes], ['notSent', 1]);
      assert.equal(test.clock.waiting, 0);
    });
  });

  it('is not waited for if the limit has room only in an hour: the receipt says not sent', async () => {
    const test = usedUpFor(3_600_000);
    const run = test.cancelAll.run();
    await test.clock.advance(0);
    await run;
    assert.equal(test.clock.waiting, 0);
    assert.equal(test.seen.states.includes('waiting'), false);
  });

  it('is withdrawn if the user stops the wait', async () => {
    const test = usedUpFor(20_000);
    void test.cancelAll.run();
    await test.clock.advance(1000);
    test.seen.stopWaiting();
    await test.clock.advance(20_000);
    assert.deepEqual([test.seen.deletes, test.receipts.kept.length], [0, 0]);
    assert.equal(test.clock.waiting, 0);
  });

  it('leaves a receipt that it was not sent if the window closes during the wait', async () => {
    const test = usedUpFor(20_000);
    void test.cancelAll.run();
    await test.clock.advance(1000);
    test.cancelAll.dispose();
    await test.clock.advance(20_000);
    assert.deepEqual([test.seen.deletes, test.receipts.kept.at(-1)?.outcome], [0, 'notSent']);
    assert.equal(test.clock.waiting, 0);
  });
});

describe('other cancel-alls of the account', () => {
  it('are named if they are of the last 30 s, by any window, and may have acted', async () => {
    const test = cancelAllUnderTest({ says: [true, true, false] });
    await test.cancelAll.run();
    const [own] = test.seen.reports;
    assert.ok(own);
    const now = test.clock.now();
    const others = [
      { id: 'closed window', sentAt: now - 30_000, outcome: 'sending' },
      { id: 'too old', sentAt: now - 30_001 },
      { id: 'another account', account: 'f2' },
      { id: 'refused', outcome: 'refused' },
      { id: 'never left', outcome: 'notSent' },
    ] as const;
    for (const fields of others) await test.receipts.save({ ...own, ...fields });
    await test.cancelAll.run();
    const named = test.seen.questions[1]?.plan.recentCancels.map(({ id }) => id);
    assert.deepEqual(named, ['closed window', own.id]);
  });

  it('lead to another question if they were sent while the question was open', async () => {
    const first = cancelAllUnderTest();
    await first.cancelAll.run();
    const own = first.report();
    const other = cancelAllUnderTest({
      says: [
        later(async () => {
          await other.clock.advance(31_000);
          await other.receipts.save({ ...own, id: 'other', sentAt: other.clock.now() });
        }),
        false,
      ],
    });
    await other.cancelAll.run();
    assert.deepEqual([other.seen.deletes, other.seen.questions.length], [0, 2]);
    assert.equal(other.seen.questions[1]?.plan.recentCancels[0]?.id, 'other');
  });
});

/** Yes, after something has happened. */
function later(happens: () => void | Promise<void>): () => Promise<boolean> {
  return async () => {
    await happens();
    return true;
  };
}
