import assert from 'node:assert/strict';
import { dayMs, minuteMs } from '../../../../src/base/time.ts';
import { firstChoices, type AnalysisChoices } from '../../../../src/host/analysis/choices.ts';
import { shownRows, type AnalysisState } from '../../../../src/host/analysis/document.ts';
import type { ReadAnalysis } from '../../../../src/host/analysis/readAnalysis.ts';
import type { StoredRows } from '../../../../src/host/reconciliation/storedRows.ts';
import type {
  AnalysisCoverage,
  HistoryCoverage,
  AnalysisGap,
  AnalysisOf,
  AnalysisSeries,
  AssetNumbers,
  CashCurve,
  FeeDeviation,
  Statistic,
} from '../../../../src/ledger/analysis/analysis.ts';
import { LedgerError } from '../../../../src/ledger/ledgerError.ts';
import type { Action, LiveDocument } from '../../../../src/host/webview/documentPanel.ts';
import type { Document } from '../../../../src/protocol/document.ts';
import { coverageWithGaps, unreadGap } from '../../../support/analysisCoverage.ts';
import { analysisParts, documentOf, readDocument } from '../../../support/analysisParts.ts';
import { assertApproved } from '../../../support/approved.ts';
import { aProfile, aTrade } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';

const start = Date.UTC(2026, 10, 1);
const buckets = [0, 1, 2].map((day) => ({
  from: start + day * dayMs,
  to: start + (day + 1) * dayMs,
}));
const period = { from: start, to: start + 3 * dayMs };
const covered = coverageWithGaps(period, ['trades'], []);
const withGaps = (...gaps: readonly AnalysisGap[]): AnalysisCoverage =>
  coverageWithGaps(period, ['trades'], gaps);

function aSeries(fields: Partial<AnalysisSeries> = {}): AnalysisSeries {
  return {
    kind: 'realizedPl',
    assetBasis: 'known',
    asset: 'usdt',
    key: null,
    total: '3.5',
    rows: 3,
    values: ['5', null, '-1.5'],
    counts: [2, 0, 1],
    selection: { history: 'trades', filters: { symbol: ['btc_usdt'] }, isExact: true },
    ...fields,
  };
}

const noEquity: AnalysisOf<'equity'> = {
  view: 'equity',
  period,
  coverage: covered,
  groupBy: 'day',
  buckets,
  unit: null,
  samples: 0,
  times: [],
  values: [],
  gaps: [],
  groups: [null, null, null],
  drawdown: { problem: 'noSamples' },
};

function sums(
  view: 'realizedPl' | 'fees' | 'funding',
  series: readonly AnalysisSeries[],
  coverage = covered,
): ReadAnalysis['analysis'] {
  return { view, period, coverage, groupBy: 'day', buckets, series };
}

function read(fields: Partial<ReadAnalysis> = {}): ReadAnalysis {
  return {
    analysis: sums('realizedPl', [aSeries()]),
    numbers: { view: 'numbers', period, coverage: covered, assets: [] },
    equity: noEquity,
    ...fields,
  };
}

const stateOf = (of: ReadAnalysis, choices: Partial<AnalysisChoices>) => {
  const chosen = { ...firstChoices, ...choices };
  return { kind: 'read', profile: aProfile(), id: 7, choices: chosen, read: of } as const;
};

/** As the page reads it. */
const parts = (
  of: ReadAnalysis,
  choices: Partial<AnalysisChoices> = {},
  hidesMoney = false,
): Document =>
  readDocument(documentOf(stateOf(of, choices), { display: aDisplay({ hidesMoney }) }));

const resultOf = analysisParts;

/** The document, and what its buttons open. */
function opened(of: ReadAnalysis, choices: Partial<AnalysisChoices> = {}) {
  const shown: StoredRows[] = [];
  const showStored = (rows: StoredRows): unknown => shown.push(rows);
  const document = documentOf(stateOf(of, choices), { showStored });
  const open = (chart: number, at: readonly number[]): StoredRows | undefined => {
    shown.length = 0;
    const button = chartsOf(document)[chart]?.open as Action | null | undefined;
    button?.run(at);
    return shown[0];
  };
  return { document, open };
}

