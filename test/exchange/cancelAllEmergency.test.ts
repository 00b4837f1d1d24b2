import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { systemClock, type Clock } from '../../src/base/time.ts';
import { ExchangeError } from '../../src/exchange/exchangeError.ts';
import { RateLimitFile } from '../../src/exchange/rateLimit/rateLimitFile.ts';
import type { RateLimitStore } from '../../src/exchange/rateLimit/rateLimitStore.ts';
import { createMemoryStore } from '../../src/exchange/rateLimit/rateLimitStore.ts';
import { RateLimiter } from '../../src/exchange/rateLimit/rateLimiter.ts';
import { worstSliding, type Arrival } from '../support/arrivals.ts';
import { anAccount, wire } from '../support/builders.ts';
import { cancelAllOverHttp, type CancelAllOverHttp } from '../support/cancelAllOverHttp.ts';
import { english } from '../support/english.ts';
import { eventually } from '../support/eventually.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { exchangesOfEachTest, type HostileExchange } from '../support/hostileExchange.ts';
import type { FaultRule } from '../support/hostileExchange/faults.ts';
import { rowsOf } from '../support/hostileExchange/rows.ts';
import { temporaryFolder } from '../support/project.ts';

const openOrders = rowsOf('orders', 3);
const minuteMs = 60_000;

const status = (code: number, retryAfter?: string): FaultRule['fault'] => ({
  kind: 'status',
  status: code,
  body: '{"message":"no"}',
  ...(retryAfter && { headers: { 'retry-after': retryAfter } }),
});

const refusedReads: [string, FaultRule['fault']][] = [
  ['is refused with 500', status(500)],
  ['is refused with 403', status(403)],
  ['is cut', { kind: 'resetBeforeHeaders' }],
  ['is a page of HTML', { kind: 'html' }],
];

