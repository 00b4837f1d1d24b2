import assert from 'node:assert/strict';
import {
  receiptRecord,
  parseReceipt,
  withRequestEnd,
  type Receipt,
} from '../../../../src/account/cancelAll/receipts.ts';
import { environments } from '../../../../src/account/session/profile.ts';
import { JsonTooComplex, parseJson, type JsonObject } from '../../../../src/base/exactJson.ts';
import { phrase } from '../../../../src/base/phrase.ts';
import {
  connectionProblems,
  errorKinds,
  sentStates,
  type Failure,
} from '../../../../src/exchange/exchangeError.ts';
import { someLocked } from '../../../support/builders.ts';
import {
  aCanceledOrder,
  cancelAllUnderTest,
  failed,
  usedUpRateLimiter,
  type Script,
} from '../../../support/cancelAllUnderTest.ts';
import { ampleRateLimiter } from '../../../support/exchangeClient.ts';

const failures: readonly Partial<Failure>[] = [
  ...errorKinds.map((kind) => ({ kind })),
  ...sentStates.map((sent) => ({ sent })),
  ...connectionProblems.map((connection) => ({ connection })),
  { retryAfterMs: 5, detail: phrase('the answer is {0}', phrase('not JSON')) },
];

const exactly = (text: string): string => text;

/** The last version of the receipt that a cancel-all leaves. */
async function receiptOf(script: Script): Promise<Receipt> {
  const { cancelAll, receipts } = cancelAllUnderTest(script);
  await cancelAll.run();
  cancelAll.dispose();
  return receipts.kept.at(-1) ?? assert.fail('no receipt');
}

