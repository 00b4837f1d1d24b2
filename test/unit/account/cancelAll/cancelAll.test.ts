import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { CancelOutcome } from '../../../../src/account/cancelAll/cancelOutcome.ts';
import { mayHaveActed } from '../../../../src/account/cancelAll/receipts.ts';
import { phrase } from '../../../../src/base/phrase.ts';
import type { Failure } from '../../../../src/exchange/exchangeError.ts';
import { someLocked } from '../../../support/builders.ts';
import { aCanceledOrder, cancelAllUnderTest, failed } from '../../../support/cancelAllUnderTest.ts';
import { runToEnd } from '../../../support/childProcess.ts';
import { projectRoot } from '../../../support/project.ts';

const neverLeft: [string, Partial<Failure>][] = [
  ['because of the rate limit', { kind: 'rateLimited', sent: 'no' }],
  ['because it is not valid', { kind: 'configuration', sent: 'no' }],
  ['because no connection was made', { sent: 'no', detail: 'ECONNREFUSED' }],
  ['because the deadline passed before', { kind: 'timeout', sent: 'no' }],
];

const unclear: [string, Partial<Failure>][] = [
  ['a lost connection', {}],
  ['a timeout', { kind: 'timeout' }],
  ['a 200 that rejects the key', { kind: 'auth', sent: 'yes', status: 200, serverWords: 'no' }],
  ['a refused 429', { kind: 'refused', sent: 'yes', status: 429, serverWords: 'limit' }],
  ['a 403 for the limit', { kind: 'rateLimited', sent: 'yes', status: 403, serverWords: 'limit' }],
  ['a 403 that was cut', { kind: 'network', sent: 'yes', status: 403 }],
];