const chartsOf = ({ sections: [view] }: LiveDocument) =>
  (view?.blocks ?? []).filter((block) => block.kind === 'chart');

const statistic = (value: string | null, sample = 40): Statistic => ({
  value,
  sample,
});
const numbersOfUsdt: AssetNumbers = {
  asset: 'usdt',
  assetBasis: 'known',
  closedOrders: 40,
  wins: 25,
  losses: 15,
  winRate: statistic('0.625'),
  averageWin: statistic('2.34567', 25),
  averageLoss: statistic('-1', 15),
  profitFactor: statistic(null),
  largestWin: { symbol: 'btc_usdt', amount: '9' },
  largestLoss: null,
  grossPl: '10',
  feesPaid: '3',
  feeRebates: '-1',
  feesAsSent: '2',
  liquidationFees: '0',
  funding: '-0.5',
  netPl: '7.5',
  otherFeeAssets: ['bnb'],
  feeShare: statistic('0.2'),
  makerShare: statistic('0.1', 3),
  agreement: {
    verdict: 'differ',
    compared: [period],
    trades: '10',
    transactions: '9',
    differences: [{ ...period, amount: '1' }],
  },
};

function numbersWith(
  coverage: AnalysisCoverage,
  assets: readonly string[] = ['usdt'],
): AnalysisOf<'numbers'> {
  return {
    view: 'numbers',
    period,
    coverage,
    assets: assets.map((asset) => ({ ...numbersOfUsdt, asset })),
  };
}

