import assert from 'node:assert/strict';
import path from 'node:path';
import type { Interval } from '../../../../src/base/interval.ts';
import { dayMs, hourMs, minuteMs } from '../../../../src/base/time.ts';
import {
  firstChoices,
  type AnalysisChoices,
  AnalysisReads,
} from '../../../../src/host/analysis/choices.ts';
import type { Trade } from '../../../../src/exchange/records.ts';
import { writeLedger } from '../../../support/analysedLedger.ts';
import { analysisParts, documentOf, readDocument } from '../../../support/analysisParts.ts';
import { assertApproved } from '../../../support/approved.ts';
import { aProfile, aTrade, aTransaction } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';
import { folderOfEachTest } from '../../../support/project.ts';

/** 2026-11-20T10:00:00Z */
const now = 1_795_168_800_000;
const today = Date.UTC(2026, 10, 20);
/** The start of a day of the 90 days up to today, from 0 on. */
const day = (count: number): number => today + (count - 89) * dayMs;
const synchronised = now - 20 * minuteMs;
const whole: Reads = [{ from: 0, to: synchronised }];

type Reads = readonly Interval[];
type Known = { readonly trades?: Reads; readonly futureTransactions?: Reads };

const days = Array.from({ length: 90 }, (_none, index) => index);
const trades = days.map((index) =>
  aTrade({
    tradeId: String(index),
    orderId: String(index),
    symbol: 'btc_usdt',
    time: String(day(index) + hourMs),
    rpnl: index < 45 ? '-100.5' : '75.25',
    fee: '1.5',
    feeAsset: 'usdt',
  }),
);
const futureTransactions = days.map((index) =>
  aTransaction({
    transactionId: String(index),
    type: index % 30 === 0 ? 'DEPOSIT' : 'FUNDING_FEE',
    asset: 'usdt',
    amount: index % 30 === 0 ? '1000' : '-0.25',
    time: String(day(index) + hourMs),
  }),
);

const isIn =
  (reads: Reads) =>
  ({ time }: { readonly time: string }): boolean =>
    reads.some(({ from, to }) => Number(time) >= from && Number(time) < to);

