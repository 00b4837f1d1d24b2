import assert from 'node:assert/strict';
import { systemClock } from '../../src/base/time.ts';
import type { RequestOptions } from '../../src/exchange/client.ts';
import { createMemoryStore } from '../../src/exchange/rateLimit/rateLimitStore.ts';
import { RateLimiter } from '../../src/exchange/rateLimit/rateLimiter.ts';
import { worstSliding } from '../support/arrivals.ts';
import { cancelAllOverHttp, type CancelAllOverHttp } from '../support/cancelAllOverHttp.ts';
import { eventually } from '../support/eventually.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { exchangesOfEachTest, type HostileExchange } from '../support/hostileExchange.ts';
import type { HostileExchangeOptions } from '../support/hostileExchange/options.ts';
import { rowsOf } from '../support/hostileExchange/rows.ts';

const minuteMs = 60_000;
const openOrders = rowsOf('orders', 3);

/** An account at half of a limit per minute; the re-checks of its cancel-all follow `clock`. */
type Runner = CancelAllOverHttp & { readonly exchange: HostileExchange; readonly clock: FakeClock };

describe('a cancel-all near the limit', () => {
  const start = exchangesOfEachTest();
  const runners: Runner[] = [];

  afterEach(() => {
    for (const { dispose } of runners.splice(0)) dispose();
  });

  async function runnerAt(limit: number, options: Partial<HostileExchangeOptions> = {}) {
    const exchange = await start({ openOrders, ...options });
    const limits = [{ weight: limit, windowMs: minuteMs }];
    const store = createMemoryStore({ limits, learnedAt: Number.MAX_SAFE_INTEGER });
    const rateLimiter = new RateLimiter({ store, clock: systemClock, share: () => 0.5 });
    const client = clientFor(exchange, { rateLimiter });
    const clock = new FakeClock(Date.now());
    const { url } = exchange;
    const runner = { exchange, clock, ...cancelAllOverHttp({ client, url, rateLimiter, clock }) };
    runners.push(runner);
    return runner;
  }

  const outcomes = ({ reports }: Runner): string[] => reports.map(({ outcome }) => outcome);

  const deletes = ({ exchange }: Runner): number => exchange.seen('cancelAll').length;

  for (const limit of [60, 100, 1000]) {
    it(`sends its DELETE, and a second, when refreshes used the rest of a limit of ${limit}`, async () => {
      const runner = await runnerAt(limit);
      await runner.account.refresher.refresh();
      await fill(runner);
      for (const count of [1, 2]) {
        await runner.cancelAll.run();
        assert.equal(deletes(runner), count, outcomes(runner).join());
        await runner.clock.advance(60_000);
      }
      assert.deepEqual(runner.exchange.openOrders, []);
      assert.equal(runner.plans.at(-1)?.unreadReason, 'limitUsed');
      assert.ok(worstSliding(runner.exchange.arrivals, minuteMs) <= limit / 2);
    });

    it(`sends its DELETE after reading its plan, with a limit of ${limit}`, async () => {
      const runner = await runnerAt(limit);
      await fill(runner);
      await runner.cancelAll.run();
      assert.equal(deletes(runner), 1, outcomes(runner).join());
      assert.equal(runner.plans[0]?.unreadReason, undefined);
      assert.ok(worstSliding(runner.exchange.arrivals, minuteMs) <= limit / 2);
    });

    it(`sends a second DELETE after all reads that follow an unknown outcome, with a limit of ${limit}`, async () => {
      const fault = { kind: 'resetBeforeHeaders' } as const;
      const faults = [{ on: 'cancelAll', times: 1, beforeActing: true, fault }] as const;
      const runner = await runnerAt(limit, { faults });
      await runner.account.refresher.refresh();
      await fill(runner);
      await runner.cancelAll.run();
      await readOn(runner);
      assert.equal(outcomes(runner)[0], 'unknown');
      assert.deepEqual([runner.exchange.openOrders.length, deletes(runner)], [3, 1]);
      await runner.cancelAll.run();
      assert.deepEqual([runner.exchange.openOrders.length, deletes(runner)], [0, 2]);
      assert.ok(worstSliding(runner.exchange.arrivals, minuteMs) <= limit / 2);
    });
  }

  for (const status of [429, 418])
    it(`has nothing follow a DELETE into the pause of a ${status} but its read-back`, async () => {
      const headers = { 'retry-after': '60' };
      const fault = { kind: 'status', status, headers } as const;
      const faults = [{ on: 'cancelAll', times: 1, beforeActing: true, fault }] as const;
      const runner = await runnerAt(1000, { faults });
      const seen = () => runner.exchange.requests.map(({ operation }) => operation);
      await runner.cancelAll.run();
      await readOn(runner);
      assert.deepEqual(seen(), ['accounts', 'cancelAll', 'accounts']);
      assert.equal(runner.reports[0]?.outcome, 'unknown');
      await runner.cancelAll.run();
      assert.equal(runner.plans.at(-1)?.unreadReason, 'paused');
      assert.deepEqual(seen(), ['accounts', 'cancelAll', 'accounts', 'cancelAll']);
      await runner.cancelAll.run();
      assert.equal(deletes(runner), 3);
    });
});

/** Refreshes, the heavy first, until none more has room. */
async function fill({ client, rateLimiter }: Runner): Promise<void> {
  const calls = [
    (options: RequestOptions) =>
      client.history({ operation: 'orders', filters: {}, page: 0 }, options),
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
async function readOn({ clock, receipts }: Runner): Promise<void> {
  for (const [index, afterMs] of [2000, 3000, 10_000].entries()) {
    await clock.advance(afterMs);
    await eventually('a read', () => receipts.kept.at(-1)?.after.length === index + 2);
  }
}