describe('the charts of an analysis', () => {
  it('are one for each asset, with exact figures, what they came to, and the numbers below', () => {
    const series = [aSeries(), aSeries({ asset: 'btc', values: ['0', null, null], total: '0' })];
    const of = read({ analysis: sums('realizedPl', series), numbers: numbersWith(covered) });
    assertApproved('analysis/realizedPl', parts(of));
  });

  it('name each part of a split, and add up what is more than six', () => {
    const many = Array.from({ length: 9 }, (_each, index) =>
      aSeries({
        key: `s${index}_usdt`,
        total: String(index),
        rows: 1,
        values: [`0.${index}`, null, null],
        counts: [1, 0, 0],
      }),
    );
    const [chart] = resultOf(
      parts(read({ analysis: sums('realizedPl', many) }), { splitBy: 'symbol' }),
    ).charts;
    assert.deepEqual(
      chart?.data?.series.map(({ label, values }) => [label, values[0]]),
      [...[4, 5, 6, 7, 8].map((index) => [`s${index}_usdt`, `0.${index}`]), ['Others', '0.6']],
    );
    assert.match(chart.summary, /^Total \+36 usdt from 9 rows\./);
  });

  it('say the highest and the lowest value of all parts together', () => {
    const split = [
      aSeries({ key: 'btc_usdt', values: ['5', null, '-1.5'] }),
      aSeries({ key: 'eth_usdt', values: ['-2', '4', '-1'] }),
    ];
    const [chart] = resultOf(
      parts(read({ analysis: sums('realizedPl', split) }), { splitBy: 'symbol' }),
    ).charts;
    assert.match(chart?.summary ?? '', / Highest \+4, lowest −2\.5\.$/);
  });

  it('open the rows of a liquidation fee beside more than six symbols', () => {
    const filters = { type: ['LIQUIDATION_FEE'] };
    const selection = { history: 'futureTransactions', filters, isExact: true } as const;
    const series = [
      aSeries({ kind: 'liquidationFee', key: null, total: '-0.1', selection }),
      ...Array.from({ length: 6 }, (_none, index) =>
        aSeries({ kind: 'feePaid', key: `s${index}_usdt`, total: String(index + 1) }),
      ),
    ];
    const choices = { view: 'fees', splitBy: 'symbol' } as const;
    const { document, open } = opened(read({ analysis: sums('fees', series) }), choices);
    const labels = chartsOf(document)[0]?.data?.series.map(({ label }) => label) ?? [];
    assert.deepEqual([labels.length, labels[0], labels.at(-1)], [6, 'Liquidation fees', 'Others']);
    const tableOf = (index: number) => open(0, [0, index])?.table;
    assert.deepEqual([tableOf(0), tableOf(5)], ['transactions', 'trades']);
  });

  it('count a liquidation fee as what was paid', () => {
    const fee = { history: 'futureTransactions', filters: {}, isExact: true } as const;
    const series = [
      aSeries({ kind: 'feePaid', total: '2', values: ['2', null, null] }),
      aSeries({ kind: 'liquidationFee', total: '-3', values: ['-3', null, null], selection: fee }),
    ];
    const [chart] = resultOf(
      parts(read({ analysis: sums('fees', series) }), { view: 'fees' }),
    ).charts;
    assert.deepEqual(
      chart?.data?.series.map(({ label, values }) => [label, values[0]]),
      [
        ['Paid', '2'],
        ['Liquidation fees', '3'],
      ],
    );
    assert.match(chart.summary, /^Total 5 usdt/);
  });

  it('name fees as sent, and assets that are assumed or unknown', () => {
    const sent = aSeries({ kind: 'feeAsSent' });
    const { charts, notes } = resultOf(
      parts(read({ analysis: sums('fees', [sent]) }), { view: 'fees' }),
    );
    assert.deepEqual(notes, ['Fees are shown as sent: the sign of fees is not known yet.']);
    assert.equal(charts[0]?.data?.series[0]?.label, 'As sent');
    const series = [
      aSeries({ assetBasis: 'assumed' }),
      aSeries({ asset: 'btc_usd', assetBasis: 'unknown' }),
    ];
    const of = parts(read({ analysis: sums('realizedPl', series) }));
    assert.deepEqual(
      resultOf(of).charts.map(({ title, unit }) => [title, unit]),
      [
        ['usdt (assumed)', 'usdt'],
        ['btc_usd, unknown asset', ''],
      ],
    );
  });

  it('call funding of an unknown symbol that of several', () => {
    const series = [
      aSeries({ kind: 'funding', key: 'btc_usdt' }),
      aSeries({ kind: 'funding', key: null }),
    ];
    const choices = { view: 'funding', splitBy: 'symbol' } as const;
    const [chart] = resultOf(parts(read({ analysis: sums('funding', series) }), choices)).charts;
    assert.deepEqual(
      chart?.data?.series.map(({ label }) => label),
      ['btc_usdt', 'Several symbols'],
    );
  });

  it('show the gaps between samples of equity as gaps', () => {
    const equity: AnalysisOf<'equity'> = {
      ...noEquity,
      period: { from: start, to: start + 2000 },
      samples: 3,
      unit: 'usdt',
      values: ['100', '110', '90'],
      times: [start, start + 1000, start + 9000],
      gaps: [{ from: start + 1000, to: start + 9000 }],
    };
    const [chart] = resultOf(parts(read({ analysis: equity, equity }), { view: 'equity' })).charts;
    assert.deepEqual(
      chart?.data?.from,
      [0, 1000, 5000, 9000].map((ms) => start + ms),
    );
    assert.deepEqual(chart.data.series[0]?.values, ['100', '110', null, '90']);
    assert.equal(chart.summary, 'From 100 to 90. Highest 110, lowest 90.');
  });

  it('draw nothing of rows of 0, and nothing at all in privacy mode', () => {
    const flat = aSeries({ values: ['0', null, '0.00'], total: '0', rows: 2 });
    const [chart] = resultOf(parts(read({ analysis: sums('realizedPl', [flat]) }))).charts;
    assert.deepEqual(
      [chart?.data, chart?.summary],
      [null, 'Total 0 usdt from 2 rows. Highest 0, lowest 0.'],
    );
    const hidden = resultOf(parts(read(), {}, true));
    assert.equal(hidden.charts[0]?.data, null);
    assert.doesNotMatch(JSON.stringify(hidden), /3\.5|1\.5/);
    assert.match(hidden.empty?.texts[0] ?? '', /^Amounts are hidden/);
  });
});