describe('the figures of a part of the period', () => {
  const folder = folderOfEachTest();

  async function documentFor(
    known: Known,
    choices: Partial<AnalysisChoices> = {},
    changed: Partial<Trade> = {},
  ) {
    const ledger = writeLedger(path.join(folder.path, `${crypto.randomUUID()}.sqlite`), {
      records: {
        trades: trades
          .filter(isIn(known.trades ?? []))
          .map((trade) => (trade.tradeId === '7' ? { ...trade, ...changed } : trade)),
        futureTransactions: futureTransactions.filter(isIn(known.futureTransactions ?? [])),
      },
      complete: { trades: [], futureTransactions: [], ...known },
    });
    const chosen: AnalysisChoices = { ...firstChoices, period: '90', ...choices };
    const reader = {
      analyse: (request: Parameters<typeof ledger.analyse>[0]) =>
        Promise.resolve(ledger.analyse(request)),
      versions: () => Promise.resolve(ledger.versions()),
    } as unknown as Parameters<AnalysisReads['read']>[0]['reader'];
    const read = await new AnalysisReads().read({ id: '', reader }, chosen, aDisplay(), now);
    ledger.close();
    const profile = aProfile();
    const document = documentOf({ kind: 'read', profile, id: 1, choices: chosen, read });
    return readDocument(document);
  }
  const resultOf = async (...args: Parameters<typeof documentFor>) =>
    analysisParts(await documentFor(...args));
  type Result = Awaited<ReturnType<typeof resultOf>>;
  const chartOf = ({ charts: [chart] }: Result) => chart ?? assert.fail('no chart');
  /** By month: the page of ninety days is as long as one of three. */
  const approve = async (name: string, known: Known, choices: Partial<AnalysisChoices> = {}) => {
    const document = await documentFor(known, { groupBy: 'month', ...choices });
    assertApproved(`analysis/${name}`, document);
  };
  const cardOf = ({ numbers }: Result, label: string) =>
    numbers[0]?.cards.find((card) => card.label === label) ?? assert.fail('no card');
  const since = (count: number): Reads => [{ from: day(count), to: synchronised }];

  it('need no mark if all of it is there, but for what was not read yet of the last hour', async () => {
    await approve('whole', { trades: whole, futureTransactions: whole });
  });

  it('are as complete as the least of their histories, and each part says its own', async () => {
    const known = { trades: since(30), futureTransactions: since(80) };
    await approve('partOfPeriod', known);
    await approve('partOfFees', known, { view: 'fees' });
    await approve('partOfCash', { futureTransactions: since(80) }, { view: 'cash' });
    await approve('partOfFeeAudit', known, { view: 'feeAudit' });
  });

  it('are a dash if one of their histories was never read', async () => {
    await approve('unreadTransactions', { trades: whole });
    await approve('unreadTransactionsOfFees', { trades: whole }, { view: 'fees' });
    await approve('unreadTrades', { futureTransactions: whole });
  });

  for (const lacking of ['fee', 'feeAsset', 'rpnl'] as const)
    it(`are marked where a row lacks ${lacking}, if they are made of it`, async () => {
      const known = { trades: whole, futureTransactions: whole };
      const result = await resultOf(known, {}, { [lacking]: null });
      for (const label of ['Net P&L', 'Closed orders', 'Win rate', 'Fees in gross P&L'])
        assert.ok(cardOf(result, label).incomplete, label);
      const markOf = async (view: 'realizedPl' | 'fees' | 'funding') => {
        const { charts } = await resultOf(known, { view }, { [lacking]: null });
        return charts.map(({ incomplete }) => incomplete !== null);
      };
      const [marked, unmarked] = [[true], [false]];
      assert.deepEqual(await markOf('realizedPl'), lacking === 'rpnl' ? marked : unmarked);
      assert.deepEqual(await markOf('fees'), lacking === 'rpnl' ? unmarked : marked);
      assert.deepEqual(await markOf('funding'), unmarked);
    });

  it('say how many rows lack a value', async () => {
    const known = { trades: whole, futureTransactions: whole };
    const document = await documentFor(known, { groupBy: 'month' }, { rpnl: null });
    assertApproved('analysis/lackingRow', document);
  });

  it('are none where nothing was read, which is not the same as no rows', async () => {
    await approve('unreadFunding', { trades: whole }, { view: 'funding' });
    const night: Reads = [{ from: day(5) + 2 * hourMs, to: day(6) }];
    await approve('noFundingInPart', { futureTransactions: night }, { view: 'funding' });
  });

  it('are hatched where they may be missing', async () => {
    const holed: Reads = [
      { from: 0, to: day(10) },
      { from: day(20), to: synchronised },
    ];
    const { data } = chartOf(await resultOf({ trades: holed }));
    assert.deepEqual(data?.gaps, [{ from: day(10), to: day(20) }]);
    const fees = chartOf(
      await resultOf({ trades: holed, futureTransactions: since(15) }, { view: 'fees' }),
    );
    assert.deepEqual(fees.data?.gaps, [{ from: day(0), to: day(20) }]);
  });

  it('are hatched up to now, and not beyond', async () => {
    const { data } = chartOf(await resultOf({ trades: [{ from: 0, to: day(80) }] }));
    assert.deepEqual(data?.gaps, [{ from: day(80), to: now }]);
  });

  it('draw no line of cash over days that were not read', async () => {
    const holed: Reads = [
      { from: 0, to: day(10) },
      { from: day(12), to: synchronised },
    ];
    const { data } = chartOf(await resultOf({ futureTransactions: holed }, { view: 'cash' }));
    assert.deepEqual(
      data?.series[0]?.values.slice(9, 13).map((value) => value === null),
      [false, true, true, false],
    );
  });

  it('have no length of everything, unless its start is known', async () => {
    const all = { period: '' };
    await approve('partOfAll', { trades: since(47), futureTransactions: since(47) }, all);
    const holed: Reads = [
      { from: 0, to: day(10) },
      { from: day(12), to: synchronised },
    ];
    await approve('holedAll', { trades: holed }, all);
  });

  it('are hours of a day', async () => {
    const read: Reads = [{ from: today, to: today + 90 * minuteMs }];
    await approve('partOfToday', { trades: read }, { period: '1', groupBy: 'day' });
  });

  it('say in the rows of a table which of them are of a part', async () => {
    const known = { trades: [{ from: day(47), to: day(60) + 6 * hourMs }] };
    await approve('partOfTable', known, { shownAs: 'table', groupBy: 'day' });
  });
});
