import assert from 'node:assert/strict';
import { clientKey } from '../../src/exchange/client.ts';
import type { Interval } from '../../src/base/interval.ts';
import { dayMs, minuteMs } from '../../src/base/time.ts';
import { identityOf } from '../../src/exchange/recordIdentity.ts';
import {
  completeTo,
  coverageParts,
  recordsChange,
} from '../../src/ledger/coverage/coverageParts.ts';
import { operations } from '../../src/api/operations.ts';
import { ledgerHistoryNames, operationOf, type LedgerHistory } from '../../src/ledger/ledger.ts';
import { countRows, type PlannedWalk } from '../../src/ledger/sync/downloadPlan.ts';
import { serveExchange, type ServedExchange } from '../../src/practice/http/practiceServer.ts';
import { SimulatedExchange } from '../../src/practice/simulatedExchange.ts';
import { practiceConventions } from '../../src/host/profiles/practiceExchange.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import { rowsOf } from '../support/hostileExchange/rows.ts';
import { SyncedLedger } from '../support/syncedLedger.ts';
import { FileLedger } from '../support/fileLedger.ts';
import { ledgerWrites } from '../support/ledgerUnderTest.ts';
import { practiceClock } from '../support/practiceTime.ts';

const seed = 1;
const pageSize = 500;

/** Ids of the rows that the practice exchange has in a period. */
function idsIn(exchange: SimulatedExchange, history: LedgerHistory, period: Interval): string[] {
  const filter = { dateFrom: period.from, dateTo: period.to - 1 };
  const pageOf = (page: number): { content: readonly object[] } => {
    if (history === 'futureTransactions' || history === 'spotTransactions') {
      const accountType = history === 'spotTransactions' ? 'SPOT' : 'FUTURE';
      return exchange.transactions({ ...filter, accountType }, page, pageSize);
    }
    return exchange[history](filter, page, pageSize);
  };
  const ids: string[] = [];
  for (let page = 0; ; page += 1) {
    const { content } = pageOf(page);
    ids.push(...content.map((row) => identityOf(asText(row))));
    if (content.length < pageSize) return ids.toSorted();
  }
}

/** Ids and times are text, as they come from the wire. */
function asText(row: object): object {
  const entries = Object.entries(row).map(([name, value]: [string, unknown]) => {
    return [
      name,
      typeof value === 'bigint' || typeof value === 'number' ? String(value) : value,
    ] as const;
  });
  return Object.fromEntries(entries);
}

describe('a ledger of the practice exchange', () => {
  const calls = new Map<string, number>();
  const onRequest = ({ path }: { path: string }): void =>
    void calls.set(path, (calls.get(path) ?? 0) + 1);
  const clock = practiceClock();
  /** The same exchange without a server. */
  const simulated = new SimulatedExchange({ seed, clock, weightLimit: 1000 });
  let exchange: ServedExchange;
  let world: SyncedLedger;

  before(async () => {
    exchange = await serveExchange({ seed, clock, weightLimit: 1_000_000_000 });
    world = new SyncedLedger(exchange, { clock, client: { onRequest } });
  });
  after(() => exchange.close());

  it('has each row of 90 days once, with few calls, and is complete', async () => {
    const plan = await world.plan({ histories: ledgerHistoryNames });
    const counts = new Map<PlannedWalk, number | undefined>();
    for (const walk of plan.walks)
      counts.set(walk, await countRows({ [clientKey]: world.client }, walk));
    const cost = world.cost(plan.walks, (walk) => counts.get(walk));
    calls.clear();
    assert.equal(await world.download.start(plan, new AbortController().signal), 'finished');
    const most = new Map<string, number>();
    for (const walk of plan.walks) {
      const expected = idsIn(simulated, walk.history, walk);
      const stored = world.ledger.records(walk.history).map(identityOf).toSorted();
      assert.deepEqual(stored, expected, walk.history);
      const rows = expected.length;
      assert.equal(counts.get(walk), rows);
      const fewest = Math.max(1, Math.ceil(rows / pageSize));
      const coverage = await world.ledger.coverage(walk.history);
      assert.equal(completeTo(coverageParts(walk.history, coverage, walk)), walk.to);
      const { path } = operations[operationOf(walk.history)];
      // Orders and lots that were made before the period are asked for, too, to their end.
      const before = recordsChange(walk.history) ? 2 : 0;
      most.set(path, (most.get(path) ?? 0) + Math.floor(1.1 * fewest + 3) + before);
    }
    for (const [path, bar] of most)
      assert.ok((calls.get(path) ?? 0) <= bar, `${path}: ${calls.get(path)} of ${bar}`);
    const pages = [...calls].filter(([path]) => path.endsWith('/history'));
    const reads = pages.reduce((sum, [, count]) => sum + count, 0);
    assert.ok(Math.abs(cost.pages - reads) <= 0.1 * reads, `${cost.pages} of ${reads}`);
  });
});