describe('the cash of an analysis', () => {
  const curve: CashCurve = {
    ...{ asset: 'usdt', basis: 'deposited', opening: '100', values: ['100', '90', '90'] },
    ...{ counts: [0, 1, 0], selection: aSeries().selection },
  };
  const still = (asset: string, opening: string): CashCurve => {
    const values = [opening, opening, opening];
    return { ...curve, asset, basis: 'balance', opening, values, counts: [0, 0, 0] };
  };

  it('says what it begins with, and has the assets without movement in one line', () => {
    const moved = [curve, { ...curve, asset: 'btc', basis: 'change' } as const];
    const curves = [still('bnb', '3'), ...moved, still('eth', '0'), still('sol', '0.5')];
    const analysis = { view: 'cash', period, coverage: covered, groupBy: 'day', buckets } as const;
    assertApproved(
      'analysis/cash',
      parts(read({ analysis: { ...analysis, curves } }), { view: 'cash' }),
    );
  });
});

describe('the rows of an analysis', () => {
  it('have every figure, newest first, and what privacy hides only on the host', () => {
    const state = stateOf(read(), { shownAs: 'table' });
    const shown = parts(read(), { shownAs: 'table' });
    assert.deepEqual(resultOf(shown).grid?.rows.rows, [
      [String(start / 1000 + 2 * 86_400), '-1.5', 'usdt', '1'],
      [String(start / 1000), '5', 'usdt', '2'],
    ]);
    assert.deepEqual(resultOf(shown).charts, []);
    const hidden = parts(read(), { shownAs: 'table' }, true);
    assert.deepEqual(resultOf(hidden).grid?.rows.rows[0]?.[1], '•••');
    assert.deepEqual(shownRows(state, aDisplay({ hidesMoney: true }))?.rows[0]?.[1], '-1.5');
  });

  it('open from a point: those of a series, or of all', () => {
    const symbols = ['btc_usdt', 'eth_usdt'].map((symbol) =>
      aSeries({
        key: symbol,
        selection: {
          history: 'trades',
          filters: { symbol: [symbol], type: ['LIMIT'] },
          isExact: true,
        },
      }),
    );
    const of = read({ analysis: sums('realizedPl', symbols) });
    const { open } = opened(of, { splitBy: 'symbol' });
    const period = { dateFrom: '2026-11-03T00:00:00.000Z', dateTo: '2026-11-03T23:59:59.000Z' };
    assert.deepEqual(open(0, [2, 1]), {
      table: 'trades',
      startAt: undefined,
      filters: { symbol: 'eth_usdt', ...period },
    });
    assert.deepEqual(open(0, [2])?.filters, period);
    for (const none of [[], [1], [9], [2, 5]]) assert.equal(open(0, none), undefined);
  });

  it('say that a panel shows others too, if it cannot filter them', () => {
    const isWider = (filters: Record<string, readonly string[]>, isExact = true): boolean =>
      resultOf(
        parts(
          read({
            analysis: sums('realizedPl', [
              aSeries({ selection: { history: 'trades', filters, isExact } }),
            ]),
          }),
        ),
      ).charts[0]?.data?.series[0]?.isWider ?? assert.fail('no series');
    assert.equal(isWider({ symbol: ['btc_usdt'], side: ['BUY'] }), false);
    assert.equal(isWider({ symbol: ['btc_usdt', 'eth_usdt'] }), true);
    assert.equal(isWider({ feeAsset: ['usdt'] }), true);
    assert.equal(isWider({}, false), true);
  });
});

