import assert from 'node:assert/strict';
import fc from 'fast-check';
import { dayMs, hourMs, minuteMs, secondMs, systemClock, type Clock } from '../../src/base/time.ts';
import { idOf } from '../support/recordIds.ts';
import { practiceConventions } from '../../src/host/profiles/practiceExchange.ts';
import { completeTo, coverageParts } from '../../src/ledger/coverage/coverageParts.ts';
import type { LedgerHistory } from '../../src/ledger/ledger.ts';
import { aPosition } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { exchangesOfEachTest, type HostileExchange } from '../support/hostileExchange.ts';
import { minuteLimit, type HostileExchangeOptions } from '../support/hostileExchange/options.ts';
import { rowsOf, type HistoryName, type Row } from '../support/hostileExchange/rows.ts';
import { isSoakRun } from '../support/soakRun.ts';
import { SyncedLedger } from '../support/syncedLedger.ts';

const histories = ['orders', 'trades', 'futureTransactions'] as const;
const operationsRead = ['orders', 'trades', 'transactions'] as const;
const dialect = { ...practiceConventions, maxPageSize: 50 };

describe('a ledger that is kept current', () => {
  const exchange = exchangesOfEachTest();
  /** The clock of both sides: each test moves it. */
  let aheadMs: number;
  /** Of our clock alone, which a test sets back. */
  let ourErrorMs: number;
  let isBudgetOpen: boolean;
  let isBudgetAsked: boolean;
  beforeEach(() => {
    [aheadMs, ourErrorMs] = [0, 0];
    [isBudgetOpen, isBudgetAsked] = [true, false];
  });
  const now = () => Date.now() + aheadMs;
  const clock = { ...systemClock, now: () => now() + ourErrorMs, steadyNow: now };
  /** Whoever waits for weight has it at once, when the clock is so much later. */
  const budgetClock: Clock = {
    now,
    steadyNow: now,
    after: (delayMs, callback) => {
      isBudgetAsked = true;
      if (!isBudgetOpen) return () => undefined;
      const timer = setImmediate(() => {
        aheadMs += delayMs;
        callback();
      });
      return () => clearImmediate(timer);
    },
  };

  /** An exchange with 120 rows of each history, and a ledger that has them all. */
  async function downloaded(
    options: Partial<HostileExchangeOptions> = {},
    others: Partial<Record<HistoryName, Row[]>> = {},
  ) {
    const usual = operationsRead.map((name) => [name, olderRows(name)] as const);
    const rows = { ...Object.fromEntries(usual), ...others };
    const rateLimits = minuteLimit(1_000_000_000);
    const always = { reading: { maxPageSize: 50 }, rows, now, rateLimits };
    const server = await exchange({ ...always, ...options });
    const world = new SyncedLedger(server, { clock, budgetClock, client: { dialect } });
    await world.downloadAll({ histories });
    world.current.take(world.accountRead());
    await settled(world);
    aheadMs += 2 * minuteMs;
    return { server, world };
  }

  // An id of 30 days ago is the first of three digits.
  const olderRows = (name: HistoryName) =>
    rowsOf(name, 120, {
      ...{ firstId: 40n, newestAt: Date.now() - 10 * minuteMs, spacingMs: 12 * hourMs + 7 },
    });

  const settled = async (world: SyncedLedger) => {
    await eventually('no read', () => !world.current.isReading);
    await world.walks.run(new AbortController().signal);
  };

  /** Rows of now, whose ids no older row has. */
  function newRows(name: HistoryName, count: number, fields: Row['json'] = {}): Row[] {
    const options = { newestAt: now() - 6 * secondMs, firstId: 1000n, spacingMs: 11 };
    return rowsOf(name, count, { ...options, fields: () => fields });
  }

  /** The weight of what was asked since. */
  function weightSince(server: HostileExchange): () => number {
    const weight = () => operationsRead.reduce((sum, name) => sum + server.weightOf(name), 0);
    const before = weight();
    return () => weight() - before;
  }

  const traded = { positions: [aPosition({ amount: '0.5' })] };

  async function completeEnd(world: SyncedLedger, history: LedgerHistory) {
    const period = { from: now() - 80 * dayMs, to: now() };
    return completeTo(coverageParts(history, await world.ledger.coverage(history), period)) ?? 0;
  }

  it('has a new trade, its order and its fee after 30 weight, complete to now', async () => {
    const { server, world } = await downloaded();
    const weight = weightSince(server);
    for (const name of operationsRead)
      server.insert(name, newRows(name, 1, name === 'trades' ? { orderId: '1000' } : {}));
    const takenAt = now();
    world.current.take(world.accountRead(traded));
    await eventually('no read', () => !world.current.isReading);
    for (const history of histories) {
      assert.equal(world.ledger.records(history).length, 121, history);
      assert.ok((await completeEnd(world, history)) > takenAt - 10 * secondMs, history);
    }
    assert.equal(weight(), 30);
    assert.deepEqual(await world.ledger.unfinishedWalks(), []);
    assert.deepEqual(world.problems, []);
  });

  it('is refreshed at once, as often as a person asks, in the history that is asked for', async () => {
    const { server, world } = await downloaded();
    const weight = weightSince(server);
    const before = aheadMs;
    for (let time = 1; time <= 8; time++) {
      server.insert('trades', newRows('trades', 1, { tradeId: String(2000 + time) }));
      await world.current.refresh(['trades']);
      assert.equal(world.ledger.records('trades').length, 120 + time);
    }
    assert.deepEqual([weight(), aheadMs - before], [80, 0], 'nothing waited for the budget');
    await world.current.refresh(['spotTransactions', 'lots']);
    assert.equal(weight(), 80, 'what was never downloaded');
  });

  it('is refreshed while the background waits for its weight', async () => {
    const { server, world } = await downloaded();
    isBudgetOpen = false;
    const weight = weightSince(server);
    for (const amount of ['0.5', '0.6']) {
      world.current.take(world.accountRead({ positions: [aPosition({ amount })] }));
      await eventually('the reads that the budget allows', () => weight() >= 30);
    }
    await eventually('a read that waits', () => isBudgetAsked);
    assert.ok(world.current.isReading);
    server.insert('trades', newRows('trades', 1));
    await world.current.refresh(['trades']);
    assert.equal(world.ledger.records('trades').length, 121);
    assert.ok(world.current.isReading);
    world.current.dispose();
  });

  it('reads what a change of the margin alone may have brought with the slow histories', async () => {
    const { server, world } = await downloaded();
    const weight = weightSince(server);
    const asset = { name: 'usdt', isMargin: true, deposited: '100', locked: '0', extra: {} };
    const margins = (margin: string) => world.accountRead({ assets: [{ ...asset, margin }] });
    world.current.take(margins('10'));
    await settled(world);
    const before = weight();
    for (const margin of ['11', '12', '13']) world.current.take(margins(margin));
    await settled(world);
    assert.equal(weight(), before, 'it may follow the mark price');
    aheadMs += 16 * minuteMs;
    world.current.take(margins('13'));
    await settled(world);
    assert.equal(weight(), before + 30);
    aheadMs += 16 * minuteMs;
    world.current.take(margins('13'));
    await settled(world);
    assert.equal(weight(), before + 30, 'it did not move again');
  });

  it('reads SPOT transactions and lots every 15 minutes, if they were downloaded', async () => {
    const { server, world } = await downloaded();
    const weight = weightSince(server);
    await world.downloadAll({ histories: ['lots'] });
    aheadMs += 16 * minuteMs;
    world.current.take(world.accountRead());
    await settled(world);
    assert.equal(server.weightOf('lots') > 0, true);
    assert.equal(weight(), 0, 'SPOT transactions were not downloaded, and nothing else changed');
  });

  it('reads trades and transactions every half hour without a change, so that they are complete', async () => {
    const { server, world } = await downloaded();
    const weight = weightSince(server);
    aheadMs += 25 * minuteMs;
    world.current.take(world.accountRead());
    await settled(world);
    assert.equal(weight(), 0);
    aheadMs += 10 * minuteMs;
    world.current.take(world.accountRead());
    await settled(world);
    assert.equal(weight(), 20);
    for (const history of ['trades', 'futureTransactions'] as const)
      assert.ok((await completeEnd(world, history)) > now() - minuteMs, history);
  });

  it('reads trades beyond the first reads of the account soon after their download', async () => {
    const rateLimits = minuteLimit(1_000_000_000);
    const server = await exchange({ rows: { trades: olderRows('trades') }, now, rateLimits });
    const world = new SyncedLedger(server, { clock, budgetClock, client: { dialect } });
    world.current.take(world.accountRead());
    await settled(world);
    await world.downloadAll({ histories });
    const firstReadAt = now();
    const transactions = server.seen('transactions').length;
    aheadMs += minuteMs;
    world.current.take(world.accountRead());
    await settled(world);
    assert.ok((await completeEnd(world, 'trades')) > firstReadAt);
    assert.equal(server.seen('transactions').length, transactions);
  });

  it('reads once more for all changes during a run', async () => {
    const { server, world } = await downloaded();
    const seen = () => server.seen('trades').length;
    const before = seen();
    for (const amount of ['1', '2', '3', '4'])
      world.current.take(world.accountRead({ positions: [aPosition({ amount })] }));
    await settled(world);
    assert.ok(seen() - before <= 2, String(seen() - before));
  });

  describe('after three days away', () => {
    /** An exchange with 25 new trades, and a ledger that does not have them. */
    async function backAfterDays(
      sort: 'newestFirst' | 'oldestFirst' | 'none',
      options: Partial<HostileExchangeOptions> = {},
    ) {
      const reading = { maxPageSize: 50, sort };
      const { server, world } = await downloaded({ ...options, reading });
      aheadMs += 3 * dayMs;
      const spread = { newestAt: now() - hourMs, firstId: 1000n, spacingMs: 2 * hourMs };
      server.insert('trades', rowsOf('trades', 25, spread));
      return { server, world };
    }

    let tradeId = 2000n;

    /** So many changes of the account, 16 minutes apart, each with a trade. */
    async function goOn(
      ...[server, world, changes, fields = {}]: [
        HostileExchange,
        SyncedLedger,
        number,
        Row['json']?,
      ]
    ) {
      for (let change = 1; change <= changes; change += 1) {
        tradeId += 1n;
        const trade = { newestAt: now() - 6 * secondMs, firstId: tradeId, fields: () => fields };
        server.insert('trades', rowsOf('trades', 1, trade));
        const positions = [aPosition({ amount: String(tradeId) })];
        world.current.take(world.accountRead({ positions }));
        await settled(world);
        aheadMs += 16 * minuteMs;
      }
    }

    for (const sort of ['newestFirst', 'oldestFirst', 'none'] as const)
      it(`is complete soon, from an exchange whose order is ${sort}`, async () => {
        const { server, world } = await backAfterDays(sort);
        await goOn(server, world, 6);
        assert.equal(world.ledger.records('trades').length, 151);
        assert.ok((await completeEnd(world, 'trades')) > now() - hourMs);
        assert.deepEqual(world.problems, []);
      });

    const unreadable = () => ({ side: '7' });

    /** An exchange with a row that cannot be read, so that no walk proves its period; and who asks for it. */
    async function withUnreadableRow() {
      const { server, world } = await backAfterDays('oldestFirst');
      const row = { newestAt: now() - dayMs, firstId: 1900n, fields: unreadable };
      server.insert('trades', rowsOf('trades', 1, row));
      // A later walk in whole days begins up to 49 hours back.
      const begin = now() - 2.5 * dayMs;
      const walks = () =>
        server.seen('trades').filter(({ query }) => Number(query.get('dateFrom')) < begin).length;
      return { server, world, walks };
    }

    it('is walked once where a walk does not prove it either, also after a reload', async () => {
      const { server, world, walks } = await withUnreadableRow();
      await goOn(server, world, 2);
      const before = walks();
      await goOn(server, world, 4);
      const { ledger } = world;
      const next = new SyncedLedger(server, { ledger, clock, budgetClock, client: { dialect } });
      await goOn(server, next, 4);
      assert.equal(walks(), before);
      assert.equal((await completeness(world)).at(-1), 'complete', 'what came later is proved');
      assert.ok((await completeness(world)).includes('unknown'));
    });

    async function completeness(world: SyncedLedger) {
      const coverage = await world.ledger.coverage('trades');
      const parts = coverageParts('trades', coverage, { from: now() - 80 * dayMs, to: now() });
      return parts.map((part) => part.completeness).filter((one) => one !== 'neverRead');
    }
  });

  describe('with an order that was placed 30 days ago and ends now', () => {
    const old = olderRows('orders')[60] ?? assert.fail();
    const hasIt = (world: SyncedLedger) =>
      world.ledger.records('orders').some((order) => idOf(order) === String(old.id));

    /** Open orders are not in the history. */
    async function withOpenOrder() {
      const orders = olderRows('orders').filter(({ id }) => id !== old.id);
      const { server, world } = await downloaded({}, { orders });
      assert.ok(old.at < now() - 29 * dayMs && !hasIt(world));
      return { server, world, end: () => server.insert('orders', [old]) };
    }

    it('reads it again after each part of it that is filled, within an hour or so', async () => {
      const { server, world, end } = await withOpenOrder();
      end();
      const fill = async (trade: bigint, filled: string) => {
        server.remove('orders', ({ id }) => id === old.id);
        server.insert('orders', [{ ...old, json: { ...old.json, filled } }]);
        const rows = newRows('trades', 1, { orderId: String(old.id) });
        server.insert(
          'trades',
          rows.map((row) => ({ ...row, id: trade })),
        );
        world.current.take(world.accountRead({ positions: [aPosition({ amount: filled })] }));
        await settled(world);
        world.current.take(world.accountRead({ positions: [aPosition({ amount: filled })] }));
        await settled(world);
        aheadMs += 61 * minuteMs;
        world.current.take(world.accountRead({ positions: [aPosition({ amount: filled })] }));
        await settled(world);
      };
      await fill(2000n, '1');
      await fill(2001n, '2');
      const stored = world.ledger.records('orders').filter((one) => idOf(one) === String(old.id));
      assert.deepEqual(
        stored.map((order) => 'filled' in order && order.filled),
        ['2'],
      );
    });

    it('finds it after it was cancelled, within an hour or so', async () => {
      const { server, world, end } = await withOpenOrder();
      end();
      for (let reads = 0; reads < 3; reads += 1) {
        world.current.take(world.accountRead({ orders: [] }));
        await settled(world);
      }
      aheadMs += 16 * minuteMs;
      world.current.take(world.accountRead({ orders: [] }));
      await settled(world);
      assert.ok(!hasIt(world), 'the last walk is not an hour old');
      aheadMs += 61 * minuteMs;
      world.current.take(world.accountRead({ orders: [] }));
      await settled(world);
      assert.ok(hasIt(world));
      const pages = server.seen('orders').length;
      aheadMs += 61 * minuteMs;
      world.current.take(world.accountRead({ orders: [] }));
      await settled(world);
      assert.equal(server.seen('orders').length, pages, 'nothing more is expected');
    });

    it('finds it a day later, if the account did not show its end', async () => {
      const { world, end } = await withOpenOrder();
      end();
      aheadMs += 23 * hourMs;
      // The newest page of orders is read, and proves nothing of older ones.
      world.current.take(world.accountRead(traded));
      await settled(world);
      assert.ok(!hasIt(world));
      aheadMs += 2 * hourMs;
      world.current.take(world.accountRead(traded));
      await settled(world);
      assert.ok(hasIt(world));
      assert.ok((await completeEnd(world, 'orders')) > now() - hourMs);
    });
  });

  it('keeps rows that disappear, and marks the period of a late row as drifted', async () => {
    const { server, world } = await downloaded();
    const late = { ...(newRows('trades', 1)[0] ?? assert.fail()), at: now() - 20 * minuteMs };
    server.insert('trades', [
      late,
      ...newRows('trades', 2).map((row) => ({ ...row, id: row.id + 10n })),
    ]);
    world.current.take(world.accountRead(traded));
    await settled(world);
    assert.ok(world.ledger.records('trades').some((trade) => idOf(trade) === String(late.id)));
    const period = { from: late.at, to: late.at + 1 };
    const coverage = await world.ledger.coverage('trades');
    assert.equal(coverageParts('trades', coverage, period)[0]?.completeness, 'drifted');
    aheadMs += 20 * secondMs;
    world.current.take(world.accountRead());
    await settled(world);
    assert.ok((await completeEnd(world, 'trades')) > now() - hourMs, 'a later page proves it');
    const before = world.ledger.records('trades').length;
    server.remove('trades', ({ at }) => at > now() - 2 * hourMs);
    world.current.take(world.accountRead(traded));
    await settled(world);
    assert.equal(world.ledger.records('trades').length, before);
  });

  it('has an order as it is now, if it changed', async () => {
    const { server, world } = await downloaded();
    const newest = server.rows('orders').find(({ id }) => id === 159n) ?? assert.fail();
    server.remove('orders', ({ id }) => id === newest.id);
    const filled = { ...newest.json, filled: '2' };
    server.insert('orders', [{ ...newest, json: filled }]);
    world.current.take(world.accountRead(traded));
    await settled(world);
    const stored = world.ledger
      .records('orders')
      .filter((order) => idOf(order) === String(newest.id));
    assert.deepEqual(
      stored.map((order) => 'filled' in order && order.filled),
      ['2'],
    );
    assert.ok((await completeEnd(world, 'orders')) > now() - hourMs);
  });

  it('repeats a read that failed, with the next read of the account', async () => {
    const fault = { kind: 'status', status: 503 } as const;
    let isDown = false;
    const { server, world } = await downloaded({
      faultOf: ({ operation }) => (isDown && operation === 'orders' ? fault : undefined),
    });
    isDown = true;
    for (const name of operationsRead) server.insert(name, newRows(name, 1));
    world.current.take(world.accountRead(traded));
    await settled(world);
    assert.equal(world.problems.length, 1);
    assert.equal(world.ledger.records('orders').length, 120);
    isDown = false;
    world.current.take(world.accountRead(traded));
    await settled(world);
    assert.equal(world.ledger.records('orders').length, 121);
  });

  describe('and is turned off while it reads', () => {
    /** A ledger that is turned off with so many requests more. */
    async function turnedOffAfter(requests: number, newTrades: number) {
      let onRequest = (): void => undefined;
      const { server, world } = await downloaded({ onRequest: () => onRequest() });
      let left = requests;
      onRequest = () => {
        left -= 1;
        world.isKeptCurrent = left > 0;
      };
      const weight = weightSince(server);
      server.insert('trades', newRows('trades', newTrades, { orderId: '159' }));
      world.current.take(world.accountRead(traded));
      await settled(world);
      assert.deepEqual([weight(), world.problems], [requests * 10, []]);
      onRequest = () => undefined;
      return { world, weight };
    }

    it('reads the other histories once it is on again', async () => {
      const { world, weight } = await turnedOffAfter(1, 1);
      world.isKeptCurrent = true;
      world.current.take(world.accountRead(traded));
      await settled(world);
      assert.equal(weight(), 30);
    });

    it('stops a walk before its next page, and goes on with it once it is on again', async () => {
      const { world, weight } = await turnedOffAfter(4, 130);
      assert.equal((await world.ledger.unfinishedWalks()).length, 1);
      await world.current.refresh(['trades']);
      await settled(world);
      assert.equal(weight(), 50, 'the page that a person asked for');
      world.isKeptCurrent = true;
      aheadMs += 16 * minuteMs;
      world.current.take(world.accountRead(traded));
      await settled(world);
      assert.equal(new Set(world.ledger.records('trades').map(idOf)).size, 250);
      assert.deepEqual(await world.ledger.unfinishedWalks(), []);
      assert.deepEqual(world.problems, []);
    });
  });

  it('goes on with other walks when the exchange refuses one, and says so', async () => {
    const fault = { kind: 'status', status: 400 } as const;
    let isRefused = false;
    const { world } = await downloaded({
      faultOf: ({ operation }) => (isRefused && operation === 'trades' ? fault : undefined),
    });
    isRefused = true;
    const period = { from: now() - dayMs, to: now() - hourMs, asOf: now() };
    for (const history of ['trades', 'orders', 'futureTransactions'] as const)
      await world.ledger.beginWalk({ ...period, history, purpose: 'current' });
    await world.walks.run(new AbortController().signal);
    const left = await world.ledger.unfinishedWalks();
    assert.deepEqual(
      left.map(({ history }) => history),
      ['trades'],
    );
    assert.deepEqual(
      world.problems.map((problem) => (problem as Error).name),
      ['ExchangeError'],
    );
  });

  it('goes on with a walk that is begun while the last one ends', async () => {
    const { world } = await downloaded();
    const { ledger, walks } = world;
    const { signal } = new AbortController();
    const { unfinishedWalks } = ledger;
    const period = { from: now() - dayMs, to: now() - hourMs };
    let isBegun = false;
    const beginAfter = async () => {
      const before = await unfinishedWalks();
      if (isBegun) return before;
      isBegun = true;
      await ledger.beginWalk({ ...period, history: 'trades', asOf: now(), purpose: 'current' });
      void walks.run(signal);
      return before;
    };
    Object.assign(ledger, { unfinishedWalks: beginAfter });
    await walks.run(signal);
    assert.deepEqual(await unfinishedWalks(), []);
  });

  for (const [when, weightRead] of [
    ['before', 0],
    ['during', 10],
  ] as const)
    it(`reads nothing more once it is disposed ${when} a read`, async () => {
      let onRequest: () => void = () => undefined;
      const { server, world } = await downloaded({ onRequest: () => onRequest() });
      server.insert('trades', newRows('trades', 1));
      const weight = weightSince(server);
      if (when === 'before') world.current.dispose();
      else onRequest = () => world.current.dispose();
      world.current.take(world.accountRead(traded));
      await eventually('no read', () => !world.current.isReading);
      assert.equal(weight(), weightRead);
      assert.equal(world.ledger.records('trades').length, 120);
      assert.deepEqual(world.problems, []);
    });

  it('never calls a period complete in which it lacks a row, whatever happens', async () => {
    const step = fc.record({
      rows: fc.integer({ min: 0, max: 70 }),
      ageMs: fc.integer({ min: 0, max: 4 * secondMs }),
      // A row that vanishes, or comes late.
      trouble: fc.constantFrom('none', 'none', 'vanishes', 'late'),
      pauseMs: fc.constantFrom(secondMs, 7 * secondMs, minuteMs, 16 * minuteMs, 3 * dayMs),
    });
    const sorts = fc.constantFrom('newestFirst', 'oldestFirst', 'none');
    const steps = fc.array(step, { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(sorts, steps, async (sort, all) => {
        aheadMs = 0;
        const { server, world } = await downloaded({ reading: { maxPageSize: 50, sort } });
        let [amount, firstId] = [1, 1000n];
        for (const { rows, ageMs, trouble, pauseMs } of all) {
          const newestAt = now() - ageMs;
          server.insert('trades', rowsOf('trades', rows, { newestAt, firstId, spacingMs: 13 }));
          const late = { newestAt: now() - 3 * hourMs, firstId: firstId + 500n };
          if (trouble === 'late') server.insert('trades', rowsOf('trades', 1, late));
          if (trouble === 'vanishes') server.remove('trades', ({ id }) => id === firstId - 1000n);
          const positions = [aPosition({ amount: String(amount) })];
          world.current.take(world.accountRead({ positions }));
          await settled(world);
          [amount, firstId] = [amount + 1, firstId + 1000n];
          aheadMs += pauseMs;
        }
        // A late row may be older than what is read again: it is not in question here.
        await assertHonest(server, world, now() - 2 * hourMs);
        assert.deepEqual(world.problems, []);
      }),
      { numRuns: isSoakRun ? 200 : 6 },
    );
  });

  async function assertHonest(server: HostileExchange, world: SyncedLedger, since: number) {
    const ids = world.ledger.records('trades').map(idOf);
    assert.equal(new Set(ids).size, ids.length);
    const coverage = await world.ledger.coverage('trades');
    const parts = coverageParts('trades', coverage, { from: since, to: now() });
    const complete = parts.filter(({ completeness }) => completeness === 'complete');
    for (const { id, at } of server.rows('trades'))
      if (complete.some(({ from, to }) => at >= from && at < to))
        assert.ok(ids.includes(String(id)), `${id} of ${at - now()} ms ago`);
  }
});
