import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import type { CancelReport } from '../../../../src/account/cancelAll/cancelAll.ts';
import type { CancelOutcome } from '../../../../src/account/cancelAll/cancelOutcome.ts';
import { parseReceipt } from '../../../../src/account/cancelAll/receipts.ts';
import type { Failure } from '../../../../src/exchange/exchangeError.ts';
import { someLocked } from '../../../support/builders.ts';
import {
  aCanceledOrder,
  cancelAllUnderTest,
  failed,
  usedUpRateLimiter,
  type Script,
} from '../../../support/cancelAllUnderTest.ts';
import { runToEnd } from '../../../support/childProcess.ts';
import { projectRoot } from '../../../support/project.ts';
import { wallClockJumps } from '../../../support/wallClockJumps.ts';

type Ended = NonNullable<Script['canceled']>;
type Reads = NonNullable<Script['locked']>;

const open = [someLocked()];
const less = [someLocked({ lockedBid: '99' })];
const zeros = [someLocked({ lockedBid: '0', sumSizeBid: '0.000' })];
const unread = failed({ kind: 'timeout' });
const refusal = failed({ kind: 'auth', sent: 'yes', status: 403, serverWords: 'no' });
const canceled = [aCanceledOrder()];

const neverLeft: Readonly<Record<string, Partial<Failure>>> = {
  'found no room in the limit': { kind: 'rateLimited', sent: 'no' },
  'is not valid': { kind: 'configuration', sent: 'no' },
  'got no connection': { sent: 'no', detail: 'ECONNREFUSED' },
  'waited too long': { kind: 'timeout', sent: 'no' },
};
const unclear: Readonly<Record<string, Partial<Failure>>> = {
  'lost its connection': {},
  'got no answer': { kind: 'timeout' },
  'got a 200 that rejects the key': { kind: 'auth', sent: 'yes', status: 200, serverWords: 'no' },
  'got a refusal of 429': { kind: 'refused', sent: 'yes', status: 429, serverWords: 'limit' },
  'got a 403 for the limit': { kind: 'rateLimited', sent: 'yes', status: 403, serverWords: 'no' },
  'got a 403 that was cut': { kind: 'network', sent: 'yes', status: 403 },
};
/** How long after the press the account is read: for the question, at once after the request, and again. */
const plan = [0];
const once = [0, 0];
const third = [0, 0, 2000, 5000];
const all = [...third, 15_000];
const late = (outcome: CancelOutcome): readonly CancelOutcome[] => ['unverified', outcome];
const lost: readonly CancelOutcome[] = ['unknown', 'unknownNothingLocked'];

type Case = readonly [
  what: string,
  canceled: Ended,
  locked: Reads,
  reported: readonly CancelOutcome[],
  reads: readonly number[],
];
const cases: readonly Case[] = [
  ...Object.entries(neverLeft).map(([what, fields]): Case => [
    what,
    failed(fields),
    [open],
    ['notSent'],
    plan,
  ]),
  ...Object.entries(unclear).flatMap(([what, fields]): Case[] => [
    [`${what}; nothing is locked`, failed(fields), [open, []], ['unknownNothingLocked'], once],
    [`${what}; orders are locked`, failed(fields), [open], ['unknown'], all],
  ]),
  ['had an internal error', new TypeError('bug'), [open], ['unknown'], all],
  ['was refused; all is still locked', refusal, [open], ['refused'], once],
  ['was refused; less is locked', refusal, [open, less], ['unknown'], all],
  ['was refused; nothing is read', refusal, [open, unread], ['refused'], once],
  ['was answered; nothing is locked', canceled, [open, []], ['done'], once],
  ['was answered; only zeros are locked', canceled, [open, zeros], ['done'], once],
  ['was answered; orders are locked', canceled, [open], ['partly'], once],
  ['named a new order', [aCanceledOrder({ status: 'NEW' })], [open, []], ['partly'], once],
  ['was answered; no list', canceled, [open, null, []], ['unverified', 'done'], all.slice(0, 3)],
  ['was answered; later partly', canceled, [open, unread, unread, open], late('partly'), third],
  ['was answered; later done', canceled, [open, unread, unread, []], late('done'), third],
  ['was lost; later nothing is locked', failed({}), [open, open, open, []], lost, third],
  ['was lost; later nothing is read', failed({}), [open, open, unread], ['unknown'], all],
  ['was lost; later less is locked', failed({}), [open, unread, less], ['unknown', 'unknown'], all],
];

