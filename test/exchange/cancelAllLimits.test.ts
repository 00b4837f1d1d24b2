import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { always } from '../../src/base/interval.ts';
import { systemClock } from '../../src/base/time.ts';
import type { RequestOptions } from '../../src/exchange/client.ts';
import { ExchangeError } from '../../src/exchange/exchangeError.ts';
import { RateLimitFile } from '../../src/exchange/rateLimit/rateLimitFile.ts';
import {
  createMemoryStore,
  type RateLimitStore,
} from '../../src/exchange/rateLimit/rateLimitStore.ts';
import { RateLimiter } from '../../src/exchange/rateLimit/rateLimiter.ts';
import { worstSliding } from '../support/arrivals.ts';
import { cancelAllOverHttp } from '../support/cancelAllOverHttp.ts';
import { eventually } from '../support/eventually.ts';
import { cancelAllOf, clientFor } from '../support/exchangeClient.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import type { FaultRule } from '../support/hostileExchange/faults.ts';
import type { HostileExchangeOptions } from '../support/hostileExchange/options.ts';
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

type WindowOptions = Partial<HostileExchangeOptions> & {
  readonly weight?: number;
  readonly store?: RateLimitStore;
  /** Whether requests and their limit have the fake clock too. */
  readonly isSlow?: boolean;
};

type Window = Awaited<ReturnType<ReturnType<typeof windowsOfEachTest>>>;

/** A window that has read nothing yet, at half of a limit per minute; its re-checks follow `clock`. */
function windowsOfEachTest() {
  const start = exchangesOfEachTest();
  const disposals: (() => void)[] = [];
  afterEach(() => disposals.splice(0).forEach((dispose) => dispose()));
  return async ({ weight = 1000, store, isSlow = false, ...options }: WindowOptions = {}) => {
    const clock = new FakeClock(Date.now());
    const arrivals: { at: number; weight: number }[] = [];
    const exchange = await start({
      openOrders,
      onRequest: (seen) => arrivals.push({ at: clock.now(), weight: seen.weight }),
      ...options,
    });
    const limits = [{ weight, windowMs: minuteMs }];
    const requestClock = isSlow ? clock : systemClock;
    const rateLimiter = new RateLimiter({
      store: store ?? createMemoryStore({ limits, learnedAt: Number.MAX_SAFE_INTEGER }),
      clock: requestClock,
      share: () => 0.5,
    });
    const client = clientFor(exchange, { rateLimiter, clock: requestClock });
    const runner = cancelAllOverHttp({ client, url: exchange.url, rateLimiter, clock });
    disposals.push(runner.dispose);
    return { ...runner, exchange, clock, arrivals: isSlow ? arrivals : exchange.arrivals };
  };
}

const deletes = ({ exchange }: Window): number => exchange.seen('cancelAll').length;
const operationsSeen = ({ exchange }: Window) =>
  exchange.requests.map(({ operation }) => operation);
const outcomes = ({ reports }: Window): string[] => reports.map(({ outcome }) => outcome);

describe('cancel-all in an emergency', () => {
  const open = windowsOfEachTest();

  for (const hasFigures of [true, false])
    for (const fault of [status(500), status(403), { kind: 'html' }] as const)
      it(`is sent once though the account read fails with ${JSON.stringify(fault)}, ${hasFigures ? 'with' : 'without'} last figures`, async () => {
        const from = hasFigures ? 2 : 1;
        const window = await open({ faults: [{ on: 'accounts', from, fault }] });
        if (hasFigures) await window.account.refresher.refresh();
        await window.cancelAll.run();
        const [plan] = window.plans;
        assert.equal(typeof plan?.unreadReason, 'object');
        assert.equal(plan?.figures?.locked?.length, hasFigures ? 1 : undefined);
        assert.equal(outcomes(window)[0], 'unverified');
        assert.deepEqual([deletes(window), window.exchange.openOrders.length], [1, 0]);
      });

  it('asks after 5 s at an exchange that does not answer reads', async () => {
    const fault = { kind: 'stallBeforeHeaders' } as const;
    const window = await open({ faults: [{ on: 'accounts', fault }] });
    void window.cancelAll.run();
    await eventually('the read', () => window.exchange.seen('accounts').length === 1);
    assert.equal(window.plans.length, 0);
    await window.clock.advance(5000);
    await eventually('the DELETE', () => window.exchange.openOrders.length === 0);
    assert.deepEqual(
      [window.plans[0]?.unreadReason, deletes(window)],
      [{ kind: 'timeout', sent: 'maybe', operation: 'accounts' }, 1],
    );
  });

  it('is sent in each pause of the exchange, and read back once in each', async () => {
    const window = await open({ isSlow: true });
    const request = { operation: 'feeTiers', weight: 1, maxDurationMs: 1 } as const;
    for (const pause of [1, 2]) {
      const sent = await window.rateLimiter.acquire({ ...request, priority: 'cancel' });
      sent.complete({ kind: 'paused', retryAfterMs: 600_000 });
      const before = operationsSeen(window).length;
      for (const press of [1, 2, 3]) {
        const running = window.cancelAll.run();
        await eventually('the DELETE', () => deletes(window) === 3 * (pause - 1) + press);
        if (press > 1) await window.clock.advance(60_000);
        await running;
      }
      assert.deepEqual(operationsSeen(window).slice(before), [
        ...['cancelAll', 'accounts', 'cancelAll', 'cancelAll'],
      ]);
      assert.equal(window.plans.at(-1)?.unreadReason, 'paused');
      assert.equal(outcomes(window).includes('done'), true);
      window.reports.splice(0);
      await window.clock.advance(600_000);
    }
  });

  it('is sent while the rate-limit file cannot be written, with or without figures', async () => {
    const folder = await temporaryFolder();
    try {
      const file = path.join(folder.path, 'file');
      await writeFile(file, '');
      const options = { folder: file, name: 'limit.json', clock: systemClock };
      const store = new RateLimitFile({ ...options, onProblem: () => undefined });
      const state = { limits: [{ weight: 1000, windowMs: minuteMs }], learnedAt: Date.now() };
      await store.update((before) => ({ ...before, ...state }));
      const window = await open({
        store,
        faults: [{ on: 'accounts', times: 3, fault: status(500) }],
      });
      for (let press = 1; press <= 3; press += 1) {
        await window.cancelAll.run();
        assert.equal(deletes(window), press);
      }
      assert.equal(outcomes(window).at(-1), 'done');
    } finally {
      await folder.remove();
    }
  });
});

