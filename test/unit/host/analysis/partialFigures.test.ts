import assert from 'node:assert/strict';
import path from 'node:path';
import { SeededRandom } from '../../../../src/practice/market/seededRandom.ts';
import { dayMs, hourMs, minuteMs } from '../../../../src/base/time.ts';
import { firstChoices, type AnalysisChoices } from '../../../../src/host/analysis/choices.ts';
import { readAnalysis } from '../../../../src/host/analysis/readAnalysis.ts';
import type { Trade } from '../../../../src/exchange/records.ts';
import type { Interval } from '../../../../src/ledger/ledger.ts';
import { writeLedger } from '../../../support/analysedLedger.ts';
import { analysisParts, documentOf, readDocument } from '../../../support/analysisParts.ts';
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

  async function resultOf(
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
    } as unknown as Parameters<typeof readAnalysis>[0]['reader'];
    const { read } = await readAnalysis({ id: '', reader }, chosen, aDisplay(), now);
    ledger.close();
    const profile = aProfile();
    const document = documentOf({ kind: 'read', profile, id: 1, choices: chosen, read });
    return analysisParts(readDocument(document));
  }
  type Result = Awaited<ReturnType<typeof resultOf>>;
  const chartOf = ({ charts: [chart] }: Result) => chart ?? assert.fail('no chart');
  const cardOf = ({ numbers }: Result, label: string) =>
    numbers[0]?.cards.find((card) => card.label === label) ?? assert.fail('no card');
  const textsOf = ({ lines, notes }: ReturnType<typeof cardOf>) => [
    ...lines.map(({ text }) => text),
    ...notes,
  ];
  const since = (count: number): Reads => [{ from: day(count), to: synchronised }];

  it('need no mark if all of it is there, but for what was not read yet of the last hour', async () => {
    const result = await resultOf({ trades: whole, futureTransactions: whole });
    const { incomplete, summary, data } = chartOf(result);
    assert.deepEqual([incomplete, data?.gaps], [null, []]);
    assert.match(summary, /^Total −1,136\.25 usdt from 90 rows\./);
    assert.ok(result.numbers[0]?.cards.every((card) => !card.incomplete));
  });

  it('say how much of it there is where a headline was', async () => {
    const known = { trades: since(47), futureTransactions: since(47) };
    const result = await resultOf(known);
    const { incomplete, summary } = chartOf(result);
    assert.equal(incomplete, 'Incomplete: 42 of 90 days');
    assert.match(summary, /^What was read: \+3,235\.75 usdt from 43 rows\./);
    assert.match(result.coverage?.text ?? '', /^Incomplete: 42 of 90 days · 1 gap · complete /);
    for (const { label, incomplete: own } of result.numbers[0]?.cards.slice(0, -1) ?? [])
      assert.equal(own, 'Incomplete: 42 of 90 days', label);
  });

  it('are as complete as the least of their histories, and each part says its own', async () => {
    const result = await resultOf({ trades: since(30), futureTransactions: since(80) });
    const net = cardOf(result, 'Net P&L');
    assert.equal(net.incomplete, 'Incomplete: 9 of 90 days');
    assert.ok(net.notes.includes('Gross +1,878.75 · 59 of 90 days'));
    assert.ok(net.notes.includes('Funding −2.5'));
    assert.equal(cardOf(result, 'Win rate').incomplete, 'Incomplete: 59 of 90 days');
    const fees = chartOf(
      await resultOf({ trades: whole, futureTransactions: since(80) }, { view: 'fees' }),
    );
    assert.equal(fees.incomplete, 'Incomplete: 9 of 90 days');
  });

  it('are a dash if one of their histories was never read', async () => {
    const onlyTrades = await resultOf({ trades: whole });
    const net = textsOf(cardOf(onlyTrades, 'Net P&L'));
    assert.equal(net[0], '—');
    assert.ok(net.includes('Gross −1,136.25'));
    assert.ok(net.includes('Funding —'));
    assert.ok(net.includes('Liquidation fees —'));
    assert.equal(cardOf(onlyTrades, 'Closed orders').incomplete, undefined);
    const fees = chartOf(await resultOf({ trades: whole }, { view: 'fees' }));
    assert.equal(fees.summary, 'Total: —. What was read: 135 usdt from 90 rows.');
    const onlyTransactions = await resultOf({ futureTransactions: whole });
    assert.deepEqual(textsOf(cardOf(onlyTransactions, 'Closed orders')), ['—']);
    assert.ok(cardOf(onlyTransactions, 'Net P&L').notes.includes('Gross —'));
  });

  for (const lacking of ['fee', 'feeAsset', 'rpnl'] as const)
    it(`are marked where a row lacks ${lacking}, if they are made of it`, async () => {
      const known = { trades: whole, futureTransactions: whole };
      const text = 'Incomplete: 1 row lacks a value';
      const result = await resultOf(known, {}, { [lacking]: null });
      for (const label of ['Net P&L', 'Closed orders', 'Win rate', 'Fees in gross P&L'])
        assert.equal(cardOf(result, label).incomplete, text, label);
      const markOf = async (view: 'realizedPl' | 'fees' | 'funding') => {
        const { charts } = await resultOf(known, { view }, { [lacking]: null });
        return charts.map(({ incomplete }) => incomplete);
      };
      const [marked, unmarked] = [[text], [null]];
      assert.deepEqual(await markOf('realizedPl'), lacking === 'rpnl' ? marked : unmarked);
      assert.deepEqual(await markOf('fees'), lacking === 'rpnl' ? unmarked : marked);
      assert.deepEqual(await markOf('funding'), unmarked);
    });

  it('are none where nothing was read, which is not the same as no rows', async () => {
    const textOf = async (known: Known) =>
      (await resultOf(known, { view: 'funding' })).empty?.texts[0];
    assert.equal(await textOf({ trades: whole }), 'This period was not read yet.');
    const night: Reads = [{ from: day(5) + 2 * hourMs, to: day(6) }];
    assert.equal(
      await textOf({ futureTransactions: night }),
      'No rows in what was read of this period.',
    );
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
    const { data, incomplete } = chartOf(await resultOf({ trades: [{ from: 0, to: day(80) }] }));
    assert.deepEqual(data?.gaps, [{ from: day(80), to: now }]);
    assert.equal(incomplete, 'Incomplete: 80 of 90 days');
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

  it('have no length of everything, whose start is unknown', async () => {
    const all = { period: '' };
    const known = { trades: since(47), futureTransactions: since(47) };
    assert.equal(
      chartOf(await resultOf(known, all)).incomplete,
      'Incomplete: 42 days, earlier unknown',
    );
    const holed: Reads = [
      { from: 0, to: day(10) },
      { from: day(12), to: synchronised },
    ];
    assert.equal(
      chartOf(await resultOf({ trades: holed }, all)).incomplete,
      'Incomplete: 87 of 90 days',
    );
  });

  it('are hours of a day', async () => {
    const read: Reads = [{ from: today, to: today + 90 * minuteMs }];
    const { incomplete } = chartOf(await resultOf({ trades: read }, { period: '1' }));
    assert.equal(incomplete, 'Incomplete: 1 of 10 hours');
  });

  it('say in the rows of a table which of them are of a part', async () => {
    const known = { trades: [{ from: day(47), to: day(60) + 6 * hourMs }] };
    const { grid } = await resultOf(known, { shownAs: 'table' });
    assert.equal(grid?.rows.columns.at(-1)?.label, 'Complete');
    assert.deepEqual(
      grid.rows.rows.slice(0, 2).map((cells) => cells.at(-1)),
      ['6 of 24 hours', 'yes'],
    );
    const all = await resultOf({ trades: whole }, { shownAs: 'table' });
    assert.ok(all.grid?.rows.columns.every(({ label }) => label !== 'Complete'));
  });

  it('are marked in the fee audit, too', async () => {
    const result = await resultOf({ trades: since(47) }, { view: 'feeAudit' });
    assert.equal(result.tables[0]?.title, 'Trades by fee · Incomplete: 42 of 90 days');
    assert.ok(result.notes.includes('Incomplete: 42 of 90 days'));
  });

  it('are those of the whole wherever they are not marked, at random coverages', async () => {
    const views = ['realizedPl', 'fees', 'funding', 'cashFlow'] as const;
    const wholes = new Map<string, Result>();
    for (const view of views)
      wholes.set(view, await resultOf({ trades: whole, futureTransactions: whole }, { view }));
    for (let seed = 1; seed <= 20; seed += 1) {
      const view = views[seed % views.length] ?? 'fees';
      const expected = wholes.get(view) ?? assert.fail('no view');
      const random = new SeededRandom(`coverage ${seed}`);
      const known = { trades: randomReads(random), futureTransactions: randomReads(random) };
      const unmarked = unmarkedTexts(await resultOf(known, { view }));
      const all = new Set(unmarkedTexts(expected));
      for (const text of unmarked) assert.ok(all.has(text), `${seed}: ${text}`);
    }
  });

  /** Every figure that a reader may take for that of the whole period, with its name. */
  function unmarkedTexts({ charts, numbers }: Result): string[] {
    const cards = numbers.slice(0, -1).flatMap((section) => section.cards);
    const unmarked = cards.filter(({ incomplete = null }) => incomplete === null);
    return [
      ...charts.flatMap(({ incomplete, summary }) => (incomplete === null ? [summary] : [])),
      ...unmarked
        .filter(({ label }) => label !== 'Trades and transactions')
        .flatMap((card) => textsOf(card).map((text) => `${card.label} ${text}`)),
    ];
  }

  function randomReads(random: SeededRandom): Reads {
    const kind = random.integer(0, 4);
    if (kind === 0) return [];
    if (kind === 1) return whole;
    const ends = Array.from({ length: kind * 2 - 2 }, () => random.integer(day(0), synchronised));
    const sorted = ends.toSorted((one, other) => one - other);
    return sorted.flatMap((from, index) =>
      index % 2 === 0 ? [{ from, to: sorted[index + 1] ?? synchronised }] : [],
    );
  }
});
