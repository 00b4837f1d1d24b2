import assert from 'node:assert/strict';
import { AccountStore } from '../../../../src/account/session/accountStore.ts';
import { Refresher } from '../../../../src/account/session/refresher.ts';
import type { RequestOptions } from '../../../../src/exchange/client.ts';
import {
  ExchangeError,
  longPauseMs,
  type Failure,
} from '../../../../src/exchange/exchangeError.ts';
import type { Account, Decoded } from '../../../../src/exchange/records.ts';
import { anAccount } from '../../../support/builders.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { wallClockJumps } from '../../../support/wallClockJumps.ts';

type Call = {
  readonly signal: AbortSignal;
  readonly resolve: (equity: string) => void;
  readonly reject: (error: unknown) => void;
};

function failure(fields: Partial<Failure> = {}): ExchangeError {
  return new ExchangeError({ kind: 'server', sent: 'yes', operation: 'accounts', ...fields });
}

describe('the refresher', () => {
  let clock: FakeClock;
  let store: AccountStore;
  let refresher: Refresher;
  let calls: Call[];

  beforeEach(() => {
    clock = new FakeClock();
    store = new AccountStore();
    calls = [];
    const accounts = ({ signal = assert.fail() }: RequestOptions = {}) =>
      new Promise<Decoded<Account>>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        calls.push({
          signal,
          resolve: (equity) => resolve({ value: anAccount({ equity }), badRecords: [] }),
          reject,
        });
      });
    refresher = new Refresher({
      store,
      clock,
      client: { accounts, serverNow: () => clock.now() + 26_000.4 },
    });
  });

  afterEach(() => refresher.dispose());

  /** Reads this equity. */
  async function readEquity(equity: string): Promise<void> {
    const reading = refresher.refresh();
    last().resolve(equity);
    await reading;
  }

  /** Asserts that the next read starts after exactly this time. */
  async function assertReadsAfter(delayMs: number): Promise<void> {
    const before = calls.length;
    await clock.advance(delayMs - 1);
    assert.equal(calls.length, before, `after ${delayMs - 1} ms`);
    await clock.advance(1);
    assert.equal(calls.length, before + 1, `after ${delayMs} ms`);
  }

  const last = (): Call => calls.at(-1) ?? assert.fail('nothing was read');

  it('puts what it read into the store, with the time', async () => {
    const reading = refresher.refresh();
    last().resolve('7');
    const snapshot = await reading;
    assert.equal(store.state.snapshot, snapshot);
    assert.equal(snapshot.account.equity, '7');
    assert.equal(snapshot.asOf, clock.now());
    assert.equal(snapshot.readAt, clock.now() + 26_000);
  });

  it('shares a read that runs', async () => {
    const both = [refresher.refresh(), refresher.refresh()];
    last().resolve('7');
    const [one, two] = await Promise.all(both);
    assert.equal(calls.length, 1);
    assert.equal(one, two);
  });

  it('reads every 15 s, or at the interval that is set', async () => {
    await readEquity('1');
    await assertReadsAfter(15_000);
    refresher.setIntervalMs(60_000);
    last().resolve('2');
    await assertReadsAfter(60_000);
  });

  it('reads immediately if a new, shorter interval has already passed', async () => {
    await readEquity('1');
    refresher.setIntervalMs(60_000);
    await clock.advance(30_000);
    assert.equal(calls.length, 1);
    refresher.setIntervalMs(15_000);
    await clock.advance(0);
    assert.equal(calls.length, 2);
  });

  it('sends nothing while no view is visible, and reads immediately when one becomes visible', async () => {
    refresher.setIntervalMs(undefined);
    await clock.advance(86_400_000);
    assert.equal(calls.length, 0);
    assert.equal(clock.waiting, 0);
    refresher.setIntervalMs(15_000);
    await clock.advance(0);
    assert.equal(calls.length, 1);
    refresher.setIntervalMs(undefined);
    last().resolve('1');
    await clock.advance(86_400_000);
    assert.equal(calls.length, 1);
    assert.equal(refresher.intervalMs, 15_000);
  });

  it('shows recent figures again without a read', async () => {
    await readEquity('1');
    refresher.setIntervalMs(undefined);
    await clock.advance(10_000);
    refresher.setIntervalMs(15_000);
    await assertReadsAfter(5000);
  });

  it('reads within seconds after the machine wakes, though timers stood still', async () => {
    refresher.setIntervalMs(60_000);
    await readEquity('1');
    await clock.advance(10_000);
    clock.sleep(8 * 3_600_000);
    await clock.advance(5000);
    assert.equal(calls.length, 2);
    last().resolve('2');
    await assertReadsAfter(60_000);
  });

  for (const [name, aheadMs] of wallClockJumps)
    it(`reads and backs off as before when the wall clock is ${name}`, async () => {
      await readEquity('1');
      await clock.advance(1000);
      clock.setAhead(aheadMs);
      await assertReadsAfter(14_000);
      last().reject(failure());
      await clock.advance(1000);
      clock.setAhead(-aheadMs);
      refresher.setIntervalMs(15_000);
      await assertReadsAfter(29_000);
    });

  it('waits longer after each failure, eight intervals at most', async () => {
    void refresher.refresh().catch(() => undefined);
    for (const waitMs of [30_000, 60_000, 120_000, 120_000]) {
      last().reject(failure());
      await assertReadsAfter(waitMs);
    }
  });

  it('does not read early when the window gets the focus', async () => {
    void refresher.refresh().catch(() => undefined);
    last().reject(failure({ kind: 'auth' }));
    await clock.advance(0);
    for (let toggles = 0; toggles < 10; toggles += 1) {
      refresher.setIntervalMs(undefined);
      refresher.setIntervalMs(15_000);
      await clock.advance(0);
    }
    assert.equal(calls.length, 1);
    await clock.advance(30_000);
    assert.equal(calls.length, 2);
  });

  it('does not ask again before the exchange allows it, but in a long pause', async () => {
    void refresher.refresh().catch(() => undefined);
    for (const [retryAfterMs, waitMs] of [
      [90_000, 90_000],
      [longPauseMs, longPauseMs],
      [86_400_000, longPauseMs],
    ] as const) {
      last().reject(failure({ kind: 'rateLimited', retryAfterMs }));
      await assertReadsAfter(waitMs);
    }
  });

  it('waits as at first again after a read that succeeded', async () => {
    void refresher.refresh().catch(() => undefined);
    for (const waitMs of [30_000, 60_000]) {
      last().reject(failure());
      await assertReadsAfter(waitMs);
    }
    last().resolve('1');
    await assertReadsAfter(15_000);
    last().reject(failure());
    await assertReadsAfter(30_000);
  });

  it('continues after an error that is not from the exchange', async () => {
    const reading = refresher.refresh();
    last().reject(new TypeError('bug'));
    await assert.rejects(reading, TypeError);
    assert.ok(store.state.failure instanceof TypeError);
    await clock.advance(30_000);
    assert.equal(calls.length, 2);
  });

  it('drops the read that runs for a new one, which its caller gets', async () => {
    const old = refresher.refresh();
    const dropped = last();
    const newer = refresher.refreshNow('interactive');
    assert.ok(dropped.signal.aborted);
    dropped.resolve('old');
    last().resolve('new');
    assert.equal((await newer).account.equity, 'new');
    assert.equal((await old).account.equity, 'new');
    assert.equal(store.state.snapshot?.account.equity, 'new');
  });

  it('leaves no timer and no read behind', async () => {
    const reading = refresher.refresh();
    refresher.dispose();
    await assert.rejects(reading, { name: 'AbortError' });
    assert.ok(last().signal.aborted);
    assert.equal(clock.waiting, 0);
    await assert.rejects(refresher.refresh(), { name: 'AbortError' });
  });
});
