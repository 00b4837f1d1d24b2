import assert from 'node:assert/strict';
import { hourMs, minuteMs, systemClock } from '../../../src/base/time.ts';
import { practiceConventions } from '../../../src/host/profiles/practiceExchange.ts';
import { testHabits } from '../../support/habits.ts';
import { exchangesOfEachTest } from '../../support/hostileExchange.ts';
import { rowsOf, type HistoryName } from '../../support/hostileExchange/rows.ts';
import { SyncedLedger } from '../../support/syncedLedger.ts';

describe('ids that are not unique', () => {
  const exchange = exchangesOfEachTest();
  const dialect = { ...practiceConventions, maxPageSize: 20 };
  const rowCount = 60;
  let aheadMs = 0;
  const clock = {
    ...systemClock,
    now: () => systemClock.now() + aheadMs,
    steadyNow: () => systemClock.steadyNow() + aheadMs,
  };
  const json = (value: string): string => JSON.stringify(value);

  /** Rows of one value, and after their download as many newer ones of another with the same ids. */
  async function downloaded(
    history: HistoryName,
    field: string,
    [first, second]: readonly [string, string],
  ) {
    const rows = (value: string) => {
      const newestAt = clock.now() - minuteMs;
      return rowsOf(history, rowCount, { newestAt, fields: () => ({ [field]: json(value) }) });
    };
    const options = { now: clock.now, reading: { maxPageSize: 20 } };
    const server = await exchange({ rows: { [history]: rows(first) }, ...options });
    const world = new SyncedLedger(server, { clock, client: { dialect } });
    await world.downloadAll();
    aheadMs += hourMs;
    server.insert(history, rows(second));
    await world.downloadAll();
    return world;
  }

  testHabits('ids that are not unique', [
    {
      habit: 'the trades of a newly traded symbol have the ids of another',
      source: 'nautilus_trader#3450',
      sees: 'every trade, in a complete period',
      check: async () => {
        const { ledger } = await downloaded('trades', 'symbol', ['btc_usdt', 'eth_usdt']);
        assert.equal(ledger.records('trades').length, 2 * rowCount);
        const coverage = await ledger.coverage('trades');
        assert.deepEqual([...new Set(coverage.map((each) => each.completeness))], ['complete']);
      },
    },
    {
      habit: 'orders of two symbols have one id',
      source: 'a sibling of nautilus_trader#3450',
      sees: 'every order',
      check: async () => {
        const { ledger } = await downloaded('orders', 'symbol', ['btc_usdt', 'eth_usdt']);
        assert.equal(ledger.records('orders').length, 2 * rowCount);
      },
    },
    {
      habit: 'transactions of two assets have one id',
      source: 'a sibling of nautilus_trader#3450',
      sees: 'every transaction',
      check: async () => {
        const { ledger } = await downloaded('transactions', 'asset', ['usdt', 'btc']);
        assert.equal(ledger.records('futureTransactions').length, 2 * rowCount);
      },
    },
  ]);
});
