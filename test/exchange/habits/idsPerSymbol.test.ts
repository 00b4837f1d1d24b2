import assert from 'node:assert/strict';
import { minuteMs } from '../../../src/base/time.ts';
import type { Trade, Transaction } from '../../../src/exchange/records.ts';
import { practiceConventions } from '../../../src/host/profiles/practiceExchange.ts';
import { testHabits } from '../../support/habits.ts';
import { exchangesOfEachTest } from '../../support/hostileExchange.ts';
import { rowsOf, type HistoryName } from '../../support/hostileExchange/rows.ts';
import { SyncedLedger } from '../../support/syncedLedger.ts';

describe('ids that are not unique', () => {
  const exchange = exchangesOfEachTest();
  const dialect = { ...practiceConventions, maxPageSize: 20 };
  const rowCount = 120;
  const newestAt = Date.now() - 10 * minuteMs;
  const json = (value: string): string => JSON.stringify(value);

  /** Rows of several at each time, whose ids count within each of these. */
  async function downloaded(
    history: HistoryName,
    idField: string,
    [field, values]: readonly [string, readonly string[]],
  ) {
    const fields = (index: number) => ({
      [field]: json(values[index % values.length] ?? ''),
      [idField]: String(1000 - Math.floor(index / values.length)),
    });
    const shape = { newestAt, spacingMs: 61_007, tied: values.length };
    const rows = rowsOf(history, rowCount, { ...shape, fields });
    const server = await exchange({ rows: { [history]: rows }, reading: { maxPageSize: 20 } });
    const world = new SyncedLedger(server, { client: { dialect } });
    await world.downloadAll();
    return world;
  }

  testHabits('ids that are not unique', [
    {
      habit: 'trades of three symbols at each moment have one id',
      source: 'nautilus_trader#3450',
      sees: 'every trade, in a complete period',
      check: async () => {
        const symbols = ['btc_usdt', 'eth_usdt', 'sol_usdt'];
        const { ledger } = await downloaded('trades', 'tradeId', ['symbol', symbols]);
        const trades = ledger.records('trades') as readonly Trade[];
        assert.equal(trades.length, rowCount);
        const ofSymbol = trades.filter(({ symbol }) => symbol === 'eth_usdt');
        assert.equal(ofSymbol.length, rowCount / 3);
        const coverage = await ledger.coverage('trades');
        assert.deepEqual([...new Set(coverage.map((each) => each.completeness))], ['complete']);
      },
    },
    {
      habit: 'orders of two symbols have one id',
      source: 'a sibling of nautilus_trader#3450',
      sees: 'every order',
      check: async () => {
        const symbols = ['btc_usdt', 'eth_usdt'];
        const { ledger } = await downloaded('orders', 'orderId', ['symbol', symbols]);
        assert.equal(ledger.records('orders').length, rowCount);
      },
    },
    {
      habit: 'a fee and a funding fee of each moment have one id',
      source: 'a sibling of nautilus_trader#3450',
      sees: 'both transactions',
      check: async () => {
        const types = ['FEE', 'FUNDING_FEE'];
        const { ledger } = await downloaded('transactions', 'transactionId', ['type', types]);
        const transactions = ledger.records('futureTransactions') as readonly Transaction[];
        assert.equal(transactions.length, rowCount);
      },
    },
  ]);
});
