import assert from 'node:assert/strict';
import { dayMs, hourMs, minuteMs, systemClock } from '../../src/base/time.ts';
import { practiceConventions } from '../../src/host/profiles/practiceExchange.ts';
import { listedMs } from '../../src/ledger/coverage/listedAge.ts';
import { OldestRows } from '../../src/ledger/sync/oldestRows.ts';
import { exchangesOfEachTest, type HostileExchange } from '../support/hostileExchange.ts';
import { minuteLimit } from '../support/hostileExchange/options.ts';
import type { Reading } from '../support/hostileExchange/reading.ts';
import { rowsOf } from '../support/hostileExchange/rows.ts';
import { SyncedLedger } from '../support/syncedLedger.ts';

const dialect = { ...practiceConventions, maxPageSize: 500 };

describe('the oldest row that an exchange lists', () => {
  const exchange = exchangesOfEachTest();
  let aheadMs = 0;
  const now = (): number => Date.now() + aheadMs;
  const clock = { ...systemClock, now, steadyNow: now };
  const { signal } = new AbortController();
  beforeEach(() => (aheadMs = 0));

  const oldestOf = (server: HostileExchange): number =>
    Math.min(...server.rows('trades').map(({ at }) => at));

  /** A ledger with the trades of a period, of an exchange with one in six hours. */
  async function downloaded(
    period: 'everything' | 'days90',
    days: number,
    { spacingMs = 6 * hourMs, ...others }: Partial<Reading> & { readonly spacingMs?: number } = {},
  ) {
    const trades = rowsOf('trades', (days * dayMs) / spacingMs, {
      newestAt: now() - 10 * minuteMs,
      spacingMs,
    });
    const rateLimits = minuteLimit(1_000_000_000);
    const server = await exchange({
      reading: { maxPageSize: 50, ...others },
      rows: { trades },
      now,
      rateLimits,
    });
    const world = new SyncedLedger(server, { clock, client: { dialect } });
    await world.downloadAll({ period, histories: ['trades'] });
    const { client, ledger: store } = world;
    /** As after a reload. */
    const looking = (wait = (): void => undefined) => {
      const take = (): Promise<void> => {
        wait();
        return Promise.resolve();
      };
      return new OldestRows({ client, store, budget: { take } });
    };
    return { server, world, looking, store };
  }

  it('is known from a download of everything, and shows that rows leave with time', async () => {
    const { server, looking, store } = await downloaded('everything', 92);
    assert.equal(await looking().look(signal), true);
    const [first] = await store.oldestRows('trades');
    assert.equal(first?.time, oldestOf(server));
    for (let day = 1; day <= 3; day += 1) {
      aheadMs += dayMs + minuteMs;
      server.remove('trades', ({ at }) => at < now() - 92 * dayMs);
      const before = server.weightOf('trades');
      const rows = store.records('trades').length;
      assert.equal(await looking().look(signal), true);
      assert.ok(server.weightOf('trades') - before <= 80, `${server.weightOf('trades') - before}`);
      assert.equal(await looking().look(signal), false, 'once a day');
      assert.equal(store.records('trades').length, rows);
    }
    const seen = await store.oldestRows('trades');
    assert.equal(seen.length, 4);
    assert.equal(Math.round((listedMs(seen) ?? 0) / dayMs), 92);
  });

  it('is found if rows leave while its read waits for weight', async () => {
    const listed = 2 * dayMs;
    const spacingMs = minuteMs;
    const { server, looking, store } = await downloaded('everything', 2, {
      ...{ spacingMs, maxPageSize: 500 },
    });
    const leave = (): void => server.remove('trades', ({ at }) => at < now() - listed);
    server.insert(
      'trades',
      rowsOf('trades', 3000, { newestAt: now() + 2 * dayMs, spacingMs, firstId: 10_000n }),
    );
    for (let day = 1; day <= 2; day += 1) {
      leave();
      let isFirst = true;
      const look = looking(() => {
        if (isFirst) aheadMs += hourMs;
        if (isFirst) leave();
        isFirst = false;
      });
      assert.equal(await look.look(signal), true, `day ${day}`);
      aheadMs += dayMs;
    }
    assert.equal((await store.oldestRows('trades')).length, 2);
  });

  it('stays if the account is younger than what the exchange lists', async () => {
    const { looking, store } = await downloaded('everything', 10);
    for (let day = 1; day <= 3; day += 1) {
      aheadMs += dayMs + minuteMs;
      assert.equal(await looking().look(signal), true);
    }
    const [only, ...others] = await store.oldestRows('trades');
    assert.deepEqual(others, []);
    assert.ok(only && only.lastSeenAt - only.firstSeenAt > 2 * dayMs);
    assert.equal(listedMs([only]), null);
  });

  it('is found before what was downloaded, without storing a row', async () => {
    const { server, looking, store } = await downloaded('days90', 92);
    const rows = store.records('trades').length;
    assert.ok(rows < server.rows('trades').length);
    assert.equal(await looking().look(signal), true);
    const [found] = await store.oldestRows('trades');
    assert.equal(found?.time, oldestOf(server));
    assert.equal(store.records('trades').length, rows);
  });

  it('is not looked for in a history that takes too many requests', async () => {
    const { server, looking, store } = await downloaded('days90', 900);
    const before = server.weightOf('trades');
    assert.equal(await looking().look(signal), false);
    assert.ok(server.weightOf('trades') - before <= 300);
    assert.deepEqual(await store.oldestRows('trades'), []);
  });

  it('is not noted if its read is not complete', async () => {
    const { looking, store } = await downloaded('days90', 92, { withholds: [1n] });
    assert.equal(await looking().look(signal), false);
    assert.deepEqual(await store.oldestRows('trades'), []);
  });
});