describe('a cancel-all', () => {
  for (const [what, ended, locked, reported, reads] of cases)
    it(`is reported as ${reported.join(', then ')} when it ${what}`, async () => {
      const script = { canceled: ended, locked: [...locked] };
      const { cancelAll, clock, seen, receipts } = cancelAllUnderTest(script);
      const start = clock.now();
      await cancelAll.run();
      await clock.advance(600_000);
      assert.deepEqual(outcomesOf(seen.reports), reported);
      assert.deepEqual(
        seen.reads.map((at) => at - start),
        reads,
      );
      assert.deepEqual([seen.deletes, clock.waiting, seen.problems], [1, 0, []]);
      for (const receipt of receipts.kept)
        assert.deepEqual(parseReceipt(JSON.stringify(receipt)), receipt);
    });

  it('is refused whatever was locked long before, if the account was not read for the question', async () => {
    const { cancelAll, world, openAccount, report } = cancelAllUnderTest({
      canceled: refusal,
      locked: [open, less],
    });
    world.account = openAccount({ rateLimiter: usedUpRateLimiter() });
    await world.account.refresher.refresh();
    await cancelAll.run();
    assert.deepEqual([report().before.isFresh, report().before.locked.length], [false, 1]);
    assert.equal(report().outcome, 'refused');
    cancelAll.dispose();
  });

  const slow: readonly (readonly [what: string, ...rest: SlowCase])[] = [
    ['was answered', canceled, [], ['unverified', 'done']],
    ['was refused', refusal, open, ['refused', 'refused']],
    ['was lost', failed({}), [], ['unknown', 'unknownNothingLocked']],
    ['was lost, and orders are locked', failed({}), open, ['unknown', 'unknown']],
    ['was lost, and the read too', failed({}), unread, ['unknown']],
  ];
  for (const [what, ended, locked, reported] of slow)
    it(`is reported 2 s after it ${what}, and again when a slow read has ended`, async () => {
      const reading = Promise.withResolvers<typeof open>();
      const script = { canceled: ended, locked: [open, () => reading.promise, open] };
      const { cancelAll, clock, seen } = cancelAllUnderTest(script);
      const start = clock.now();
      const running = cancelAll.run();
      await clock.advance(1999);
      assert.equal(seen.reports.length, 0);
      await clock.advance(1001);
      assert.deepEqual(
        seen.reports.map(({ after }) => after.length),
        [0],
      );
      if (locked instanceof Error) reading.reject(locked);
      else reading.resolve(locked);
      await running;
      assert.deepEqual(outcomesOf(seen.reports), reported);
      await clock.advance(600_000);
      const again = seen.reads.slice(2).map((at) => at - start - 3000);
      assert.deepEqual(again, reported.at(-1) === 'unknown' ? [2000, 5000, 15_000] : []);
    });

  it('says whether the reported version of its receipt was stored', async () => {
    const [saving, reading] = ['saveReceipt', 'readReceipts'];
    for (const [isFull, problems] of [
      [() => false, []],
      [(reads: number) => reads > 0, [saving]],
      [() => true, [reading, saving, saving, saving]],
    ] as const) {
      const { cancelAll, receipts, seen, report } = cancelAllUnderTest();
      const save = receipts.save.bind(receipts);
      const fail = () => Promise.reject(new Error('the disk is full'));
      receipts.save = (receipt) => (isFull(receipt.after.length) ? fail() : save(receipt));
      if (isFull(0)) receipts.sentSince = fail;
      await cancelAll.run();
      assert.deepEqual([report().outcome, seen.problems], ['done', problems]);
      assert.deepEqual(seen.unsaved, isFull(1) ? [report().id] : []);
      for (const { receipt, isSaved } of seen.changes)
        assert.equal(isSaved, !isFull(receipt.after.length));
    }
  });

  it('is not sent when the window closes before, and has a receipt once it was confirmed', async () => {
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
    const asked = (isYes: boolean) => {
      const close = () => Promise.resolve(isYes).finally(() => test.cancelAll.dispose());
      const test = cancelAllUnderTest({ says: [close] });
      return test;
    };
    for (const { cancelAll, receipts, seen } of [marking, replanning, asked(true)]) {
      await cancelAll.run();
      const kept = receipts.kept.at(-1);
      assert.deepEqual([seen.deletes, kept?.outcome, kept?.failure?.sent], [0, 'notSent', 'no']);
    }
    const unconfirmed = asked(false);
    await unconfirmed.cancelAll.run();
    assert.deepEqual([unconfirmed.seen.deletes, unconfirmed.receipts.kept], [0, []]);
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

describe('the re-checks of a cancel-all', () => {
  for (const [name, aheadMs] of wallClockJumps)
    it(`come after 2, 5 and 15 s, as its receipt says, while the wall clock is ${name}`, async () => {
      const test = cancelAllUnderTest({ canceled: failed({}), locked: [open] });
      const start = test.clock.steadyNow();
      await test.cancelAll.run();
      test.clock.setAhead(aheadMs);
      await test.clock.advance(60_000);
      assert.deepEqual(
        test.seen.reads.map((at) => at - start),
        all,
      );
      const { endedAt, after } = test.receipts.kept.at(-1) ?? assert.fail('no receipt');
      assert.deepEqual(
        after.map(({ at }) => at - Number(endedAt)),
        all.slice(1),
      );
    });

  // The read after a refusal is less than 2 s old when the next one is due.
  for (const [what, failure, later] of [
    ['was not sent', failed({ sent: 'no' }), [4500, 5000, 15_000]],
    ['was refused', refusal, [4500, 4500, 15_000]],
  ] as const)
    it(`go on if the next request ${what}`, async () => {
      const ends = [failed({}), failure];
      const next = () => Promise.reject(ends.shift() ?? new Error('one request too many'));
      const { cancelAll, clock, seen } = cancelAllUnderTest({ canceled: next, locked: [open] });
      const start = clock.now();
      await cancelAll.run();
      await clock.advance(4500);
      await cancelAll.run();
      const isActive = () =>
        seen.changes.findLast(({ receipt }) => receipt.id === seen.reports[0]?.id)?.isActive;
      assert.equal(isActive(), true);
      await clock.advance(600_000);
      assert.deepEqual(
        seen.reads.map((at) => at - start),
        [0, 0, 2000, ...later],
      );
      assert.deepEqual([isActive(), seen.deletes, clock.waiting], [false, 2, 0]);
    });

  it('are one series, and credit no request with what a newer one freed', async () => {
    const hanging = Promise.withResolvers<typeof open>();
    const { cancelAll, clock, seen, receipts } = cancelAllUnderTest({
      canceled: failed({}),
      locked: [open, open, () => hanging.promise, open, []],
      says: [true, false, true],
    });
    await cancelAll.run();
    await cancelAll.run();
    assert.equal(clock.waiting, 1, 'a question that is answered with no ends nothing');
    await clock.advance(2000);
    const [{ id } = assert.fail()] = seen.reports;
    const versions = () => receipts.kept.filter((receipt) => receipt.id === id);
    const before = versions().length;
    const second = cancelAll.run();
    await clock.advance(5000);
    hanging.resolve([]);
    await second;
    await clock.advance(600_000);
    assert.equal(versions().length, before);
    const last = seen.changes.findLast(({ receipt }) => receipt.id === id);
    assert.deepEqual([last?.receipt.outcome, last?.isActive], ['unknown', false]);
    assert.deepEqual([seen.deletes, clock.waiting], [2, 0]);
  });

  it('do not begin if a slow read ends after a newer request', async () => {
    const reading = Promise.withResolvers<typeof open>();
    const { cancelAll, clock, seen } = cancelAllUnderTest({
      canceled: failed({}),
      locked: [open, () => reading.promise, open],
    });
    const first = cancelAll.run();
    await clock.advance(3000);
    await cancelAll.run();
    reading.resolve(open);
    await first;
    assert.equal(clock.waiting, 1);
    await clock.advance(15_000);
    const last = [...new Set(seen.reports.map(({ id }) => id))].map((id) =>
      seen.changes.findLast(({ receipt }) => receipt.id === id),
    );
    assert.deepEqual(last.map(versionOf), [
      ['unknown', 1, false],
      ['unknown', 4, false],
    ]);
  });

  it('show an open receipt each version, and that no other follows', async () => {
    const { cancelAll, clock, seen } = cancelAllUnderTest({ canceled: failed({}), locked: [open] });
    await cancelAll.run();
    await clock.advance(14_999);
    const first = [0, 1, 2, 3].map((reads) => ['unknown', reads, true]);
    assert.deepEqual(seen.changes.map(versionOf), [['sending', 0, true], ...first]);
    await clock.advance(1);
    assert.deepEqual(seen.changes.slice(5).map(versionOf), [
      ['unknown', 4, true],
      ['unknown', 4, false],
    ]);
  });

  it('end with the window, even while a receipt is stored', async () => {
    const { cancelAll, clock, seen, receipts } = cancelAllUnderTest({
      canceled: failed({}),
      locked: [open],
    });
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

describe('repeated presses of cancel-all', () => {
  it('join an open question, ask and send again once its request was sent, and share reads', async () => {
    const first = Promise.withResolvers<[]>();
    const test = cancelAllUnderTest({ canceled: () => first.promise });
    const presses = [test.cancelAll.run(), test.cancelAll.run()];
    await test.clock.advance(0);
    assert.deepEqual([test.seen.questions.length, test.seen.deletes], [1, 1]);
    for (let press = 2; press <= 10; press += 1) {
      presses.push(test.cancelAll.run());
      await test.clock.advance(100);
      assert.deepEqual([test.seen.questions.length, test.seen.deletes], [press, press]);
    }
    const { length } = test.seen.reads;
    assert.equal(length, 1);
    first.resolve([]);
    await Promise.all(presses);
    assert.equal(new Set(test.seen.reports.map(({ id }) => id)).size, 10);
    const before = test.seen.reads.length;
    assert.ok(before < 12, `${before} reads`);
    await test.cancelAll.run();
    assert.equal(test.seen.reads.length, before + 1, 'only the read-back of the new request');
  });

  const ends = fc.constantFrom<Ended>(
    ...[canceled, [], failed({}), refusal, failed({ sent: 'no' })],
    failed({ kind: 'rateLimited', sent: 'no' }),
  );
  const answers = fc.constantFrom('yes', 'yes', 'no', 'another account');
  const reads = fc.constantFrom<Reads[number]>(open, less, [], unread);
  const world = fc.record({
    pauses: fc.array(fc.constantFrom(0, 100, 2500, 31_000), { minLength: 1, maxLength: 8 }),
    ends: fc.array(ends, { maxLength: 8 }),
    answers: fc.array(answers, { minLength: 1, maxLength: 12 }),
    reads: fc.array(reads, { minLength: 1, maxLength: 8 }),
  });

  it('send one DELETE for a question that is confirmed, with a receipt and a report, whatever happens', () =>
    fc.assert(
      fc.asyncProperty(world, async (given) => {
        let confirmed = 0;
        const left = [...given.ends];
        const test = cancelAllUnderTest({
          locked: [...given.reads],
          says: [...given.answers.map((answer) => () => say(answer)), false],
          canceled: () => {
            assert.ok(test.seen.deletes <= confirmed);
            assert.equal(sent().size, test.seen.deletes, 'a receipt is stored before');
            const end = left.shift() ?? [];
            return end instanceof Error ? Promise.reject(end) : Promise.resolve(end as []);
          },
        });
        const say = (answer: string): Promise<boolean> => {
          if (answer === 'another account')
            test.world.account = test.openAccount({ fingerprint: `f${confirmed}` });
          if (answer !== 'no') confirmed += 1;
          return Promise.resolve(answer !== 'no');
        };
        const sent = () =>
          new Set(test.receipts.kept.flatMap((one) => (one.outcome === 'sending' ? one.id : [])));
        const presses: Promise<void>[] = [];
        for (const pause of given.pauses) {
          presses.push(test.cancelAll.run());
          await test.clock.advance(pause);
        }
        await test.clock.advance(600_000);
        await Promise.all(presses);
        const kept = new Map(test.receipts.kept.map((receipt) => [receipt.id, receipt.outcome]));
        assert.ok(![...kept.values()].includes('sending'));
        assert.deepEqual(new Set(test.seen.reports.map(({ id }) => id)), new Set(kept.keys()));
        assert.deepEqual([sent().size, test.clock.waiting], [test.seen.deletes, 0]);
        assert.equal(test.seen.held, 0, 'room in the limit is lost');
      }),
    ));
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

type SlowCase = readonly [
  canceled: Ended,
  locked: typeof open | Error,
  reported: readonly CancelOutcome[],
];

function outcomesOf(receipts: readonly { readonly outcome: string }[]): readonly string[] {
  return receipts.map(({ outcome }) => outcome);
}

function versionOf(report: CancelReport | undefined) {
  return [report?.receipt.outcome, report?.receipt.after.length, report?.isActive];
}