describe('the coverage of an analysis', () => {
  const gap = unreadGap('trades', { from: start, to: start + dayMs });
  const withCoverage = (fields: Partial<AnalysisCoverage>, others: Partial<ReadAnalysis> = {}) =>
    resultOf(
      parts(
        read({
          analysis: sums('realizedPl', [aSeries()], { ...covered, ...fields }),
          ...others,
        }),
      ),
    );
  const coverageOf = (fields: Partial<AnalysisCoverage>) =>
    withCoverage(fields).coverage ?? assert.fail('no coverage');

  it('names the complete period by its days', () => {
    const { text, isComplete, button } = coverageOf({});
    assert.deepEqual([text, isComplete, button], ['Complete 2026-11-01 – 2026-11-03', true, null]);
    assert.equal(
      coverageOf({ complete: [{ from: 0, to: period.to }] }).text,
      'Complete to 2026-11-03',
    );
  });

  it('names the minute where only a part of a day is complete', () => {
    const minutes = (count: number): number => start + count * 60_000 + 59_999;
    const textOf = (from: number, to: number) => coverageOf({ complete: [{ from, to }] }).text;
    assert.equal(textOf(start, minutes(700)), 'Complete 2026-11-01 00:00 – 11:40');
    assert.equal(textOf(start - dayMs, minutes(700)), 'Complete 2026-10-31 – 2026-11-01 11:40');
    assert.equal(textOf(minutes(5), period.to), 'Complete 2026-11-01 00:05 – 2026-11-03');
    assert.equal(textOf(0, minutes(700)), 'Complete to 2026-11-01 11:40');
    assert.equal(textOf(start, start + dayMs), 'Complete 2026-11-01');
  });

  it('says how much of the period there is, why, and offers to read what is missing', () => {
    const drifted = { ...gap, from: gap.to - dayMs / 2, completeness: 'drifted' } as const;
    const { text, gaps, button } = coverageOf(withGaps({ ...gap, to: drifted.from }, drifted));
    assert.equal(text, 'Incomplete: 2 of 3 days · 2 gaps · complete 2026-11-02 – 2026-11-03');
    assert.match(gaps[0] ?? '', /^Trades · 2026-11-01 00:00:00 UTC – .* · never read$/);
    assert.equal(button?.action, 'fillGaps');
    const nothing = withGaps({ ...gap, to: period.to });
    assert.equal(coverageOf(nothing).text, 'Incomplete: 0 of 3 days · 1 gap');
  });

  it('is that of the numbers and of the drawdown where it is another', () => {
    const text = 'Incomplete: 2 of 3 days · 1 gap · complete 2026-11-02 – 2026-11-03';
    const numbersOf = (ofNumbers: Partial<AnalysisCoverage>, ofEquity = ofNumbers) =>
      withCoverage(
        {},
        {
          numbers: numbersWith({ ...covered, ...ofNumbers }, ['btc', 'usdt']),
          equity: { ...noEquity, coverage: { ...covered, ...ofEquity } },
        },
      ).numbers.map(({ coverage }) => coverage && [coverage.text, coverage.button?.action]);
    assert.deepEqual(numbersOf({}), [undefined, undefined, undefined]);
    assert.deepEqual(numbersOf(withGaps(gap), {}), [
      [text, 'fillNumbersGaps'],
      ...[undefined, undefined],
    ]);
    assert.deepEqual(numbersOf({}, withGaps(gap)), [
      ...[undefined, undefined],
      [text, 'fillDrawdownGaps'],
    ]);
  });

  it('is repeated if the gaps are of other rows, but not because one was looked at later', () => {
    const last = { ...gap, from: gap.to, to: period.to - dayMs };
    const numbersIf = (own: Partial<typeof gap>) =>
      withCoverage(withGaps(last), {
        numbers: numbersWith({ ...withGaps(last), gaps: [{ ...last, ...own }] }),
      }).numbers[0]?.coverage?.text;
    assert.equal(numbersIf({ to: last.to + 1000 }), undefined);
    assert.match(numbersIf({ from: last.from + 1000 }) ?? '', /^Incomplete: /);
  });

  it('is not that of the numbers, which have a mark of their own', () => {
    const of = read({
      analysis: sums('realizedPl', [aSeries()], withGaps(gap)),
      numbers: numbersWith(withGaps({ ...gap, to: gap.to + dayMs })),
    });
    assertApproved('analysis/incomplete', parts(of, { shownAs: 'table' }));
  });

  it('says nothing of a period in the future, in which nothing can be read', () => {
    const none = { complete: [], gaps: [] };
    const { coverage, empty, numbers } = resultOf(
      parts(
        read({
          analysis: sums('realizedPl', [], { ...covered, ...none }),
          equity: { ...noEquity, coverage: { ...covered, ...none } },
        }),
      ),
    );
    assert.deepEqual([coverage, numbers[0]?.coverage], [undefined, undefined]);
    assert.deepEqual([empty?.texts, empty?.button], [['No rows in this period.'], undefined]);
  });

  it('is that of the samples for the equity, and that of the rows for its drawdown', () => {
    const hourAfter = (hours: number): number => start + (hours * dayMs) / 24;
    const equity = (hours: readonly number[]): AnalysisOf<'equity'> => ({
      ...noEquity,
      samples: hours.length,
      times: hours.map(hourAfter),
      values: hours.map(String),
      gaps: hours.slice(2).map((hour) => ({ from: hourAfter(hour - 1), to: hourAfter(hour) })),
    });
    const shownOf = (hours: readonly number[], view: 'equity' | 'drawdown') => {
      const own = equity(hours);
      const { coverage, numbers } = resultOf(parts(read({ analysis: own, equity: own }), { view }));
      return [coverage?.text, coverage?.isComplete, numbers.at(-1)?.coverage?.text];
    };
    const rows = 'Complete 2026-11-01 – 2026-11-03';
    const whole = 'Samples cover 1 of 3 days · 2026-11-01 00:00 – 2026-11-02 00:00';
    assert.deepEqual(shownOf([0, 24], 'equity'), [whole, true, rows]);
    const part = 'Samples cover 10 hours of 3 days · 2026-11-01 00:00 – 2026-11-01 11:00';
    assert.deepEqual(shownOf([0, 10, 11], 'equity'), [
      `${part} · 1 gap between them`,
      ...[false, rows],
    ]);
    assert.match(String(shownOf([0, 1, 2, 3], 'equity')[0]), / · 2 gaps between them$/);
    assert.deepEqual(shownOf([], 'equity'), [undefined, undefined, rows]);
    assert.deepEqual(shownOf([0, 10], 'drawdown'), [rows, true, undefined]);
  });

  it('names rows without a time', () => {
    const withRows = (rows: Partial<HistoryCoverage>) => {
      const byHistory = covered.byHistory.map((each) => ({ ...each, ...rows }));
      return coverageOf({ byHistory: byHistory.slice(0, 1) });
    };
    assert.match(withRows({ undatedRows: 1 }).text, / · 1 row has no readable time/);
    assert.equal(withRows({ undatedRows: 1 }).isComplete, false);
    const lacking = withRows({ lackingRows: 2 });
    assert.match(lacking.text, / · 2 rows lack figures, which are missing in the sums/);
    assert.equal(lacking.isComplete, false);
  });
});

