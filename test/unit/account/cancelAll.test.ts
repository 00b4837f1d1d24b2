import assert from 'node:assert/strict';
import path from 'node:path';
import type { Outcome } from '../../../src/account/cancelAll/outcome.ts';
import { mayHaveActed } from '../../../src/account/receipts.ts';
import type { Failure } from '../../../src/exchange/errors.ts';
import { anOrder, someLocked } from '../../support/builders.ts';
import { aCanceledOrder, cancelAllUnderTest, failed } from '../../support/cancelAllUnderTest.ts';
import { runToEnd } from '../../support/childProcess.ts';
import { phrase } from '../../../src/base/phrase.ts';

const neverLeft: [string, Partial<Failure>][] = [
  ['by the ledger', { kind: 'rateLimited', sent: 'no' }],
  ['because it is not valid', { kind: 'configuration', sent: 'no' }],
  ['because no name was found', { sent: 'no', detail: 'ENOTFOUND' }],
  ['because the connection was refused', { sent: 'no', detail: 'ECONNREFUSED' }],
  ['because of TLS', { sent: 'no', detail: 'CERT_HAS_EXPIRED' }],
  ['because it was ended before', { kind: 'timeout', sent: 'no' }],
];

const refusals: [string, Partial<Failure>][] = [
  ['a 400', { kind: 'refused', status: 400, serverWords: 'bad' }],
  ['a 401', { kind: 'auth', status: 401, serverWords: 'key' }],
  ['a 403', { kind: 'auth', status: 403, serverWords: 'no permission' }],
  ['a 404', { kind: 'refused', status: 404, serverWords: 'no such path' }],
  ['a 422', { kind: 'refused', status: 422, serverWords: 'no' }],
  ['a 422 that gives nothing but its code', { kind: 'refused', status: 422, serverCode: 'NO' }],
];

const unclear: [string, Partial<Failure>][] = [
  ['a lost connection', {}],
  ['a timeout', { kind: 'timeout' }],
  ['a 408', { kind: 'timeout', sent: 'yes', status: 408, serverWords: 'slow' }],
  ['a 421', { kind: 'refused', sent: 'yes', status: 421, serverWords: 'misdirected' }],
  ['a 425', { kind: 'server', sent: 'yes', status: 425, serverWords: 'early' }],
  ['a 429', { kind: 'rateLimited', sent: 'yes', status: 429, serverWords: 'limit' }],
  ['a 418', { kind: 'rateLimited', sent: 'yes', status: 418, serverWords: 'banned' }],
  ['a 500', { kind: 'server', sent: 'yes', status: 500, serverWords: 'oops' }],
  ['a redirect', { kind: 'redirected', sent: 'yes', status: 302 }],
  ['an answer that is no JSON', { kind: 'malformed', sent: 'yes', status: 200 }],
  ['a 200 with an error code', { kind: 'refused', sent: 'yes', status: 200, serverWords: 'no' }],
  [
    'a 200 that tells of the credentials',
    { kind: 'auth', sent: 'yes', status: 200, serverWords: 'no' },
  ],
  [
    'a 429 that the dialect does not count as one',
    { kind: 'refused', sent: 'yes', status: 429, serverWords: 'limit' },
  ],
  [
    'a 403 that tells of too many requests',
    { kind: 'rateLimited', sent: 'yes', status: 403, serverWords: 'limit' },
  ],
  ['a 403 of a proxy’s HTML page', { kind: 'auth', sent: 'yes', status: 403 }],
  ['a 403 that was cut', { kind: 'network', sent: 'yes', status: 403 }],
];

describe('while the question stands', () => {
  it('what will carry the request is loaded, so that the yes does not wait for it', async () => {
    const script = path.join(import.meta.dirname, '../../support/libraryAtQuestion.ts');
    const { code, output } = await runToEnd(process.execPath, [script]);
    assert.equal(code, 0, output);
  });
});

