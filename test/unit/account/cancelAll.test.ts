import assert from 'node:assert/strict';
import { AccountStore } from '../../../src/account/accountStore.ts';
import { cancelAll, planCancelAll, type CancelOutcome } from '../../../src/account/cancelAll.ts';
import { Refresher } from '../../../src/account/refresher.ts';
import type { ExchangeClient } from '../../../src/exchange/client.ts';
import { ExchangeError, type Failure } from '../../../src/exchange/errors.ts';
import type { BadRecord, CanceledOrder, LockedOrders } from '../../../src/exchange/records.ts';
import { anAccount, anOrder, someLocked } from '../../support/builders.ts';
import { ampleLedger } from '../../support/exchangeClient.ts';
import { FakeClock } from '../../support/fakeClock.ts';

type Answers = {
  readonly canceled: readonly CanceledOrder[] | Error;
  /** What each read of the account in turn finds locked, or how it fails. */
  readonly reads: readonly (readonly LockedOrders[] | Error)[];
  readonly badRecords?: readonly BadRecord[];
};

const { time: updatedAt, ...fields } = anOrder({ status: 'CANCELED' });
const canceled: CanceledOrder = { ...fields, updatedAt };

function failed(failure: Partial<Failure>): ExchangeError {
  return new ExchangeError({ kind: 'network', sent: 'maybe', operation: 'cancelAll', ...failure });
}

/** A cancel-all against prepared answers; `sent` counts the requests that changed something. */
async function run(answers: Answers): Promise<{ outcome: CancelOutcome; sent: number }> {
  let sent = 0;
  const reads = [...answers.reads];
  const refresher = new Refresher({
    store: new AccountStore(),
    clock: new FakeClock(),
    read: () => {
      const orders = reads.shift() ?? assert.fail('one read too many');
      if (orders instanceof Error) return Promise.reject(orders);
      const badRecords = answers.badRecords ?? [];
      return Promise.resolve({ value: anAccount({ orders }), badRecords });
    },
  });
  const client = {
    cancelAll: () => {
      sent += 1;
      return answers.canceled instanceof Error
        ? Promise.reject(answers.canceled)
        : Promise.resolve({ value: answers.canceled, badRecords: [] });
    },
  } as unknown as ExchangeClient;
  const outcome = await cancelAll(client, refresher);
  refresher.dispose();
  return { outcome, sent };
}