describe('the numbers of an analysis', () => {
  const cardsOf = (fields: Partial<AssetNumbers> = {}, hidesMoney = false) => {
    const assets = [{ ...numbersOfUsdt, ...fields }];
    const of = read({ numbers: { view: 'numbers', period, coverage: covered, assets } });
    const { cards } = resultOf(parts(of, {}, hidesMoney)).numbers[0] ?? { cards: [] };
    return new Map(
      cards.map(({ label, lines, notes }) => [label, [...lines.map(({ text }) => text), ...notes]]),
    );
  };

  it('name the sample, and say if it is small', () => {
    assert.deepEqual(cardsOf().get('Win rate'), ['62.5%', 'Of 40 closed orders']);
    const few = 'From fewer than 20: this may be chance';
    assert.ok(cardsOf().get('Maker share')?.includes(few));
    const enough = cardsOf({ makerShare: statistic('0.1', 20) });
    assert.ok(!enough.get('Maker share')?.includes(few));
    assert.ok(
      cardsOf({ feeShare: statistic('0.2', 3) })
        .get('Fees in gross P&L')
        ?.includes(few),
    );
    assert.ok(cardsOf({ closedOrders: 3 }).get('Largest win and loss')?.includes(few));
    assert.deepEqual(cardsOf().get('Average win and loss')?.slice(0, 2), ['+2.34', '−1']);
  });

  it('have no net while the sign of fees or the asset is not known', () => {
    const unsigned = { netPl: null, feesPaid: null, feeRebates: null, feeShare: statistic(null) };
    const bySign = cardsOf(unsigned);
    assert.deepEqual(bySign.get('Net P&L')?.slice(0, 4), [
      ...['—', 'Gross +10', 'Sign of fees not known yet', 'Fees as sent +2'],
    ]);
    assert.equal(bySign.get('Fees in gross P&L')?.[2], 'Sign of fees not known yet');
    const byAsset = cardsOf({ ...unsigned, asset: 'btc_usd', assetBasis: 'unknown' });
    assert.deepEqual(byAsset.get('Net P&L')?.slice(0, 3), [
      ...['—', 'Gross +10', 'The asset of this P&L is not known'],
    ]);
  });

  it('name the periods in which trades and transactions differ', () => {
    const differences = buckets.map((bucket, index) => ({ ...bucket, amount: String(index - 1) }));
    const agreement = { ...numbersOfUsdt.agreement, differences };
    assert.deepEqual(cardsOf({ agreement }).get('Trades and transactions')?.slice(0, 4), [
      ...['Differ in 3 periods', '2026-11-01: −1', '2026-11-02: 0', '2026-11-03: +1'],
    ]);
  });

  it('say whether trades and transactions agree', () => {
    const label = 'Trades and transactions';
    assert.deepEqual(cardsOf().get(label), [
      ...[
        'Differ by +1',
        '2026-11-01 – 2026-11-03: +1',
        'Trades +10',
        'Transactions +9',
        'Compared 2026-11-01 – 2026-11-03',
      ],
    ]);
    const agree = { ...numbersOfUsdt.agreement, verdict: 'agree', differences: [] } as const;
    assert.equal(cardsOf({ agreement: agree }).get(label)?.[0], 'Agree');
    const open = { ...numbersOfUsdt.agreement, verdict: 'notCovered' } as const;
    assert.equal(cardsOf({ agreement: open }).get(label)?.[0], '—');
  });

  it('hide amounts in privacy mode, and leave ratios', () => {
    const cards = cardsOf({}, true);
    assert.equal(cards.get('Net P&L')?.[0], '•••');
    assert.equal(cards.get('Win rate')?.[0], '62.5%');
    assert.doesNotMatch(JSON.stringify([...cards]), /7\.5|\+10|−3/);
  });
});