describe('what becomes of a cancel-all', () => {
  for (const [name, failure] of neverLeft)
    it(`is “not sent” when it never left ${name}; nothing is read back`, async () => {
      const { cancelAll, seen, report } = cancelAllUnderTest({ canceled: failed(failure) });
      await cancelAll.press();
      assert.equal(report().outcome, 'notSent');
      assert.deepEqual([seen.deletes, seen.reads.length], [1, 1]);
      assert.ok(!mayHaveActed(report()));
    });

  for (const [name, failure] of refusals)
    it(`is “refused” after ${name}, told by the exchange; nothing is read back`, async () => {
      const canceled = failed({ sent: 'yes', ...failure });
      const { cancelAll, seen, report } = cancelAllUnderTest({ canceled });
      await cancelAll.press();
      assert.equal(report().outcome, 'refused');
      assert.equal(report().failure?.serverWords, failure.serverWords);
      assert.deepEqual([seen.deletes, seen.reads.length], [1, 1]);
    });

  const answered: [Outcome, string, ReturnType<typeof someLocked>[] | Error][] = [
    ['done', 'nothing is locked', []],
    ['done', 'only zeros are locked', [someLocked({ lockedBid: '0', sumSizeBid: '0.000' })]],
    ['partly', 'something is locked', [someLocked()]],
    ['unverified', 'the account cannot be read', failed({ kind: 'timeout' })],
  ];
  for (const [outcome, name, locked] of answered)
    it(`is “${outcome}” when the exchange answered and ${name}`, async () => {
      const canceled = [aCanceledOrder()];
      const { cancelAll, seen, report } = cancelAllUnderTest({ canceled, locked: [[], locked] });
      await cancelAll.press();
      assert.equal(report().outcome, outcome);
      assert.equal(report().canceled.length, 1);
      assert.deepEqual([seen.deletes, seen.historyQueries.length], [1, 0]);
      cancelAll.dispose();
    });

  it('is “unverified” when a summary of the read-back cannot be read', async () => {
    const unread = [{ path: '$.orders[0]', problem: phrase('$.orders[0].lockedAsk is missing') }];
    const { cancelAll, report } = cancelAllUnderTest({ unread });
    await cancelAll.press();
    assert.equal(report().outcome, 'unverified');
    cancelAll.dispose();
  });

  for (const [name, failure] of unclear) {
    it(`is unknown after ${name}, and nothing is locked now`, async () => {
      const { cancelAll, seen, report } = cancelAllUnderTest({ canceled: failed(failure) });
      await cancelAll.press();
      assert.equal(report().outcome, 'unknownNothingLocked');
      assert.deepEqual([seen.deletes, seen.reads.length], [1, 2]);
    });

    it(`is unknown after ${name}, and names what is locked`, async () => {
      const script = { canceled: failed(failure), locked: [[someLocked()]] };
      const { cancelAll, seen, report } = cancelAllUnderTest(script);
      await cancelAll.press();
      assert.equal(report().outcome, 'unknown');
      assert.deepEqual(report().after[0]?.locked?.[0]?.lockedBid, '100');
      assert.equal(seen.deletes, 1);
      cancelAll.dispose();
    });
  }

  it('is unknown even after a fault of our own, and when the read-back fails as well', async () => {
    const canceled = new TypeError('bug');
    const locked = [[], new TypeError('bug')];
    const { cancelAll, report } = cancelAllUnderTest({ canceled, locked });
    await cancelAll.press();
    assert.equal(report().outcome, 'unknown');
    assert.equal(report().after[0]?.locked, null);
    cancelAll.dispose();
  });

  it('is told although no receipt can be kept and whoever looks on fails', async () => {
    const { cancelAll, receipts, seen, report } = cancelAllUnderTest();
    receipts.keep = () => Promise.reject(new Error('disk full'));
    receipts.since = () => Promise.reject(new Error('no folder'));
    cancelAll.onDidChange(() => {
      throw new Error('cannot draw');
    });
    await cancelAll.press();
    assert.equal(report().outcome, 'done');
    assert.ok(seen.problems.length >= 4);
    assert.deepEqual(seen.unkept, [report().id]);
  });

  it('is “not sent” where its window ends before the request leaves', async () => {
    const marking = cancelAllUnderTest();
    const keep = marking.receipts.keep.bind(marking.receipts);
    marking.receipts.keep = (receipt) => {
      marking.cancelAll.dispose();
      return keep(receipt);
    };
    const replanning = cancelAllUnderTest({
      locked: [[], () => Promise.resolve([]).finally(() => replanning.cancelAll.dispose())],
      says: [() => replanning.clock.advance(30_001).then(() => true)],
    });
    for (const { cancelAll, receipts, seen } of [marking, replanning]) {
      await cancelAll.press();
      assert.equal(seen.deletes, 0);
      const kept = receipts.kept.at(-1);
      assert.deepEqual([kept?.outcome, kept?.failure?.sent], ['notSent', 'no']);
    }
  });

  it('reads back past a window that has opened another account', async () => {
    const test = cancelAllUnderTest({
      canceled: () => {
        test.world.account.refresher.dispose();
        return Promise.resolve([]);
      },
    });
    await test.cancelAll.press();
    assert.equal(test.report().outcome, 'done');
  });
});

