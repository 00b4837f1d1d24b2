import assert from 'node:assert/strict';
import { hourMs, minuteMs, systemClock } from '../../../src/base/time.ts';
import { practiceConventions } from '../../../src/host/profiles/practiceExchange.ts';
import { testHabits } from '../../support/habits.ts';
import { exchangesOfEachTest } from '../../support/hostileExchange.ts';
import { rowsOf } from '../../support/hostileExchange/rows.ts';
import { SyncedLedger } from '../../support/syncedLedger.ts';

describe('ids that are not unique', () => {
  const exchange = exchangesOfEachTest();
  const rowCount = 60;
  let aheadMs = 0;
  const clock = {
    ...systemClock,
    now: () => systemClock.now() + aheadMs,
    steadyNow: () => systemClock.steadyNow() + aheadMs,
  };
  const tradesOf = (symbol: string) =>
    rowsOf('trades', rowCount, {
      newestAt: clock.now() - minuteMs,
      fields: () => ({ symbol: JSON.stringify(symbol) }),
    });

  testHabits('ids that are not unique', [
    {
      habit: 'the trades of a newly traded symbol have the ids of another',
      source: 'nautilus_trader#3450',
      sees: 'every trade, in a complete period',
      check: async () => {
        const options = { now: clock.now, reading: { maxPageSize: 20 } };
        const server = await exchange({ rows: { trades: tradesOf('btc_usdt') }, ...options });
        const dialect = { ...practiceConventions, maxPageSize: 20 };
        const world = new SyncedLedger(server, { clock, client: { dialect } });
        await world.downloadAll();
        aheadMs += hourMs;
        server.insert('trades', tradesOf('eth_usdt'));
        await world.downloadAll();
        assert.equal(world.ledger.records('trades').length, 2 * rowCount);
        const coverage = await world.ledger.coverage('trades');
        assert.deepEqual([...new Set(coverage.map((each) => each.completeness))], ['complete']);
      },
    },
  ]);
});