describe('the drawdown of an analysis', () => {
  const deepest = { from: start, to: start + dayMs, amount: '-20.5' };
  const equity: AnalysisOf<'equity'> = {
    ...noEquity,
    samples: 2,
    unit: 'usdt',
    times: [start, start + dayMs],
    values: ['100', '79.5'],
    drawdown: {
      problem: null,
      flows: 1,
      values: ['0', '-20.5'],
      deepest,
      longest: { ...deepest, isOver: false },
    },
  };

  it('names the deepest and the longest with the asset, and what was taken out', () => {
    assertApproved(
      'analysis/drawdown',
      parts(read({ analysis: equity, equity }), { view: 'drawdown' }),
    );
  });

  it('waits for a day of samples, or half of a shorter period, as equity does', () => {
    const shown = (minutes: number, view: 'equity' | 'drawdown', wholeMs = 3 * dayMs) => {
      const times = [start, start + minutes * minuteMs];
      const own = { ...equity, times, period: { from: start, to: start + wholeMs } };
      const { charts, empty, numbers } = resultOf(
        parts(read({ analysis: own, equity: own }), { view }),
      );
      const [card] = numbers.at(-1)?.cards ?? [];
      return [charts.length, empty?.texts[0] ?? card?.notes[0], card?.lines[0]?.text];
    };
    const text =
      'Samples cover 6 minutes of 3 days. Equity and drawdown are shown once they cover a day.';
    for (const view of ['equity', 'drawdown'] as const) {
      assert.deepEqual(shown(6, view), [0, text, '—']);
      assert.equal(shown(24 * 60, view)[0], 1);
      assert.equal(shown(10 * 60, view, 20 * 60 * minuteMs)[0], 1);
    }
  });

  it('says why there is none', () => {
    const uncovered = { ...equity, drawdown: { problem: 'notCovered' } } as const;
    const { empty } = resultOf(
      parts(read({ analysis: uncovered, equity: uncovered }), { view: 'drawdown' }),
    );
    assert.match(
      empty?.texts[0] ?? '',
      /^Not computable: transactions of this period may be missing/,
    );
  });
});

