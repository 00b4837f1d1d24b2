import assert from 'node:assert/strict';
import { someLocked } from '../../support/builders.ts';
import { cancelAllUnderTest, failed, frozenLedger } from '../../support/cancelAllUnderTest.ts';
import { anAccount } from '../../support/builders.ts';
import { ampleLedger } from '../../support/exchangeClient.ts';

const abort = new DOMException('closed', 'AbortError');

describe('the plan of a cancel-all', () => {
  it('names what is locked by a read that began after the press', async () => {
    const { cancelAll, seen, world } = cancelAllUnderTest({
      locked: [[someLocked({ symbol: 'old' })], [someLocked()]],
      says: [false],
    });
    void world.account.refresher.refresh();
    await cancelAll.press();
    assert.deepEqual(seen.questions[0]?.plan.locked, [someLocked()]);
    assert.equal(seen.questions[0].plan.isFresh, true);
    assert.equal(seen.deletes, 0);
  });

  it('fails when the account cannot be read: nobody confirms blindly', async () => {
    const test = cancelAllUnderTest({ locked: [failed({ operation: 'accounts' })] });
    await assert.rejects(test.cancelAll.press(), { name: 'ExchangeError' });
    assert.deepEqual([test.seen.questions.length, test.seen.deletes], [0, 0]);
    assert.equal(test.seen.states.at(-1), 'idle');
  });

  it('is not made where nothing may be sent', async () => {
    const test = cancelAllUnderTest();
    test.world.refusal = new Error('read-only');
    await assert.rejects(test.cancelAll.press(), /read-only/);
    assert.deepEqual([test.seen.reads.length, test.seen.deletes], [0, 0]);
  });

  it('asks nothing while the exchange wants a pause: what may pass is for the read-back', async () => {
    const test = cancelAllUnderTest({ says: [false] });
    test.world.account = test.openAccount({ ledger: frozenLedger() });
    const account = anAccount({ orders: [someLocked()] });
    test.world.account.store.replace({ account, badRecords: [], asOf: 7 });
    await test.cancelAll.press();
    const plan = test.seen.questions[0]?.plan;
    assert.deepEqual([plan?.locked, plan?.asOf, plan?.isFresh], [[someLocked()], 7, false]);
    assert.equal(test.seen.reads.length, 0);
  });

  it('goes by what was read last where the limit has no room but for the DELETE, or says no', async () => {
    for (const [limit, reads] of [
      [4, 0],
      [1000, 1],
    ] as const) {
      const refused = failed({ kind: 'rateLimited', sent: 'no', operation: 'accounts' });
      const test = cancelAllUnderTest({ locked: [refused], says: [false] });
      const limits = [{ weight: limit, windowMs: 60_000 }];
      test.world.account = test.openAccount({ ledger: ampleLedger({ limits }) });
      const account = anAccount({ orders: [someLocked()] });
      test.world.account.store.replace({ account, badRecords: [], asOf: 7 });
      await test.cancelAll.press();
      const plan = test.seen.questions[0]?.plan;
      assert.deepEqual([plan?.locked, plan?.asOf], [[someLocked()], 7]);
      assert.deepEqual([plan?.isFresh, plan?.isPaused], [false, false]);
      assert.equal(test.seen.reads.length, reads);
    }
  });

  it('fails where the limit says no and nothing was read before', async () => {
    const refused = failed({ kind: 'rateLimited', sent: 'no', operation: 'accounts' });
    const test = cancelAllUnderTest({ locked: [refused] });
    await assert.rejects(test.cancelAll.press(), { name: 'ExchangeError' });
    assert.deepEqual([test.seen.questions.length, test.seen.deletes], [0, 0]);
  });

  it('is sent as it is within 30 s', async () => {
    const test = cancelAllUnderTest({ says: [later(() => test.clock.advance(30_000))] });
    await test.cancelAll.press();
    assert.deepEqual([test.seen.deletes, test.seen.questions.length], [1, 1]);
    assert.equal(test.seen.reads.length, 2);
  });

  it('is read anew after 30 s, and sent when it stands as it was confirmed', async () => {
    const test = cancelAllUnderTest({
      locked: [[someLocked()], [someLocked({ lockedBid: '100.00' })], []],
      says: [later(() => test.clock.advance(30_001))],
    });
    await test.cancelAll.press();
    assert.deepEqual([test.seen.deletes, test.seen.questions.length], [1, 1]);
    assert.equal(test.report().before.locked[0]?.lockedBid, '100.00');
    assert.deepEqual(test.seen.states, [
      ...['planning', 'confirming', 'planning', 'sending', 'verifying', 'reported'],
    ]);
  });

  it('is asked anew after 30 s when what is locked has changed', async () => {
    const test = cancelAllUnderTest({
      locked: [[someLocked()], [someLocked({ lockedBid: '101' })]],
      says: [later(() => test.clock.advance(30_001)), false],
    });
    await test.cancelAll.press();
    assert.equal(test.seen.deletes, 0);
    assert.equal(test.seen.questions[1]?.earlier?.locked[0]?.lockedBid, '100');
    assert.equal(test.seen.questions[1].plan.locked[0]?.lockedBid, '101');
  });

  it('is not sent when it can no longer be read', async () => {
    const test = cancelAllUnderTest({
      locked: [[], failed({ operation: 'accounts' })],
      says: [later(() => test.clock.advance(30_001))],
    });
    await assert.rejects(test.cancelAll.press(), { name: 'ExchangeError' });
    assert.equal(test.seen.deletes, 0);
  });

  it('ends with a word when it is cut off after the yes, and silently before', async () => {
    const confirmed = cancelAllUnderTest({
      locked: [[], abort],
      says: [later(() => confirmed.clock.advance(30_001))],
    });
    await assert.rejects(confirmed.cancelAll.press(), { name: 'ConfirmedInVain' });
    const closing = cancelAllUnderTest({
      says: [later(() => void (closing.world.refusal = abort))],
    });
    await assert.rejects(closing.cancelAll.press(), { name: 'ConfirmedInVain' });
    const unasked = cancelAllUnderTest({ locked: [abort] });
    await assert.rejects(unasked.cancelAll.press(), { name: 'AbortError' });
    for (const { seen } of [confirmed, closing, unasked])
      assert.deepEqual([seen.deletes, seen.states.at(-1)], [0, 'idle']);
  });

  it('is read anew, and sent, when the same account was opened anew meanwhile', async () => {
    const test = cancelAllUnderTest({
      says: [later(() => void (test.world.account = test.openAccount()))],
    });
    await test.cancelAll.press();
    assert.deepEqual([test.seen.deletes, test.seen.questions.length], [1, 1]);
    assert.equal(test.seen.reads.length, 3);
  });

  for (const [name, fields] of [
    ['credential', { fingerprint: 'f2' }],
    ['profile', { profile: { ...cancelAllUnderTest().world.account.profile, name: 'Other' } }],
    [
      'address',
      { profile: { ...cancelAllUnderTest().world.account.profile, baseUrl: 'https://other' } },
    ],
  ] as const)
    it(`is asked anew when another ${name} was opened meanwhile`, async () => {
      const test = cancelAllUnderTest({
        says: [later(() => void (test.world.account = test.openAccount(fields))), false],
      });
      await test.cancelAll.press();
      assert.deepEqual([test.seen.deletes, test.seen.questions.length], [0, 2]);
      assert.equal(test.seen.questions[1]?.plan.account, test.world.account);
    });

  it('names cancel-alls of this account in the last 30 s, by any window, that may have acted', async () => {
    const test = cancelAllUnderTest({ says: [true, true, false] });
    await test.cancelAll.press();
    const [own] = test.seen.reports;
    assert.ok(own);
    const now = test.clock.now();
    const others = [
      { id: 'dead window', sentAt: now - 30_000, outcome: 'sending' },
      { id: 'too old', sentAt: now - 30_001 },
      { id: 'another account', account: 'f2' },
      { id: 'refused', outcome: 'refused' },
      { id: 'never left', outcome: 'notSent' },
    ] as const;
    for (const fields of others) await test.receipts.keep({ ...own, ...fields });
    await test.cancelAll.press();
    const named = test.seen.questions[1]?.plan.recent.map(({ id }) => id);
    assert.deepEqual(named, ['dead window', own.id]);
  });

  it('is asked anew when another window cancelled while the question stood', async () => {
    const test = cancelAllUnderTest({ says: [true] });
    await test.cancelAll.press();
    const [own] = test.seen.reports;
    assert.ok(own);
    await test.clock.advance(40_000);
    const other = cancelAllUnderTest({
      says: [
        later(async () => {
          await other.clock.advance(31_000);
          await other.receipts.keep({ ...own, id: 'other', sentAt: other.clock.now() });
        }),
        false,
      ],
    });
    await other.cancelAll.press();
    assert.deepEqual([other.seen.deletes, other.seen.questions.length], [0, 2]);
    assert.equal(other.seen.questions[1]?.plan.recent[0]?.id, 'other');
  });
});

/** Yes, after something has happened. */
function later(happens: () => void | Promise<void>): () => Promise<boolean> {
  return async () => {
    await happens();
    return true;
  };
}