describe('the download of a ledger', () => {
  const exchange = exchangesOfEachTest();
  const histories = ['trades', 'orders', 'spotTransactions'] as const;

  const rowCount = 160;

  /** An exchange with so many rows of each history in 90 days, 50 a page. */
  async function busy() {
    const newestAt = Date.now() - 10 * minuteMs;
    const rows = Object.fromEntries(
      (['orders', 'trades', 'transactions'] as const).map((name) => [
        ...[name, rowsOf(name, rowCount, { newestAt, spacingMs: 48_500_007 })],
      ]),
    ) as object;
    return exchange({ rows, reading: { maxPageSize: 50 } });
  }

  const dialect = { ...practiceConventions, maxPageSize: 50 };
  const of = (server: { url: string }, ledger = new FileLedger()) =>
    new SyncedLedger(server, { ledger, client: { dialect } });
  const running = () => new AbortController().signal;

  async function assertHasAll(ledger: FileLedger): Promise<void> {
    for (const history of histories) {
      const ids = ledger.records(history).map(identityOf);
      assert.equal(ids.length, rowCount, history);
      assert.equal(new Set(ids).size, rowCount, history);
      const [coverage] = await ledger.coverage(history);
      assert.equal(coverage?.completeness, 'complete', history);
    }
    assert.deepEqual(await ledger.unfinishedWalks(), []);
  }

  it('is planned for what is not covered, with the least that it takes', async () => {
    const world = of(await busy());
    const plan = await world.plan();
    const daysOf = (walks: readonly PlannedWalk[]) =>
      walks.map(({ history, from, to }) => [history, Math.round((to - from) / dayMs)]);
    assert.deepEqual(daysOf(plan.walks), [
      ['trades', 90],
      ['orders', 90],
      ['futureTransactions', 90],
      ['spotTransactions', 90],
    ]);
    const { isCounted, pages, weight, durationMs } = world.cost(plan.walks);
    assert.deepEqual([isCounted, pages, weight], [false, 4, 40]);
    // 40 of the 445 that bulk requests may use of a minute.
    assert.equal(Math.round(durationMs), Math.round((40 / 445) * minuteMs));
    await world.download.start(plan, running());
    const again = await world.plan({ period: 'year', histories: ['trades', 'orders'] });
    const older = again.walks.filter(({ to }) => to <= (plan.walks[0]?.from ?? 0));
    assert.deepEqual(daysOf(older), [
      ['trades', 275],
      ['orders', 275],
    ]);
  });

  it('costs a page for each period that the exchange answers at once', async () => {
    const client = { dialect: { ...dialect, maxRangeDays: 30 } };
    const world = new SyncedLedger(await busy(), { client });
    const { walks } = await world.plan({ period: 'year', histories: ['trades'] });
    assert.equal(world.cost(walks).pages, 13);
    assert.equal(
      await countRows({ [clientKey]: world.client }, walks[0] ?? assert.fail()),
      undefined,
    );
  });

  it('loses and doubles no row when the ledger fails at any write, and then goes on', async () => {
    const server = await busy();
    for (let failing = 1; ; failing += 1) {
      const ledger = new FileLedger();
      const world = of(server, ledger);
      const plan = await world.plan({ histories });
      await world.download.start({ ...plan, walks: [] }, running());
      for (const walk of plan.walks)
        await ledger.beginWalk({ ...walk, asOf: plan.asOf, purpose: 'download' });
      let writes = 0;
      ledger.beforeCall = (name) => {
        if (!ledgerWrites.has(name)) return;
        if ((writes += 1) === failing) throw new Error('The disk is full.');
      };
      const run = world.download.run(running());
      if ((await run.catch(() => 'failed')) === 'finished') break;
      await assert.rejects(run, { message: 'The disk is full.' });
      assert.equal(await world.download.run(running()), 'finished');
      await assertHasAll(ledger);
    }
  });

  it('stays paused across restarts until it is resumed', async () => {
    const [server, ledger] = [await busy(), new FileLedger()];
    const first = of(server, ledger);
    let pausing: Promise<void> | undefined;
    first.onProgress = () => void (pausing ??= first.download.pause());
    assert.equal(await first.downloadAll({ histories }), 'paused');
    await pausing;
    const next = of(server, ledger);
    assert.equal(await next.download.run(running()), 'none');
    const left = await ledger.unfinishedWalks();
    assert.ok(left.length > 0 && left.every(({ isPaused }) => isPaused));
    assert.equal(await next.download.resume(running()), 'finished');
    await assertHasAll(ledger);
  });

  it('says how far it came, and what weight is left', async () => {
    const world = of(await busy());
    await world.downloadAll({ histories });
    assert.deepEqual([...new Set(world.progress.map(({ history }) => history))], [...histories]);
    const last = world.progress.at(-1) ?? assert.fail();
    assert.deepEqual(last, {
      history: 'spotTransactions',
      fraction: 1,
      rows: rowCount,
      weightLeft: 0,
    });
    for (const [index, { history, rows, weightLeft }] of world.progress.entries()) {
      const before = world.progress[index - 1];
      if (before?.history !== history) continue;
      assert.ok(rows >= before.rows);
      // The walks that are left take 10 each at least.
      assert.ok(weightLeft >= 10 * (histories.length - 1 - histories.indexOf(history as 'trades')));
    }
  });

  it('restarts a walk if the date format changed, and has each row once', async () => {
    const [server, ledger, stop] = [await busy(), new FileLedger(), new AbortController()];
    const first = of(server, ledger);
    first.onProgress = () => stop.abort();
    await assert.rejects(first.download.start(await first.plan({ histories }), stop.signal));
    assert.ok(ledger.records('trades').length > 0);
    const client = { dialect: { ...dialect, dates: 'isoInstant' } } as const;
    const next = new SyncedLedger(server, { ledger, client });
    assert.equal(await next.download.run(running()), 'finished');
    await assertHasAll(ledger);
  });

  it('is of unknown completeness when a figure of any page cannot be read', async () => {
    const newestAt = Date.now() - minuteMs;
    for (const bad of [7, 57, 117]) {
      const fields = (index: number) => (index === bad ? { amount: '"much"' } : {});
      const rows = { trades: rowsOf('trades', 120, { newestAt, fields }) };
      const world = of(await exchange({ rows, reading: { maxPageSize: 50 } }));
      await world.downloadAll({ histories: ['trades'] });
      const [coverage] = await world.ledger.coverage('trades');
      assert.deepEqual(
        [coverage?.completeness, coverage?.reason],
        ['unknown', 'unreadableRecords'],
      );
      assert.equal(world.ledger.records('trades').length, 120);
      assert.equal((await world.plan({ histories: ['trades'] })).walks.length, 1);
    }
  });
});