describe('cancel-all', () => {
  it('is done when the exchange answered and nothing is locked', async () => {
    const { outcome, sent } = await run({ canceled: [canceled], reads: [[]] });
    assert.deepEqual(outcome, { kind: 'done', canceled: [canceled], badRecords: [] });
    assert.equal(sent, 1);
  });

  it('counts summaries of zeros as nothing', async () => {
    const zeros = someLocked({ lockedBid: '0', sumSizeBid: '0.000' });
    assert.equal((await run({ canceled: [], reads: [[zeros]] })).outcome.kind, 'done');
  });

  it('is partly done when something is still locked', async () => {
    const { outcome } = await run({ canceled: [canceled], reads: [[someLocked()]] });
    assert.equal(outcome.kind, 'partly');
    assert.deepEqual('locked' in outcome && outcome.locked, [someLocked()]);
  });

  it('is unverified when the exchange answered and the account cannot be read back', async () => {
    const { outcome } = await run({ canceled: [canceled], reads: [failed({ kind: 'timeout' })] });
    assert.equal(outcome.kind, 'unverified');
  });

  it('is unverified when a summary of the read-back cannot be read', async () => {
    const badRecords = [{ path: '$.orders[0]', problem: '$.orders[0].lockedAsk is missing' }];
    const { outcome } = await run({ canceled: [canceled], reads: [[]], badRecords });
    assert.equal(outcome.kind, 'unverified');
  });

  it('was not sent when the request never left, and then reads nothing', async () => {
    const { outcome, sent } = await run({ canceled: failed({ sent: 'no' }), reads: [] });
    assert.equal(outcome.kind, 'notSent');
    assert.equal(sent, 1);
  });

  it('is refused by a 4xx in the exchange’s own words', async () => {
    const error = failed({ kind: 'auth', sent: 'yes', status: 403, serverWords: 'no permission' });
    assert.equal((await run({ canceled: error, reads: [] })).outcome.kind, 'refused');
  });

  it('is refused by a 4xx that gives nothing but its code', async () => {
    const error = failed({ kind: 'refused', sent: 'yes', status: 422, serverCode: 'READ_ONLY' });
    assert.equal((await run({ canceled: error, reads: [] })).outcome.kind, 'refused');
  });

  const unclear: [string, Partial<Failure>][] = [
    ['a lost connection', {}],
    ['a timeout', { kind: 'timeout' }],
    ['a 408', { kind: 'timeout', sent: 'yes', status: 408, serverWords: 'slow' }],
    ['a 425', { kind: 'server', sent: 'yes', status: 425, serverWords: 'early' }],
    ['a 429', { kind: 'rateLimited', sent: 'yes', status: 429, serverWords: 'limit' }],
    ['a 500', { kind: 'server', sent: 'yes', status: 500, serverWords: 'oops' }],
    ['a redirect', { kind: 'redirected', sent: 'yes', status: 302 }],
    ['an answer that is no JSON', { kind: 'malformed', sent: 'yes', status: 200 }],
    [
      'a 200 that tells an error',
      { kind: 'refused', sent: 'yes', status: 200, serverWords: 'no', serverCode: '7' },
    ],
    [
      'a 200 that tells of the credentials',
      { kind: 'auth', sent: 'yes', status: 200, serverWords: 'Invalid signature' },
    ],
    [
      'a 429 that the dialect does not count as one',
      { kind: 'refused', sent: 'yes', status: 429, serverWords: 'limit' },
    ],
    [
      'a 403 that tells of too many requests',
      { kind: 'rateLimited', sent: 'yes', status: 403, serverWords: 'rate limit' },
    ],
    ['a 403 of a proxy’s HTML page', { kind: 'auth', sent: 'yes', status: 403 }],
  ];
  for (const [name, failure] of unclear) {
    it(`is unknown after ${name}, is not sent again, and reads back what is locked`, async () => {
      const { outcome, sent } = await run({ canceled: failed(failure), reads: [[someLocked()]] });
      assert.equal(sent, 1);
      assert.equal(outcome.kind, 'unknown');
      assert.deepEqual('locked' in outcome && outcome.locked, [someLocked()]);
    });
  }

  it('is unknown even after a fault of our own, and when the read-back fails as well', async () => {
    const { outcome } = await run({
      canceled: new TypeError('bug'),
      reads: [new TypeError('bug')],
    });
    assert.equal(outcome.kind, 'unknown');
    assert.equal('locked' in outcome && outcome.locked, undefined);
  });
});

describe('the plan of a cancel-all', () => {
  it('names what is locked by a read that began after the question', async () => {
    const store = new AccountStore();
    const reads = [[someLocked({ symbol: 'old' })], [someLocked()]];
    const refresher = new Refresher({
      store,
      clock: new FakeClock(),
      read: () =>
        Promise.resolve({ value: anAccount({ orders: reads.shift() ?? [] }), badRecords: [] }),
    });
    void refresher.refresh();
    const plan = await planCancelAll({ refresher, store, ledger: ampleLedger() });
    assert.deepEqual(plan.locked, [someLocked()]);
    assert.equal(plan.isFresh, true);
    refresher.dispose();
  });

  it('fails when the account cannot be read: nobody confirms blindly', async () => {
    const read = () => Promise.reject(failed({ operation: 'accounts' }));
    const store = new AccountStore();
    const refresher = new Refresher({ store, clock: new FakeClock(), read });
    const planning = planCancelAll({ refresher, store, ledger: ampleLedger() });
    await assert.rejects(planning, ExchangeError);
    refresher.dispose();
  });

  it('asks nothing while the exchange wants a pause: what may pass is for the read-back', async () => {
    const store = new AccountStore();
    const read = () => assert.fail('the account was read');
    const refresher = new Refresher({ store, clock: new FakeClock(), read });
    const account = anAccount({ orders: [someLocked()] });
    store.replace({ account, badRecords: [], asOf: 7 });
    const ledger = ampleLedger({ frozenUntil: Date.now() + 60_000 });
    const plan = await planCancelAll({ refresher, store, ledger });
    assert.deepEqual([plan.locked, plan.asOf], [[someLocked()], 7]);
    assert.equal(plan.isFresh, false);
    refresher.dispose();
  });
});