describe('an analysis that cannot be shown', () => {
  const approve = (name: string, state: AnalysisState): void =>
    assertApproved(`analysis/${name}`, documentOf(state));

  it('says how to begin, or that SQLite is missing', () => {
    approve('noAccount', { kind: 'noAccount', profile: undefined });
    approve('noLedger', { kind: 'noLedger', profile: aProfile() });
    const error = new LedgerError('unsupported');
    approve('unsupported', { kind: 'failed', profile: aProfile(), error });
  });

  it('says that there are no rows in the period', () => {
    const { empty } = resultOf(parts(read({ analysis: sums('realizedPl', []) })));
    assert.deepEqual(empty?.texts, ['No rows in this period.']);
    assert.equal(empty.button?.action, 'downloadHistory');
    const { empty: noSamples } = resultOf(parts(read({ analysis: noEquity }), { view: 'equity' }));
    assert.match(noSamples?.texts[0] ?? '', /^No samples of equity/);
  });
});

describe('the fee audit of an analysis', () => {
  const counts = { asExpected: 1200, dearer: 1, cheaper: 1, undecided: 3 };
  const ofKind = (
    kind: FeeDeviation['kind'],
    fields: Partial<FeeDeviation> = {},
  ): FeeDeviation => ({
    kind,
    trade: aTrade({ fee: '12.5' }),
    tier: '3',
    rate: '0.0005',
    impliedRate: '0.000499999000002',
    expected: '12.500025',
    overcharge: '0.7001',
    billedAs: null,
    ...fields,
  });
  const audit: AnalysisOf<'feeAudit'> = {
    view: 'feeAudit',
    period,
    coverage: covered,
    discountIn: null,
    deviationCount: 2,
    markets: [
      { symbol: 'btc_usdt', ...counts },
      { symbol: 'eth_usdt', ...counts, dearer: 0 },
    ],
    undecided: [
      { reason: 'otherAsset', count: 1 },
      { reason: 'unknownTier', count: 5 },
    ],
    deviations: [ofKind('dearer'), ofKind('cheaper', { billedAs: { tier: '2', maker: true } })],
    sums: [{ asset: 'usdt', dearer: '0.7001', cheaper: '-2' }],
  };
  const audited = (of: Partial<AnalysisOf<'feeAudit'>> = {}, hidesMoney = false) =>
    parts(read({ analysis: { ...audit, ...of } }), { view: 'feeAudit' }, hidesMoney);

  it('counts the trades of each market, says why some are undecided, and lists what deviates', () => {
    assertApproved('analysis/feeAudit', audited());
  });

  it('opens the trade of a row', () => {
    const shown: StoredRows[] = [];
    const state = stateOf(read({ analysis: audit }), { view: 'feeAudit' });
    const { sections } = documentOf(state, { showStored: (rows) => void shown.push(rows) });
    const grid = sections[1]?.blocks.find((block) => block.kind === 'grid');
    const { run, action } = (grid?.button ?? assert.fail('no button')) as Action;
    assert.equal(action, 'row 7');
    for (const row of [2, 0]) run([row]);
    assert.deepEqual(
      shown.map(({ table, startAt }) => [table, startAt?.fields.tradeId]),
      [['trades', aTrade().tradeId]],
    );
  });

  it('hides amounts in privacy mode', () => {
    const text = JSON.stringify(audited({}, true).sections);
    assert.doesNotMatch(text, /0\.7001|12\.5|Paid too little: 2|0\.00049/);
    assert.match(text, /0\.0005"/);
  });

  it('says that nothing deviates, or that there are no trades', () => {
    const fine = audited({ deviations: [], deviationCount: 0, sums: [], undecided: [] });
    assert.deepEqual(resultOf(fine).notes.slice(1), ['No fee is known to deviate.']);
    assert.equal(resultOf(fine).grid, undefined);
    const none = { markets: [], deviations: [], deviationCount: 0, sums: [], undecided: [] };
    const { notes, tables, empty } = resultOf(audited(none));
    assert.deepEqual([notes.length, tables], [1, []]);
    assert.deepEqual(empty?.texts, ['No rows in this period.']);
  });
});