describe('a cancel-all near the limit', () => {
  const open = windowsOfEachTest();

  for (const weight of [60, 100, 1000]) {
    const assertWithinShare = ({ arrivals }: Window): void =>
      assert.ok(worstSliding(arrivals, minuteMs) <= weight / 2);

    it(`sends a second DELETE after all reads that follow an unknown outcome, with a limit of ${weight}`, async () => {
      const fault = { kind: 'resetBeforeHeaders' } as const;
      const faults = [{ on: 'cancelAll', times: 1, beforeActing: true, fault }] as const;
      const window = await open({ weight, faults });
      await window.account.refresher.refresh();
      await fill(window);
      await window.cancelAll.run();
      await readOn(window);
      assert.equal(outcomes(window)[0], 'unknown');
      assert.deepEqual([window.exchange.openOrders.length, deletes(window)], [3, 1]);
      await window.cancelAll.run();
      assert.deepEqual([window.exchange.openOrders.length, deletes(window)], [0, 2]);
      assertWithinShare(window);
    });
  }

  for (const hasFigures of [true, false])
    it(`is sent at each of ten presses while interactive reads use up the share, ${hasFigures ? 'with' : 'without'} figures`, async () => {
      const window = await open({ weight: 100 });
      if (hasFigures) await window.account.refresher.refresh();
      await useShare(window);
      for (let press = 1; press <= 10; press += 1) {
        await Promise.all([window.cancelAll.run(), useShare(window)]);
        assert.deepEqual([window.plans.length, deletes(window)], [press, press]);
      }
      assert.ok(window.exchange.seen('accounts').length <= 5, 'the account reads were not shared');
      assert.ok(worstSliding(window.arrivals, minuteMs) <= 100);
    });

  it('does not seem to wait if it takes the last room of the limit', async () => {
    const window = await open({ weight: 20 });
    await Promise.all([1, 2, 3].map(() => cancelAllOf(window.client)));
    void window.cancelAll.run();
    await eventually('the DELETE', () => deletes(window) === 4);
    assert.deepEqual(window.steps.slice(0, 3), ['planning', 'confirming', 'sending']);
  });

  it('says when the whole limit has room again, and is sent then, never more than the limit', async () => {
    const window = await open({ weight: 20, isSlow: true });
    await Promise.all([1, 2, 3, 4].map(() => cancelAllOf(window.client)));
    const pressedAt = window.clock.now();
    void window.cancelAll.run();
    const plan = await eventually('the plan', () => window.plans[0]);
    const sendableAt = plan.sendableAt ?? assert.fail('no time was named');
    assert.ok(sendableAt > pressedAt && sendableAt < pressedAt + minuteMs + 1000);
    await window.clock.advance(sendableAt - 1 - pressedAt);
    assert.equal(deletes(window), 4);
    await window.clock.advance(1);
    const report = await eventually('the report', () => window.reports[0]);
    assert.deepEqual([report.sentAt, deletes(window)], [sendableAt, 5]);
    assert.ok(worstSliding(window.arrivals, minuteMs) <= 20);
  });
});

/** Reads as often as the share allows, until it allows no more. */
async function useShare({ client }: Window): Promise<void> {
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

/** Refreshes, the heavy first, until none more has room. */
async function fill({ client, rateLimiter }: Window): Promise<void> {
  const calls = [
    (options: RequestOptions) =>
      client.history({ operation: 'orders', filters: {}, period: always, page: 0 }, options),
    (options: RequestOptions) => client.list('feeTiers', options),
  ];
  for (const call of calls) while (await hasRoomFor(call, rateLimiter));
}

async function hasRoomFor(
  call: (options: RequestOptions) => Promise<unknown>,
  rateLimiter: RateLimiter,
): Promise<boolean> {
  const controller = new AbortController();
  const ended = call({ priority: 'refresh', signal: controller.signal }).then(
    () => true,
    () => false,
  );
  const isWaiting = eventually('a wait', () => rateLimiter.usage.waiting > 0 && 'waits');
  const first = await Promise.race([ended, isWaiting.catch(() => true)]);
  controller.abort();
  await ended;
  return first !== 'waits';
}

/** Lets the reads after 2, 5 and 15 s come to their end, be it for want of weight. */
async function readOn({ clock, receipts }: Window): Promise<void> {
  for (const [index, afterMs] of [2000, 3000, 10_000].entries()) {
    await clock.advance(afterMs);
    await eventually('a read', () => receipts.kept.at(-1)?.after.length === index + 2);
  }
}
