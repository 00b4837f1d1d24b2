import assert from 'node:assert/strict';
import { systemClock } from '../../src/base/time.ts';
import type { RequestOptions } from '../../src/exchange/client.ts';
import { createMemoryStore } from '../../src/exchange/rateLimit/rateLimitStore.ts';
import { RateLimiter } from '../../src/exchange/rateLimit/rateLimiter.ts';
import { worstSliding } from '../support/arrivals.ts';
import { cancelDesk, type CancelDesk } from '../support/cancelDesk.ts';
import { eventually } from '../support/eventually.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { exchangesOfEachTest, type HostileExchange } from '../support/hostileExchange.ts';
import type { HostileExchangeOptions } from '../support/hostileExchange/options.ts';
import { rowsOf } from '../support/hostileExchange/rows.ts';

const minuteMs = 60_000;
const openOrders = rowsOf('orders', 3);

/** An account at half of a limit per minute; the re-checks of its cancel-all follow `clock`. */
type Desk = CancelDesk & { readonly exchange: HostileExchange; readonly clock: FakeClock };

describe('a cancel-all near the limit', () => {
  const start = exchangesOfEachTest();
  const desks: Desk[] = [];

  afterEach(() => {
    for (const { dispose } of desks.splice(0)) dispose();
  });

  async function deskAt(limit: number, options: Partial<HostileExchangeOptions> = {}) {
    const exchange = await start({ openOrders, ...options });
    const limits = [{ weight: limit, windowMs: minuteMs }];
    const store = createMemoryStore({ limits, learnedAt: Number.MAX_SAFE_INTEGER });
    const rateLimiter = new RateLimiter({ store, clock: systemClock, share: () => 0.5 });
    const client = clientFor(exchange, { rateLimiter });
    const clock = new FakeClock(Date.now());
    const { url } = exchange;
    const desk = { exchange, clock, ...cancelDesk({ client, url, rateLimiter, clock }) };
    desks.push(desk);
    return desk;
  }

  const outcomes = ({ reports }: Desk): string[] => reports.map(({ outcome }) => outcome);

  const deletes = ({ exchange }: Desk): number => exchange.seen('cancelAll').length;

  for (const limit of [60, 100, 1000]) {
    it(`sends its DELETE, and a second, where refreshes used the rest of a limit of ${limit}`, async () => {
      const desk = await deskAt(limit);
      await desk.account.refresher.refresh();
      await fill(desk);
      for (const count of [1, 2]) {
        await desk.cancelAll.run();
        assert.equal(deletes(desk), count, outcomes(desk).join());
        await desk.clock.advance(60_000);
      }
      assert.deepEqual(desk.exchange.openOrders, []);
      assert.equal(desk.plans.at(-1)?.unreadReason, 'limitUsed');
      assert.ok(worstSliding(desk.exchange.arrivals, minuteMs) <= limit / 2);
    });

    it(`sends its DELETE after reading its plan, with a limit of ${limit}`, async () => {
      const desk = await deskAt(limit);
      await fill(desk);
      await desk.cancelAll.run();
      assert.equal(deletes(desk), 1, outcomes(desk).join());
      assert.equal(desk.plans[0]?.unreadReason, undefined);
      assert.ok(worstSliding(desk.exchange.arrivals, minuteMs) <= limit / 2);
    });

    it(`sends a second DELETE after all reads that follow an unknown outcome, with a limit of ${limit}`, async () => {
      const fault = { kind: 'resetBeforeHeaders' } as const;
      const faults = [{ on: 'cancelAll', times: 1, beforeActing: true, fault }] as const;
      const desk = await deskAt(limit, { faults });
      await desk.account.refresher.refresh();
      await fill(desk);
      await desk.cancelAll.run();
      await readOn(desk);
      assert.equal(outcomes(desk)[0], 'unknown');
      assert.deepEqual([desk.exchange.openOrders.length, deletes(desk)], [3, 1]);
      await desk.cancelAll.run();
      assert.deepEqual([desk.exchange.openOrders.length, deletes(desk)], [0, 2]);
      assert.ok(worstSliding(desk.exchange.arrivals, minuteMs) <= limit / 2);
    });
  }

  for (const status of [429, 418])
    it(`has nothing follow a DELETE into the pause of a ${status} but its read-back`, async () => {
      const headers = { 'retry-after': '60' };
      const fault = { kind: 'status', status, headers } as const;
      const faults = [{ on: 'cancelAll', times: 1, beforeActing: true, fault }] as const;
      const desk = await deskAt(1000, { faults });
      const seen = () => desk.exchange.requests.map(({ operation }) => operation);
      await desk.cancelAll.run();
      await readOn(desk);
      assert.deepEqual(seen(), ['accounts', 'cancelAll', 'accounts']);
      assert.equal(desk.reports[0]?.outcome, 'unknown');
      await desk.cancelAll.run();
      assert.equal(desk.plans.at(-1)?.unreadReason, 'paused');
      assert.deepEqual(seen(), ['accounts', 'cancelAll', 'accounts', 'cancelAll']);
      await desk.cancelAll.run();
      assert.equal(deletes(desk), 3);
    });
});

/** Refreshes, the heavy first, until none more has room. */
async function fill({ client, rateLimiter }: Desk): Promise<void> {
  const calls = [
    (options: RequestOptions) =>
      client.history({ operation: 'orders', filters: {}, page: 0 }, options),
    (options: RequestOptions) => client.feeTiers(options),
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
async function readOn({ clock, receipts }: Desk): Promise<void> {
  for (const [index, afterMs] of [2000, 3000, 10_000].entries()) {
    await clock.advance(afterMs);
    await eventually('a read', () => receipts.kept.at(-1)?.after.length === index + 2);
  }
}