describe('the outcome of a cancel-all', () => {
  for (const [name, failure] of neverLeft)
    it(`is “notSent” when it never left ${name}; nothing is read back`, async () => {
      const { cancelAll, seen, report } = cancelAllUnderTest({ canceled: failed(failure) });
      await cancelAll.run();
      assert.equal(report().outcome, 'notSent');
      assert.deepEqual([seen.deletes, seen.reads.length], [1, 1]);
      assert.ok(!mayHaveActed(report()));
    });

  const answered: [CancelOutcome, string, ReturnType<typeof someLocked>[] | Error][] = [
    ['done', 'nothing is locked', []],
    ['done', 'only zeros are locked', [someLocked({ lockedBid: '0', sumSizeBid: '0.000' })]],
    ['partly', 'something is locked', [someLocked()]],
    ['unverified', 'the account cannot be read', failed({ kind: 'timeout' })],
  ];
  for (const [outcome, name, locked] of answered)
    it(`is “${outcome}” when the exchange answered and ${name}`, async () => {
      const canceled = [aCanceledOrder()];
      const { cancelAll, seen, report } = cancelAllUnderTest({ canceled, locked: [[], locked] });
      await cancelAll.run();
      assert.equal(report().outcome, outcome);
      assert.deepEqual([report().canceled.length, seen.deletes], [1, 1]);
      cancelAll.dispose();
    });

  it('is “unverified” when a summary of the read-back cannot be read', async () => {
    const unread = [{ path: '$.orders[0]', problem: phrase('$.orders[0].lockedAsk is missing') }];
    const { cancelAll, report } = cancelAllUnderTest({ unread });
    await cancelAll.run();
    assert.equal(report().outcome, 'unverified');
    cancelAll.dispose();
  });

  for (const [name, failure] of unclear)
    it(`is unknown after ${name}, and names what is locked`, async () => {
      for (const [locked, outcome] of [
        [[], 'unknownNothingLocked'],
        [[someLocked()], 'unknown'],
      ] as const) {
        const script = { canceled: failed(failure), locked: [locked] };
        const { cancelAll, seen, report } = cancelAllUnderTest(script);
        await cancelAll.run();
        assert.equal(report().outcome, outcome);
        assert.equal(report().after[0]?.locked?.[0]?.lockedBid, locked[0]?.lockedBid);
        assert.deepEqual([seen.deletes, seen.reads.length], [1, 2]);
        cancelAll.dispose();
      }
    });

  it('is unknown after an internal error, and when the read-back fails as well', async () => {
    const canceled = new TypeError('bug');
    const locked = [[], new TypeError('bug')];
    const { cancelAll, report } = cancelAllUnderTest({ canceled, locked });
    await cancelAll.run();
    assert.equal(report().outcome, 'unknown');
    assert.equal(report().after[0]?.locked, null);
    cancelAll.dispose();
  });

  it('is reported although no receipt can be stored', async () => {
    const { cancelAll, receipts, seen, report } = cancelAllUnderTest();
    receipts.save = () => Promise.reject(new Error('disk full'));
    receipts.sentSince = () => Promise.reject(new Error('no folder'));
    await cancelAll.run();
    assert.equal(report().outcome, 'done');
    const saving = 'saveReceipt';
    assert.deepEqual(seen.problems, ['readReceipts', saving, saving, saving]);
    assert.deepEqual(seen.unsaved, [report().id]);
  });

  it('says whether the reported version of the receipt was stored', async () => {
    const stored = cancelAllUnderTest();
    await stored.cancelAll.run();
    assert.deepEqual(stored.seen.unsaved, []);
    const full = cancelAllUnderTest();
    const save = full.receipts.save.bind(full.receipts);
    full.receipts.save = (receipt) =>
      receipt.after.length === 0 ? save(receipt) : Promise.reject(new Error('disk full'));
    await full.cancelAll.run();
    assert.deepEqual(full.seen.unsaved, [full.report().id]);
  });

  it('is “notSent” when the window closes before the request is sent', async () => {
    const marking = cancelAllUnderTest();
    const save = marking.receipts.save.bind(marking.receipts);
    marking.receipts.save = (receipt) => {
      marking.cancelAll.dispose();
      return save(receipt);
    };
    const replanning = cancelAllUnderTest({
      locked: [[], () => Promise.resolve([]).finally(() => replanning.cancelAll.dispose())],
      says: [() => replanning.clock.advance(30_001).then(() => true)],
    });
    const confirming = cancelAllUnderTest({
      says: [() => Promise.resolve(true).finally(() => confirming.cancelAll.dispose())],
    });
    for (const { cancelAll, receipts, seen } of [marking, replanning, confirming]) {
      await cancelAll.run();
      assert.equal(seen.deletes, 0);
      const kept = receipts.kept.at(-1);
      assert.deepEqual([kept?.outcome, kept?.failure?.sent], ['notSent', 'no']);
    }
  });

  it('leaves no receipt when the window closes and nothing was confirmed', async () => {
    const { cancelAll, receipts, seen } = cancelAllUnderTest({
      says: [() => Promise.resolve(false).finally(() => cancelAll.dispose())],
    });
    await cancelAll.run();
    assert.deepEqual([seen.deletes, receipts.kept], [0, []]);
  });

  for (const [name, canceled, locked, outcomes] of [
    ['is answered', [aCanceledOrder()], [], ['unverified', 'done']],
    [
      'is refused',
      failed({ kind: 'auth', sent: 'yes', status: 403, serverWords: 'no' }),
      [someLocked()],
      ['refused', 'refused'],
    ],
    ['fails', failed({}), [], ['unknown', 'unknownNothingLocked']],
    ['fails, and the read too', failed({}), failed({}), ['unknown']],
  ] as const)
    it(`is reported 2 s after it ${name}, and again when a slow read has ended`, async () => {
      const reading = Promise.withResolvers<readonly ReturnType<typeof someLocked>[]>();
      const { cancelAll, clock, seen } = cancelAllUnderTest({
        canceled,
        locked: [[someLocked()], () => reading.promise],
      });
      const running = cancelAll.run();
      await clock.advance(1999);
      assert.equal(seen.reports.length, 0);
      await clock.advance(1);
      assert.deepEqual(
        seen.reports.map(({ after }) => after.length),
        [0],
      );
      if (locked instanceof Error) reading.reject(locked);
      else reading.resolve(locked);
      await running;
      assert.deepEqual(
        seen.reports.map(({ outcome }) => outcome),
        outcomes,
      );
      cancelAll.dispose();
    });

  it('is not re-checked if its slow read ends after a newer request', async () => {
    const reading = Promise.withResolvers<readonly ReturnType<typeof someLocked>[]>();
    const locked = [someLocked()];
    const { cancelAll, clock, seen } = cancelAllUnderTest({
      canceled: failed({}),
      locked: [locked, () => reading.promise, locked],
    });
    const first = cancelAll.run();
    await clock.advance(3000);
    await cancelAll.run();
    reading.resolve(locked);
    await first;
    assert.equal(clock.waiting, 1);
    await clock.advance(15_000);
    const [older, newer] = seen.reports.map(({ id }) =>
      seen.changes.findLast(({ receipt }) => receipt.id === id),
    );
    assert.deepEqual([older?.isActive, older?.receipt.after.length], [false, 1]);
    assert.deepEqual([newer?.isActive, newer?.receipt.after.length], [false, 4]);
  });

  it('is read back after another account replaced the views', async () => {
    const test = cancelAllUnderTest({
      canceled: () => {
        test.world.account.refresher.dispose();
        return Promise.resolve([]);
      },
    });
    await test.cancelAll.run();
    assert.equal(test.report().outcome, 'done');
  });
});