describe('the receipt of a cancel-all', () => {
  it('contains each returned order with all its fields, digit for digit, also unnamed ones', () => {
    const extra = parseJson(
      '{"fee":1.10,"big":9007199254740993,"tags":["a",1E-7,{"x":null}],"note":"n","none":null,"__proto__":{"y":true}}',
    ) as JsonObject;
    const order = aCanceledOrder({ price: '1.10E-7', clientOrderId: null, extra });
    const texts = receiptRecord(order, exactly);
    const named = Object.entries(order).filter(([name]) => name !== 'extra');
    assert.deepEqual(texts.slice(0, 11), named);
    assert.deepEqual(texts.slice(11), [
      ['fee', '1.10'],
      ['big', '9007199254740993'],
      ['tags', '["a",1E-7,{"x":null}]'],
      ['note', 'n'],
      ['none', null],
      ['__proto__', '{"y":true}'],
    ]);
  });

  it('keeps no credential that the exchange repeats, and every digit of a figure', () => {
    const extra = parseJson('{"SECRETs":"my SECRET","deep":{"SECRET":["SECRET"]},"n":1}');
    const digits = '1'.repeat(64);
    const order = aCanceledOrder({
      symbol: 'SECRET_usdt',
      amount: digits,
      extra: extra as JsonObject,
    });
    const hungry = (text: string): string => text.replace(/SECRET|1{64}/g, '•••');
    const texts = receiptRecord(order, hungry);
    assert.doesNotMatch(JSON.stringify(texts), /SECRET/);
    assert.equal(new Map(texts).get('amount'), digits);
  });

  it('contains the deepest record that can be read, to its last level', () => {
    const text = '{"deep":'.repeat(63) + '[1.10]' + '}'.repeat(63);
    const extra = parseJson(text) as JsonObject;
    const texts = receiptRecord(aCanceledOrder({ extra }), exactly);
    assert.equal(new Map(texts).get('deep'), text.slice(8, -1));
    assert.throws(() => parseJson(`[${text}]`), JsonTooComplex);
  });

  it('contains an unreadable record and what is wrong with it, without a credential', async () => {
    const record = parseJson(
      '{"orderId":9007199254740993,"filled":1.10,"note":"my SECRET","x":null}',
    );
    const badRecords = [
      { path: '$[0]', problem: phrase('it is odd'), record },
      { path: '$[1]', problem: phrase('it is odd'), record: 'SECRET' },
    ];
    const locked = [[someLocked({ symbol: 'SECRET' })]];
    const receipt = await receiptOf({ canceled: [aCanceledOrder()], badRecords, locked });
    assert.doesNotMatch(JSON.stringify(receipt), /SECRET/);
    const symbols = [receipt.before, receipt.after[0]].map((one) => one?.locked?.[0]?.symbol);
    assert.deepEqual([receipt.origin, ...symbols], ['https://host.example', '•••', '•••']);
    assert.deepEqual(
      receipt.unread.map((one) => one.record),
      [
        [
          ['orderId', '9007199254740993'],
          ['filled', '1.10'],
          ['note', 'my •••'],
          ['x', null],
        ],
        [['record', '•••']],
      ],
    );
  });

  it('says why the account could not be read before, and that nothing was read', async () => {
    const unreadable = failed({ kind: 'server', operation: 'accounts', status: 500 });
    const stored = await receiptOf({ locked: [unreadable] });
    const { asOf, isFresh, readFailure } = stored.before;
    assert.deepEqual([asOf, isFresh, readFailure], [null, false, unreadable.failure]);
    assert.deepEqual(parseReceipt(JSON.stringify(stored)), stored);
  });

  for (const reason of ['paused', 'limitUsed'] as const)
    it(`says that the account was not read before: ${reason}`, async () => {
      const pausedUntil = Date.now() + 60_000;
      const rateLimiter =
        reason === 'paused' ? ampleRateLimiter({ pausedUntil }) : usedUpRateLimiter();
      const { cancelAll, receipts, world, openAccount } = cancelAllUnderTest();
      world.account = openAccount({ rateLimiter });
      await cancelAll.run();
      cancelAll.dispose();
      const stored = receipts.kept.at(-1) ?? assert.fail('no receipt');
      assert.deepEqual([stored.before.isFresh, stored.before.readSkipped], [false, reason]);
      assert.deepEqual(parseReceipt(JSON.stringify(stored)), stored);
    });

  it('keeps what was wrong with a record as words that can be said in any language', async () => {
    const problem = phrase('{0} should be {1} and {2}', '$[0].price', phrase('a number'), 'x');
    const receipt = await receiptOf({
      badRecords: [{ path: '$[0]', problem }],
      unread: [{ path: '$.orders[0]', problem }],
    });
    assert.deepEqual([receipt.unread, receipt.before.unread], [[problem], [problem]]);
    assert.deepEqual(parseReceipt(JSON.stringify(receipt)), receipt);
    assert.equal(parseReceipt(JSON.stringify({ ...receipt, unread: [7] })), 'damaged');
  });

  it('is read as it was stored, with every failure and environment', async () => {
    const kept = await receiptOf({ canceled: failed({}) });
    const failure = kept.failure ?? assert.fail('no failure');
    const all: Receipt[] = [
      ...environments.map((environment) => ({ ...kept, environment })),
      ...failures.map((fields) => ({ ...kept, failure: { ...failure, ...fields } })),
    ];
    for (const receipt of all) assert.deepEqual(parseReceipt(JSON.stringify(receipt)), receipt);
  });

  for (const retryAfterMs of [Infinity, Number.NaN])
    it(`can be read after a failure that asks to wait ${retryAfterMs} ms`, async () => {
      const failure = { kind: 'rateLimited', retryAfterMs } as const;
      for (const script of [
        { canceled: failed({ ...failure, sent: 'no' }) },
        { locked: [failed({ ...failure, operation: 'accounts' })] },
      ]) {
        const receipt = await receiptOf(script);
        assert.deepEqual(parseReceipt(JSON.stringify(receipt)), receipt);
      }
    });

  it('removes credentials from each text once, however many orders have it', async () => {
    const redacted: string[] = [];
    const redact = (text: string): string => text.slice(0, redacted.push(text) && Infinity);
    const { cancelAll, report } = cancelAllUnderTest();
    await cancelAll.run();
    const canceled = Array.from({ length: 100 }, () => aCanceledOrder());
    const end = { kind: 'answered', canceled, badRecords: [] } as const;
    assert.equal(withRequestEnd(report(), end, 0, redact).canceled.length, 100);
    assert.equal(redacted.length, new Set(redacted).size);
  });

  it('is damaged if any part of it is', async () => {
    const good = await receiptOf({ locked: [[someLocked()]] });
    assert.ok(parseReceipt(JSON.stringify(good)));
    const bad: unknown[] = [
      null,
      [],
      { ...good, v: '2' },
      { ...good, outcome: 'fine' },
      { ...good, sentAt: -1 },
      { ...good, sentAt: 1e300 },
      { ...good, environment: 'prod' },
      { ...good, failure: { kind: 'timeout', sent: 'no', operation: 'cancelAll', status: null } },
      { ...good, canceled: [['symbol', 'x']] },
      { ...good, before: { ...good.before, locked: [someLocked({ lockedBid: 'much' })] } },
    ];
    assert.equal(parseReceipt(JSON.stringify({ ...good, v: 2 })), 'ofOtherVersion');
    for (const one of bad) assert.equal(parseReceipt(JSON.stringify(one)), 'damaged');
    const endless = JSON.stringify(good).replace(
      '"failure":null',
      '"failure":{"kind":"rateLimited","sent":"no","operation":"cancelAll","retryAfterMs":1e999}',
    );
    for (const text of ['', '{', endless, JSON.stringify(good).slice(0, -5)])
      assert.equal(parseReceipt(text), 'damaged');
  });
});
