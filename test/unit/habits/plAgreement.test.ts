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
    complete: readonly Interval[],
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

  const cases: readonly [
    habit: string,
    changes: Readonly<Record<number, number>>,
    complete: readonly Interval[],
    found: readonly unknown[],
  ][] = [
    ['in two spans', { 2: 50, 7: -50 }, inTwo, ['differ', ['50', 2], ['-50', 7]]],
    ['on two days of one span', { 2: 50, 7: -50 }, [period], ['differ', ['50', 2], ['-50', 7]]],
    ['on neighbouring days', { 2: 50, 3: -50 }, [period], ['differ', ['50', 2], ['-50', 3]]],
    [
      'by amounts that cancel out in three spans',
      { 0: 30, 3: 20, 9: -50 },
      inTwo,
      ['differ', ['30', 0], ['20', 3], ['-50', 9]],
    ],
    ['where they are not both complete', { 4: 50 }, inTwo, ['agree']],
    ['nowhere', {}, [period], ['agree']],
  ];

  testHabits(
    'trades and transactions',
    cases.map(([where, changes, complete, found]) => ({
      habit: `they differ ${where}`,
      source: 'issue 27, or a sibling of two spans',
      sees: 'each difference with its day, or that they agree elsewhere',
      check: async () => assert.deepEqual(await shown(changes, complete), found),
    })),
  );
});