describe('the report of a cancel-all', () => {
  it('knows whether its receipt was kept as it is told', async () => {
    const kept = cancelAllUnderTest();
    await kept.cancelAll.press();
    assert.deepEqual(kept.seen.unkept, []);
    const full = cancelAllUnderTest();
    const keep = full.receipts.keep.bind(full.receipts);
    full.receipts.keep = (receipt) =>
      receipt.after.length === 0 ? keep(receipt) : Promise.reject(new Error('disk full'));
    await full.cancelAll.press();
    assert.deepEqual(full.seen.unkept, [full.report().id]);
  });
});

describe('the evidence after an unknown cancel-all', () => {
  const canceled = failed({});

  it('is one read of what was CANCELED since the send, by the exchange’s clock', async () => {
    const test = cancelAllUnderTest({ canceled });
    test.world.aheadMs = 90_000;
    const since = test.clock.now() + 90_000 - 2000;
    await test.cancelAll.press();
    assert.deepEqual(test.seen.historyQueries, [
      { statuses: ['CANCELED'], dateFrom: since, page: 0, size: 100 },
    ]);
    assert.equal(test.report().evidence?.since, since);
  });

  it('counts only what is CANCELED and not older, whatever the exchange sends', async () => {
    const test = cancelAllUnderTest({ canceled });
    const sentAt = test.clock.now();
    const history = [
      anOrder({ orderId: '1', status: 'CANCELED', time: String(sentAt + 5) }),
      anOrder({ orderId: '2', status: 'CANCELED', time: String(sentAt - 60_000) }),
      anOrder({ orderId: '3', status: 'EXECUTED', time: String(sentAt + 5) }),
    ];
    const { cancelAll, report } = cancelAllUnderTest({ canceled, history });
    await cancelAll.press();
    const ids = report().evidence?.orders.map((order) => Object.fromEntries(order).orderId);
    assert.deepEqual(ids, ['1']);
  });

  it('reads times in seconds and in microseconds as well', async () => {
    const at = cancelAllUnderTest().clock.now();
    const times = [at + 5000, at - 60_000].flatMap((ms) => [
      String(Math.floor(ms / 1000)),
      `${ms}000`,
    ]);
    const history = times.map((time) => anOrder({ status: 'CANCELED', time }));
    const { cancelAll, report } = cancelAllUnderTest({ canceled, history });
    await cancelAll.press();
    const found = report().evidence?.orders.map((order) => Object.fromEntries(order).time);
    assert.deepEqual(found, times.slice(0, 2));
  });

  it('knows that there may be more where its one page is full', async () => {
    for (const [length, mayBeMore] of [
      [99, false],
      [100, true],
    ] as const) {
      const history = Array.from({ length }, () => anOrder({ status: 'EXECUTED' }));
      const { cancelAll, report } = cancelAllUnderTest({ canceled, history });
      await cancelAll.press();
      assert.equal(report().evidence?.mayBeMore, mayBeMore);
    }
  });

  it('counts the records of the page that could not be read: the page may be full with them', async () => {
    const unreadHistory = Array.from({ length: 2 }, (_, index) => ({
      path: `$.content[${index}]`,
      problem: phrase('it is odd'),
    }));
    const history = Array.from({ length: 98 }, () => anOrder({ status: 'EXECUTED' }));
    const { cancelAll, report } = cancelAllUnderTest({ canceled, history, unreadHistory });
    await cancelAll.press();
    assert.deepEqual([report().evidence?.unread, report().evidence?.mayBeMore], [2, true]);
  });

  it('is missing when the history cannot be read, and the outcome is told all the same', async () => {
    const { cancelAll, report } = cancelAllUnderTest({ canceled, history: failed({}) });
    await cancelAll.press();
    assert.deepEqual([report().outcome, report().evidence], ['unknownNothingLocked', null]);
  });
});
