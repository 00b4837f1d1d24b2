import assert from 'node:assert/strict';
import path from 'node:path';
import type { Interval } from '../../../src/base/interval.ts';
import { dayMs, hourMs } from '../../../src/base/time.ts';
import { analysisOf, writeLedger } from '../../support/analysedLedger.ts';
import { aTrade, aTransaction } from '../../support/builders.ts';
import { testHabits } from '../../support/habits.ts';
import { folderOfEachTest } from '../../support/project.ts';

const start = Date.UTC(2026, 9, 1);
const period = { from: start, to: start + 10 * dayMs };
describe('trades and transactions that differ', () => {
  const folder = folderOfEachTest();

  /** Ten days with a trade that realises 100 at noon each, booked with these changes. */
  const shown = async (
    changes: Readonly<Record<number, number>>,
    complete: readonly Interval[] = [period],
  ) => {
    const days = Array.from({ length: 10 }, (_none, day) => day);
    const noon = (day: number): number => start + day * dayMs + 12 * hourMs;
    const reads = complete.map((each) => ({ ...each, asOf: period.to + dayMs }));
    const ledger = writeLedger(path.join(folder.path, `${crypto.randomUUID()}.sqlite`), {
      records: {
        trades: days.map((day) =>
          aTrade({ tradeId: String(day + 1), fee: '0', rpnl: '100', time: String(noon(day)) }),
        ),
        futureTransactions: days.map((day) =>
          aTransaction({
            transactionId: String(day + 1),
            type: 'REALIZED_PL',
            amount: String(100 - (changes[day] ?? 0)),
            time: String(noon(day) + 100),
          }),
        ),
      },
      complete: { trades: reads, futureTransactions: reads },
    });
    const [usdt] = (await analysisOf(ledger, 'numbers', { period, now: period.to })).assets;
    ledger.close();
    const { verdict, differences } = usdt?.agreement ?? assert.fail();
    const dayOf = (time: number): number => Math.floor((time - start) / dayMs);
    return [verdict, ...differences.map(({ amount, from }) => [amount, dayOf(from)])];
  };
  const inTwo = [
    { from: period.from, to: start + 4 * dayMs },
    { from: start + 5 * dayMs, to: period.to },
  ];

  testHabits('trades and transactions', [
    {
      habit: 'they differ by +50 and −50 in two spans',
      source: 'issue 27',
      sees: 'both, with their periods',
      check: async () => {
        const found = await shown({ 2: 50, 7: -50 }, inTwo);
        assert.deepEqual(found, ['differ', ['50', 2], ['-50', 7]]);
      },
    },
    {
      habit: 'they differ by +50 and −50 on two days of one span',
      source: 'a sibling of two spans',
      sees: 'both, with their days',
      check: async () => {
        const found = await shown({ 2: 50, 7: -50 });
        assert.deepEqual(found, ['differ', ['50', 2], ['-50', 7]]);
      },
    },
    {
      habit: 'they differ by amounts that cancel out in three spans',
      source: 'a sibling of two spans',
      sees: 'each, with its day',
      check: async () => {
        const found = await shown({ 0: 30, 3: 20, 9: -50 }, inTwo);
        assert.deepEqual(found, ['differ', ['30', 0], ['20', 3], ['-50', 9]]);
      },
    },
    {
      habit: 'they differ by +50 and −50 on neighbouring days',
      source: 'a sibling of two spans',
      sees: 'both, with their days',
      check: async () => {
        const found = await shown({ 2: 50, 3: -50 });
        assert.deepEqual(found, ['differ', ['50', 2], ['-50', 3]]);
      },
    },
    {
      habit: 'they differ where they are not both complete',
      source: 'a sibling of two spans',
      sees: 'that they agree elsewhere',
      check: async () => {
        assert.deepEqual(await shown({ 4: 50 }, inTwo), ['agree']);
        assert.deepEqual(await shown({}), ['agree']);
      },
    },
  ]);
});