describe('repeated presses of cancel-all', () => {
  it('join an open question, and ask and send again once its request was sent', async () => {
    const first = Promise.withResolvers<[]>();
    const test = cancelAllUnderTest({ canceled: () => first.promise });
    const presses = [test.cancelAll.run(), test.cancelAll.run()];
    await test.clock.advance(0);
    assert.deepEqual([test.seen.questions.length, test.seen.deletes], [1, 1]);
    for (let press = 2; press <= 10; press += 1) {
      presses.push(test.cancelAll.run());
      await test.clock.advance(0);
      assert.deepEqual([test.seen.questions.length, test.seen.deletes], [press, press]);
    }
    first.resolve([]);
    await Promise.all(presses);
    assert.equal(test.seen.reports.length, 10);
    assert.equal(new Set(test.seen.reports.map(({ id }) => id)).size, 10);
  });

  it('share the read of their plans, and the read-back of requests that ended together', async () => {
    const first = Promise.withResolvers<[]>();
    const test = cancelAllUnderTest({ canceled: () => first.promise });
    const presses: Promise<void>[] = [];
    for (let press = 1; press <= 10; press += 1) {
      presses.push(test.cancelAll.run());
      await test.clock.advance(100);
    }
    assert.deepEqual([test.seen.deletes, test.seen.reads.length], [10, 1]);
    first.resolve([]);
    await Promise.all(presses);
    const before = test.seen.reads.length;
    await test.cancelAll.run();
    assert.equal(test.seen.reads.length, before + 1, 'only the read-back of the new request');
    assert.ok(before < 12, `${before} reads`);
  });

  it('do not share a read that began before a request ended', async () => {
    const test = cancelAllUnderTest({ locked: [[someLocked()], []] });
    await test.cancelAll.run();
    assert.deepEqual([test.report().outcome, test.seen.reads.length], ['done', 2]);
  });
});

describe('the code of cancel-all', () => {
  it('loads the HTTP library while the question is open', async () => {
    const script = path.join(import.meta.dirname, '../../../support/libraryAtQuestion.ts');
    const { code, output } = await runToEnd(process.execPath, [script]);
    assert.equal(code, 0, output);
  });

  it('calls the one operation that writes in one place', () => {
    const root = path.join(projectRoot, 'src');
    const calls = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.startsWith('practice'))
      .flatMap((file) =>
        [...readFileSync(path.join(root, file), 'utf8').matchAll(/\.cancelAll\(/g)].map(() => file),
      );
    assert.deepEqual(calls, [path.join('account', 'cancelAll', 'cancelAll.ts')]);
  });
});