describe('cancel-all in an emergency', () => {
  const start = exchangesOfEachTest();
  const runners: CancelAllOverHttp[] = [];

  afterEach(() => {
    for (const { dispose } of runners.splice(0)) dispose();
  });

  type WindowOptions = {
    readonly share?: number;
    readonly store?: RateLimitStore;
    readonly clock?: FakeClock;
    /** The clock of the requests and their limit. */
    readonly requestClock?: Clock;
  };

  /** A window that has read nothing yet. */
  function windowAt(
    exchange: HostileExchange,
    limit: { readonly weight: number; readonly windowMs: number },
    { share = 0.5, store: given, clock, requestClock = systemClock }: WindowOptions = {},
  ): CancelAllOverHttp {
    const limits = [limit];
    const store = given ?? createMemoryStore({ limits, learnedAt: Number.MAX_SAFE_INTEGER });
    const rateLimiter = new RateLimiter({ store, clock: requestClock, share: () => share });
    const client = clientFor(exchange, { rateLimiter, clock: requestClock });
    const { url } = exchange;
    const runner = cancelAllOverHttp({ client, url, rateLimiter, ...(clock && { clock }) });
    runners.push(runner);
    return runner;
  }

  const limitOf1000 = { weight: 1000, windowMs: minuteMs };
  const operationsSeen = ({ requests }: HostileExchange) =>
    requests.map(({ operation }) => operation);

  for (const hasFigures of [true, false])
    for (const [name, fault] of refusedReads)
      it(`is sent once though the account read ${name}, ${hasFigures ? 'with' : 'without'} last figures`, async () => {
        const from = hasFigures ? 2 : 1;
        const exchange = await start({ openOrders, faults: [{ on: 'accounts', from, fault }] });
        const runner = windowAt(exchange, limitOf1000);
        if (hasFigures) await runner.account.refresher.refresh();
        await runner.cancelAll.run();
        const [plan] = runner.plans;
        assert.equal(typeof plan?.unreadReason, 'object');
        assert.equal(plan?.figures?.locked?.length, hasFigures ? 1 : undefined);
        assert.equal(runner.reports[0]?.outcome, 'unverified');
        assert.deepEqual([exchange.seen('cancelAll').length, exchange.openOrders.length], [1, 0]);
      });

  it('is sent when the account lists no orders, and verified once it lists them again', async () => {
    const text = wire(anAccount()).replace(/"orders":\[.*?\],/, '');
    const fault = { kind: 'body', text } as const;
    const exchange = await start({ openOrders, faults: [{ on: 'accounts', times: 2, fault }] });
    const clock = new FakeClock(Date.now());
    const { cancelAll, plans, reports } = windowAt(exchange, limitOf1000, { clock });
    await cancelAll.run();
    const [plan] = plans;
    assert.deepEqual([plan?.unreadReason, plan?.figures?.locked], [undefined, undefined]);
    assert.deepEqual(
      plan?.figures?.badRecords.map(({ problem }) => english(problem)),
      ['$.orders should be a list and is missing'],
    );
    assert.deepEqual([exchange.seen('cancelAll').length, exchange.openOrders.length], [1, 0]);
    assert.equal(reports[0]?.outcome, 'unverified');
    await clock.advance(2000);
    await eventually('the re-check', () => reports[1]?.outcome === 'done');
    assert.equal(exchange.seen('cancelAll').length, 1);
  });

  it('asks after 5 s at an exchange that does not answer reads', async () => {
    const fault = { kind: 'stallBeforeHeaders' } as const;
    const exchange = await start({ openOrders, faults: [{ on: 'accounts', fault }] });
    const clock = new FakeClock(Date.now());
    const runner = windowAt(exchange, limitOf1000, { clock });
    void runner.cancelAll.run();
    await eventually('the read', () => exchange.seen('accounts').length === 1);
    assert.equal(runner.plans.length, 0);
    await clock.advance(5000);
    await eventually('the DELETE', () => exchange.openOrders.length === 0);
    assert.deepEqual(
      [runner.plans[0]?.unreadReason, exchange.seen('cancelAll').length],
      [{ kind: 'timeout', sent: 'maybe', operation: 'accounts' }, 1],
    );
  });

  it('is sent in a pause of the exchange by a window that has read nothing', async () => {
    const faults = [{ on: 'feeTiers', fault: status(429, '60') }] as const;
    const exchange = await start({ openOrders, faults });
    const runner = windowAt(exchange, limitOf1000);
    await assert.rejects(runner.client.list('feeTiers'));
    for (let press = 1; press <= 3; press += 1) {
      await runner.cancelAll.run();
      assert.equal(exchange.seen('cancelAll').length, press);
    }
    assert.deepEqual(
      [runner.plans[0]?.unreadReason, runner.plans[0]?.figures],
      ['paused', undefined],
    );
    const expected = ['feeTiers', 'cancelAll', 'accounts', 'cancelAll', 'cancelAll'];
    assert.deepEqual(operationsSeen(exchange), expected);
    assert.equal(runner.reports[0]?.outcome, 'done');
  });

  it('is sent while the rate-limit file cannot be written, with or without figures', async () => {
    const folder = await temporaryFolder();
    try {
      const file = path.join(folder.path, 'file');
      await writeFile(file, '');
      const options = { folder: file, name: 'limit.json', clock: systemClock };
      const store = new RateLimitFile({ ...options, onProblem: () => undefined });
      const state = { limits: [limitOf1000], learnedAt: Date.now() };
      await store.update((before) => ({ ...before, ...state }));
      const faults = [{ on: 'accounts', times: 3, fault: status(500) }] as const;
      const exchange = await start({ openOrders, faults });
      const runner = windowAt(exchange, limitOf1000, { store });
      for (let press = 1; press <= 3; press += 1) {
        await runner.cancelAll.run();
        assert.equal(exchange.seen('cancelAll').length, press);
      }
      assert.equal(runner.reports.at(-1)?.outcome, 'done');
    } finally {
      await folder.remove();
    }
  });

  for (const hasFigures of [true, false])
    it(`is sent at each of ten presses while interactive reads use up the share, ${hasFigures ? 'with' : 'without'} figures`, async () => {
      const exchange = await start({ openOrders });
      const clock = new FakeClock(Date.now());
      const runner = windowAt(exchange, { weight: 100, windowMs: minuteMs }, { clock });
      if (hasFigures) await runner.account.refresher.refresh();
      await useShare(runner);
      for (let press = 1; press <= 10; press += 1) {
        await Promise.all([runner.cancelAll.run(), useShare(runner)]);
        assert.deepEqual([runner.plans.length, exchange.seen('cancelAll').length], [press, press]);
      }
      assert.ok(exchange.seen('accounts').length <= 5, 'the account reads were not shared');
      assert.ok(worstSliding(exchange.arrivals, minuteMs) <= 100);
    });

  /** Reads as often as the share allows, until it allows no more. */
  async function useShare({ client }: CancelAllOverHttp): Promise<void> {
    const read = (): Promise<boolean> =>
      client.list('feeTiers').then(
        () => true,
        (error: unknown) => {
          assert.ok(error instanceof ExchangeError && error.failure.kind === 'rateLimited');
          return false;
        },
      );
    while (await read());
  }

  it('says when the whole limit has room again, and is sent then, never more than the limit', async () => {
    const limit = { weight: 20, windowMs: minuteMs };
    const clock = new FakeClock(Date.now());
    const arrivals: Arrival[] = [];
    const exchange = await start({
      openOrders,
      onRequest: ({ weight }) => arrivals.push({ at: clock.now(), weight }),
    });
    const runner = windowAt(exchange, limit, { share: 1, clock, requestClock: clock });
    await Promise.all([1, 2, 3, 4].map(() => runner.client.cancelAll()));
    const pressedAt = clock.now();
    void runner.cancelAll.run();
    const plan = await eventually('the plan', () => runner.plans[0]);
    const sendableAt = plan.sendableAt ?? assert.fail('no time was named');
    assert.ok(sendableAt > pressedAt && sendableAt < pressedAt + minuteMs + 1000);
    await clock.advance(sendableAt - 1 - pressedAt);
    assert.equal(exchange.seen('cancelAll').length, 4);
    await clock.advance(1);
    const report = await eventually('the report', () => runner.reports[0]);
    assert.equal(report.sentAt, sendableAt);
    assert.equal(exchange.seen('cancelAll').length, 5);
    assert.ok(worstSliding(arrivals, limit.windowMs) <= limit.weight);
  });
});
