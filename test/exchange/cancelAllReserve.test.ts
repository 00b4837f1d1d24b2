import assert from 'node:assert/strict';
import type { CancelAccount } from '../../src/account/cancelAll/account.ts';
import { CancelAll } from '../../src/account/cancelAll/cancelAll.ts';
import type { CancelPlan } from '../../src/account/cancelAll/plan.ts';
import type { Receipt } from '../../src/account/receipts.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { ExchangeClient } from '../../src/exchange/client.ts';
import { booksInMemory } from '../../src/exchange/ledger/booksStore.ts';
import { WeightLedger } from '../../src/exchange/ledger/weightLedger.ts';
import { worstSliding } from '../support/arrivals.ts';
import { cancelAccount } from '../support/cancelAccount.ts';
import { receiptsInMemory } from '../support/cancelAllUnderTest.ts';
import { eventually } from '../support/eventually.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { FakeClock } from '../support/fakeClock.ts';
import type { HostileExchangeOptions } from '../support/hostileExchange/options.ts';
import { rowsOf } from '../support/hostileExchange/rows.ts';
import { exchangesOfEachTest, type HostileExchange } from '../support/hostileExchange.ts';

const minuteMs = 60_000;
const openOrders = rowsOf('orders', 3);

/** An account whose books keep a limit of so much a minute, by half, and whoever cancels all of it. */
type Desk = {
  readonly exchange: HostileExchange;
  readonly client: ExchangeClient;
  readonly ledger: WeightLedger;
  readonly account: CancelAccount;
  readonly cancelAll: CancelAll;
  /** The clock of the cancel-all: it reads on when that is moved. */
  readonly clock: FakeClock;
  readonly receipts: ReturnType<typeof receiptsInMemory>;
  readonly plans: CancelPlan[];
  readonly reports: Receipt[];
};

describe('a cancel-all near the limit', () => {
  const start = exchangesOfEachTest();
  const desks: Desk[] = [];

  afterEach(() => {
    for (const { account, cancelAll, ledger } of desks.splice(0)) {
      cancelAll.dispose();
      account.refresher.dispose();
      ledger.dispose();
    }
  });

  async function deskAt(limit: number, options: Partial<HostileExchangeOptions> = {}) {
    const exchange = await start({ openOrders, ...options });
    const limits = [{ weight: limit, windowMs: minuteMs }];
    const store = booksInMemory({ limits, learnedAt: Number.MAX_SAFE_INTEGER });
    const ledger = new WeightLedger({ store, clock: systemClock, share: () => 0.5 });
    const client = clientFor(exchange, { ledger });
    const account = cancelAccount(client, exchange.url, ledger);
    account.refresher.setIntervalMs(undefined);
    const plans: CancelPlan[] = [];
    const clock = new FakeClock();
    const receipts = receiptsInMemory();
    const cancelAll = new CancelAll({
      clock,
      receipts,
      account: () => Promise.resolve(account),
      confirm: (plan) => Promise.resolve(plans.push(plan) > 0),
      onProblem: assert.ifError,
    });
    const reports: Receipt[] = [];
    cancelAll.onDidReport(({ receipt }) => reports.push(receipt));
    const desk = { exchange, client, ledger, account, cancelAll, clock, receipts, plans, reports };
    desks.push(desk);
    return desk;
  }

  const outcomes = ({ reports }: Desk): string[] => reports.map(({ outcome }) => outcome);

  const deletes = ({ exchange }: Desk): number => exchange.seen('cancelAll').length;

  for (const limit of [60, 100, 1000]) {
    it(`has its DELETE go, and a second, where refreshes left nothing else of ${limit}`, async () => {
      const desk = await deskAt(limit);
      await desk.account.refresher.refresh();
      await fill(desk);
      for (const count of [1, 2]) {
        await desk.cancelAll.press();
        assert.equal(deletes(desk), count, outcomes(desk).join());
      }
      assert.deepEqual(desk.exchange.openOrders, []);
      assert.deepEqual([desk.plans.at(-1)?.isFresh, desk.plans.at(-1)?.isPaused], [false, false]);
      assert.ok(worstSliding(desk.exchange.arrivals, minuteMs) <= limit / 2);
    });

    it(`has its DELETE go though its plan has to be read first, of ${limit}`, async () => {
      const desk = await deskAt(limit);
      await fill(desk);
      await desk.cancelAll.press();
      assert.equal(deletes(desk), 1, outcomes(desk).join());
      assert.equal(desk.plans[0]?.isFresh, true);
      assert.ok(worstSliding(desk.exchange.arrivals, minuteMs) <= limit / 2);
    });

    it(`has a second DELETE go after all reads that follow an unknown end, of ${limit}`, async () => {
      const fault = { kind: 'resetBeforeHeaders' } as const;
      const faults = [{ on: 'cancelAll', times: 1, beforeActing: true, fault }] as const;
      const desk = await deskAt(limit, { faults });
      await desk.account.refresher.refresh();
      await fill(desk);
      const pages = desk.exchange.seen('orders').length;
      await desk.cancelAll.press();
      await readOn(desk);
      assert.equal(outcomes(desk)[0], 'unknown');
      assert.deepEqual([desk.exchange.openOrders.length, deletes(desk)], [3, 1]);
      await desk.cancelAll.press();
      assert.deepEqual([desk.exchange.openOrders.length, deletes(desk)], [0, 2]);
      assert.equal(desk.exchange.seen('orders').length, pages, 'evidence took what is kept');
      assert.equal(desk.reports.at(-2)?.evidence, null);
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
      await desk.cancelAll.press();
      await readOn(desk);
      assert.deepEqual(seen(), ['accounts', 'cancelAll', 'accounts']);
      assert.deepEqual([desk.reports[0]?.outcome, desk.reports[0]?.evidence], ['unknown', null]);
      await desk.cancelAll.press();
      assert.deepEqual([desk.plans.at(-1)?.isFresh, desk.plans.at(-1)?.isPaused], [false, true]);
      assert.deepEqual(seen(), ['accounts', 'cancelAll', 'accounts', 'cancelAll']);
      await desk.cancelAll.press();
      assert.equal(desk.reports.at(-1)?.outcome, 'notSent');
      assert.equal(deletes(desk), 2);
    });
});

/** Refreshes, the heavy first, until none more has room. */
async function fill({ client, ledger }: Desk): Promise<void> {
  const refresh = client.at('refresh');
  const calls = [
    (signal: AbortSignal) => refresh.orders({ page: 0 }, signal),
    (signal: AbortSignal) => refresh.feeTiers(signal),
  ];
  for (const call of calls) while (await hasRoomFor(call, ledger));
}

async function hasRoomFor(
  call: (signal: AbortSignal) => Promise<unknown>,
  ledger: WeightLedger,
): Promise<boolean> {
  const controller = new AbortController();
  const ended = call(controller.signal).then(
    () => true,
    () => false,
  );
  const isWaiting = eventually('a wait', () => ledger.standing.waiting > 0 && 'waits');
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
