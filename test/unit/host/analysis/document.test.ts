import assert from 'node:assert/strict';
import { rowSerializer } from '../../../../src/account/export/exportFormats.ts';
import { dayMs, hourMs, minuteMs } from '../../../../src/base/time.ts';
import {
  firstChoices,
  type AnalysisChoices,
  type ReadAnalysis,
} from '../../../../src/host/analysis/choices.ts';
import { shownRows, type AnalysisState } from '../../../../src/host/analysis/document.ts';
import { positionFields, positionRecord } from '../../../../src/host/analysis/analysisExport.ts';
import type { StoredRows } from '../../../../src/host/reconciliation/storedRows.ts';
import type {
  AnalysisCoverage,
  AnalysisGap,
  AnalysisOf,
  AnalysisSeries,
  AssetNumbers,
  CashCurve,
  FeeDeviation,
  RebuiltPosition,
  Statistic,
  SumsView,
} from '../../../../src/ledger/analysis/analysis.ts';
import { LedgerError } from '../../../../src/ledger/ledgerError.ts';
import type { Action, LiveDocument } from '../../../../src/host/webview/documentPanel.ts';
import type { Document } from '../../../../src/protocol/document.ts';
import { completePeriodText } from '../../../../src/host/analysis/coverage.ts';
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

/** With one row for each of its own values. */
function aSeries(fields: Partial<AnalysisSeries> = {}): AnalysisSeries {
  const ofValues = fields.values?.map((value): number => (value === null ? 0 : 1));
  const counts = ofValues ?? [25, 0, 15];
  return {
    kind: 'realizedPl',
    assetBasis: 'known',
    asset: 'usdt',
    key: null,
    total: '3.5',
    values: ['5', null, '-1.5'],
    ...{ counts, rows: counts.reduce((sum, count) => sum + count, 0) },
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
  times: [],
  values: [],
  gaps: [],
  groups: [null, null, null],
  drawdown: { problem: 'noSamples' },
};

function sums(
  view: SumsView,
  series: readonly AnalysisSeries[],
  coverage = covered,
): ReadAnalysis['analysis'] {
  return { view, period, coverage, groupBy: 'day', buckets, series };
}

type Fields = Pick<ReadAnalysis, 'analysis'> & NonNullable<ReadAnalysis['summary']>;

/** What was read of the summary, or of a view alone. */
function read({ analysis, ...summary }: Partial<Fields> = {}): ReadAnalysis {
  const noNumbers = { view: 'numbers', period, coverage: covered, assets: [] } as const;
  return {
    analysis: analysis ?? sums('realizedPl', [aSeries()]),
    summary: { numbers: noNumbers, equity: noEquity, ...summary },
  };
}

const stateOf = (of: ReadAnalysis, choices: Partial<AnalysisChoices>) => {
  const chosen = { ...firstChoices, ...choices };
  const own = chosen.view === 'summary' ? of : { ...of, summary: null };
  return { kind: 'read', profile: aProfile(), id: 7, choices: chosen, read: own } as const;
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
  return { document, open, shown };
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
  averageWin: statistic('0.2', 25),
  averageLoss: statistic('-0.1', 15),
  profitFactor: statistic('3.3333333333'),
  perPosition: {
    ...{ asset: 'usdt', positions: 22, undecided: 2, wins: 12, losses: 9, grossPl: '3.5' },
    ...{ winRate: statistic('0.5454545454'), profitFactor: statistic('2.5') },
    ...{ averageWin: statistic('0.4'), averageLoss: statistic('-0.2') },
    averageHeldMs: 90 * minuteMs,
  },
  largestWin: { symbol: 'btc_usdt', amount: '0.9' },
  largestLoss: { symbol: 'eth_usdt', amount: '-0.4' },
  grossPl: '3.5',
  feesPaid: '3',
  feeRebates: '-1',
  feesAsSent: '2',
  liquidationFees: '0',
  funding: '-0.5',
  netPl: '1',
  otherFeeAssets: ['bnb'],
  feeShare: statistic('0.5714285714'),
  makerShare: statistic('0.1'),
  agreement: {
    verdict: 'differ',
    compared: [period],
    trades: '3.5',
    transactions: '2.5',
    differences: [{ ...period, amount: '1' }],
  },
};

function numbersWith(
  coverage: AnalysisCoverage,
  assets: readonly Partial<AssetNumbers>[] = [{}],
): AnalysisOf<'numbers'> {
  const all = assets.map((fields) => ({ ...numbersOfUsdt, ...fields }));
  return { view: 'numbers', period, coverage, assets: all };
}

/** The page of a result is the approved one. */
function approve(
  name: string,
  of: ReadAnalysis,
  choices: Partial<AnalysisChoices> = {},
  hidesMoney = false,
): void {
  assertApproved(`analysis/${name}`, parts(of, choices, hidesMoney));
}

/** No text of an approved page without amounts has one of these. */
function assertHidden(of: ReadAnalysis, choices: Partial<AnalysisChoices>, figures: RegExp): void {
  assert.match(JSON.stringify(parts(of, choices).sections), figures);
  assert.doesNotMatch(JSON.stringify(parts(of, choices, true).sections), figures);
}

describe('the charts of an analysis', () => {
  const twoAssets = read({
    analysis: sums('realizedPl', [
      aSeries(),
      aSeries({ asset: 'btc', values: ['0', null, null], total: '0' }),
    ]),
    numbers: numbersWith(covered),
  });
  const ofSymbol = (key: string, values: AnalysisSeries['values'], total: string) =>
    aSeries({ key, values, total });
  const twoSymbols = read({
    analysis: sums('realizedPl', [
      ofSymbol('btc_usdt', ['5', null, '-1.5'], '3.5'),
      ofSymbol('eth_usdt', ['-2', '4', '-1'], '1'),
    ]),
  });

  it('are one for each asset, with exact figures, what they came to, and the numbers below', () => {
    approve('realizedPl', twoAssets);
  });

  it('are not drawn in privacy mode, which masks every amount and leaves ratios and counts', () => {
    approve('hidden', twoAssets, {}, true);
    assertHidden(twoAssets, {}, /[+−]\d|"gain"|"loss"/);
  });

  it('name each part of a split, and what all of them together came to', () => {
    approve('symbols', twoSymbols, { view: 'realizedPl', splitBy: 'symbol' });
    approve('symbolsTable', twoSymbols, {
      view: 'realizedPl',
      splitBy: 'symbol',
      shownAs: 'table',
    });
  });

  it('add up what is more than six parts', () => {
    const many = Array.from({ length: 9 }, (_each, index) =>
      ofSymbol(`s${index}_usdt`, [`0.${index}`, null, null], `0.${index}`),
    );
    const of = read({ analysis: sums('realizedPl', many) });
    approve('others', of, { view: 'realizedPl', splitBy: 'symbol' });
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

  const liquidation = aSeries({
    ...{ kind: 'liquidationFee', total: '-3', values: ['-3', null, null] },
    selection: { history: 'futureTransactions', filters: {}, isExact: true },
  });
  const fees = read({
    analysis: sums('fees', [
      aSeries({ kind: 'feePaid', total: '2.5', values: ['2', null, '0.5'] }),
      aSeries({ kind: 'feeRebate', total: '-1', values: [null, null, '-1'] }),
      liquidation,
    ]),
  });

  it('count a liquidation fee as what was paid, beside fees and rebates', () => {
    approve('fees', fees, { view: 'fees' });
    approve('feesTable', fees, { view: 'fees', shownAs: 'table' });
  });

  it('have no total of fees while their sign is not known', () => {
    const sent = aSeries({ kind: 'feeAsSent', total: '3.5' });
    approve('feesAsSent', read({ analysis: sums('fees', [sent, liquidation]) }), { view: 'fees' });
  });

  it('name assets that are assumed or unknown', () => {
    const series = [
      aSeries({ assetBasis: 'assumed' }),
      aSeries({ asset: 'btc_usd', assetBasis: 'unknown' }),
    ];
    approve('unknownAsset', read({ analysis: sums('realizedPl', series) }));
  });

  it('call funding of an unknown symbol that of several', () => {
    const funding = [
      aSeries({ kind: 'funding', key: 'btc_usdt' }),
      aSeries({ kind: 'funding', key: null, values: [null, '-0.5', null], total: '-0.5' }),
    ];
    const of = read({ analysis: sums('funding', funding) });
    approve('funding', of, { view: 'funding', splitBy: 'symbol' });
    approve('fundingTable', of, { view: 'funding', splitBy: 'symbol', shownAs: 'table' });
  });

  it('have what came and left as cash flow', () => {
    const selection = { history: 'futureTransactions', filters: {}, isExact: true } as const;
    const flow = { kind: 'cashFlow', selection } as const;
    const flows = [
      aSeries({ ...flow, key: 'DEPOSIT', values: ['100', null, '50'], total: '150' }),
      aSeries({ ...flow, key: 'WITHDRAWAL', values: [null, '-30', null], total: '-30' }),
    ];
    const of = read({ analysis: sums('cashFlow', flows) });
    approve('cashFlow', of, { view: 'cashFlow', splitBy: 'type' });
    approve('hiddenCashFlow', of, { view: 'cashFlow', splitBy: 'type', shownAs: 'table' }, true);
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

  it('says what it begins with, and has the assets that did not change in one line', () => {
    const change = { basis: 'change', opening: '0', values: ['0', '-10', '-10'] } as const;
    const changed = [curve, { ...curve, asset: 'btc', ...change, counts: [0, 2, 1] }];
    const booked = { ...still('xrp', '0'), basis: 'change', counts: [1, 0, 2] } as const;
    const curves = [still('bnb', '3'), ...changed, still('eth', '0'), still('sol', '0.5'), booked];
    const analysis = { view: 'cash', period, coverage: covered, groupBy: 'day', buckets } as const;
    const of = read({ analysis: { ...analysis, curves } });
    approve('cash', of, { view: 'cash' });
    approve('hiddenCash', of, { view: 'cash' }, true);
    assertHidden(of, { view: 'cash' }, /100|90|0\.5|3 bnb/);
  });
});

describe('the rows of an analysis', () => {
  it('have every figure, newest first, and what privacy hides only on the host', () => {
    const of = read();
    approve('table', of, { view: 'realizedPl', shownAs: 'table' });
    approve('hiddenTable', of, { view: 'realizedPl', shownAs: 'table' }, true);
    const state = stateOf(of, { view: 'realizedPl', shownAs: 'table' });
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
    const { open } = opened(of, { view: 'realizedPl', splitBy: 'symbol' });
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
  it('names a period by its days, and the minute where only a part of a day is complete', () => {
    const minutes = (count: number): number => start + count * 60_000 + 59_999;
    const textOf = (from: number, to: number) => completePeriodText({ from, to }, aDisplay());
    assert.deepEqual(
      [
        textOf(start, period.to),
        textOf(0, period.to),
        textOf(start, start + dayMs),
        textOf(start, minutes(700)),
        textOf(start - dayMs, minutes(700)),
        textOf(minutes(5), period.to),
        textOf(0, minutes(700)),
      ],
      [
        '2026-11-01 – 2026-11-03',
        'to 2026-11-03',
        '2026-11-01',
        '2026-11-01 00:00 – 11:40',
        '2026-10-31 – 2026-11-01 11:40',
        '2026-11-01 00:05 – 2026-11-03',
        'to 2026-11-01 11:40',
      ],
    );
  });

  it('says how much of the period there is, why, and which rows are left out', () => {
    const drifted = { ...gap, from: gap.to - dayMs / 2, completeness: 'drifted' } as const;
    const gaps = withGaps({ ...gap, to: drifted.from }, drifted);
    const [byTrades = assert.fail()] = gaps.byHistory;
    const lacking = { ...gaps, byHistory: [{ ...byTrades, undatedRows: 1, lackingRows: 2 }] };
    approve('gaps', read({ analysis: sums('realizedPl', [aSeries()], lacking) }));
  });

  it('is not complete if a row has no time', () => {
    const byHistory = covered.byHistory.map((each) => ({ ...each, undatedRows: 1 }));
    const undated = { ...covered, byHistory };
    approve('undated', read({ analysis: sums('realizedPl', [aSeries()], undated) }));
  });

  it('is that of the chart in the summary, and above the numbers theirs if they need more', () => {
    const said = (ofNumbers: AnalysisCoverage): unknown[] => {
      const analysis = sums('realizedPl', [aSeries()]);
      const { sections } = parts(read({ analysis, numbers: numbersWith(ofNumbers) }));
      return sections.map(({ blocks }) =>
        blocks.flatMap((block) =>
          block.kind === 'coverage' ? [block.isComplete, block.button?.action] : [],
        ),
      );
    };
    assert.deepEqual(said(withGaps(gap)).slice(0, 2), [
      [true, undefined],
      [false, 'fillNumbersGaps'],
    ]);
    assert.deepEqual(said(withGaps()).slice(0, 2), [[true, undefined], []]);
  });

  it('is not repeated where the view has none of the numbers', () => {
    const of = read({
      analysis: sums('realizedPl', [aSeries()], withGaps(gap)),
      numbers: numbersWith(withGaps({ ...gap, to: gap.to + dayMs })),
    });
    approve('incomplete', of, { view: 'realizedPl', shownAs: 'table' });
    approve('hiddenIncomplete', of, {}, true);
  });

  it('is that of the samples for the equity, and that of the rows for the drawdown', () => {
    const hourAfter = (hours: number): number => start + (hours * dayMs) / 24;
    const equity = (hours: readonly number[]): AnalysisOf<'equity'> => ({
      ...noEquity,
      times: hours.map(hourAfter),
      values: hours.map(String),
      gaps: hours.slice(2).map((hour) => ({ from: hourAfter(hour - 1), to: hourAfter(hour) })),
    });
    const shownOf = (hours: readonly number[], view: 'equity' | 'drawdown') => {
      const own = equity(hours);
      return resultOf(parts(read({ analysis: own }), { view })).coverage?.isComplete;
    };
    assert.equal(shownOf([0, 24], 'equity'), true);
    assert.equal(shownOf([0, 10, 11], 'equity'), false);
    assert.equal(shownOf([], 'equity'), undefined);
    assert.equal(shownOf([0, 10], 'drawdown'), true);
  });
});

describe('the numbers of an analysis', () => {
  it('name the sample and what is not known, and say if trades and transactions agree', () => {
    const unsigned = { netPl: null, feesPaid: null, feeRebates: null, feeShare: statistic(null) };
    const { agreement } = numbersOfUsdt;
    const few: Partial<AssetNumbers> = {
      ...{ closedOrders: 3, wins: 3, losses: 0, winRate: statistic('1', 3) },
      ...{ averageWin: statistic('1.1666666667', 3), averageLoss: statistic(null, 0) },
      ...{ profitFactor: statistic(null, 3), largestLoss: null },
      ...{ feeShare: statistic('0.5714285714', 3), makerShare: statistic('0.1', 3) },
      agreement: { ...agreement, verdict: 'agree', transactions: '3.5', differences: [] },
    };
    const differences = buckets.map((bucket, index) => ({ ...bucket, amount: String(index + 1) }));
    const assets: Partial<AssetNumbers>[] = [
      few,
      { ...unsigned, asset: 'eth', agreement: { ...agreement, verdict: 'notCovered' } },
      {
        ...{ ...unsigned, asset: 'btc_usd', assetBasis: 'unknown' },
        agreement: { ...agreement, verdict: 'undecided' },
      },
      {
        ...{ asset: 'btc', assetBasis: 'assumed', makerShare: statistic('0.1', 20) },
        ...{ grossPl: null, netPl: null, feeShare: statistic(null) },
        agreement: { ...agreement, transactions: '-2.5', differences },
      },
    ];
    approve('numbers', read({ numbers: numbersWith(covered, assets) }));
  });
});

describe('the drawdown of an analysis', () => {
  const deepest = { from: start, to: start + dayMs, amount: '-20.5' };
  const histories = ['futureTransactions'] as const;
  const unread = coverageWithGaps(period, histories, [
    unreadGap('futureTransactions', { from: start, to: start + dayMs }),
  ]);
  const equity: AnalysisOf<'equity'> = {
    ...noEquity,
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
    const of = read({ analysis: equity });
    approve('drawdown', of, { view: 'drawdown' });
    approve('hiddenDrawdown', of, { view: 'drawdown' }, true);
    assertHidden(of, { view: 'drawdown' }, /20\.5/);
    approve('drawdownTable', of, { view: 'drawdown', shownAs: 'table' });
  });

  it('has the equity that it is of, with the gaps between samples as gaps', () => {
    const hour = (count: number): number => start + (count * dayMs) / 24;
    const bucket = { first: '100', lowest: '90', highest: '110', last: '90', samples: 3 };
    const samples: Partial<AnalysisOf<'equity'>> = {
      ...{ times: [0, 20, 30, 40].map(hour), values: ['100', '110', '90', '95'] },
      gaps: [{ from: hour(20), to: hour(30) }],
      groups: [
        { ...bucket, lowest: '100', last: '110', samples: 2 },
        { ...bucket, first: '90', highest: '95', last: '95', samples: 2 },
        null,
      ],
      coverage: unread,
      drawdown: { problem: 'notCovered' },
    };
    const own = { ...equity, ...samples };
    const of = read({ analysis: own });
    approve('equity', of, { view: 'equity' });
    approve('equityTable', of, { view: 'equity', shownAs: 'table' });
    approve('hiddenEquity', of, { view: 'equity' }, true);
    assertHidden(of, { view: 'equity' }, /"(100|110|90|95)"/);
  });

  it('waits for a day of samples, or half of a shorter period, as equity does', () => {
    const shown = (minutes: number, wholeMs = 3 * dayMs) => {
      const times = [start, start + minutes * minuteMs];
      const own = { ...equity, times, period: { from: start, to: start + wholeMs } };
      return read({ analysis: own });
    };
    const isDrawn = (of: ReadAnalysis, view: 'equity' | 'drawdown') =>
      resultOf(parts(of, { view })).charts.length > 0;
    for (const view of ['equity', 'drawdown'] as const) {
      assert.equal(isDrawn(shown(6), view), false);
      assert.equal(isDrawn(shown(24 * 60), view), true);
      assert.equal(isDrawn(shown(10 * 60, 20 * 60 * minuteMs), view), true);
    }
    approve('fewSamples', shown(6), { view: 'drawdown' });
    approve('fewSamplesOfEquity', shown(6), { view: 'equity' });
  });

  it('says why there is none', () => {
    const uncovered = { ...equity, coverage: unread, drawdown: { problem: 'notCovered' } } as const;
    const of = read({ analysis: uncovered });
    approve('drawdownNotCovered', of, { view: 'drawdown' });
  });
});

describe('an analysis that cannot be shown', () => {
  it('says how to begin, or why it could not be read', () => {
    const failed = (error: unknown): AnalysisState => {
      return { kind: 'failed', profile: aProfile(), error };
    };
    const states: Readonly<Record<string, AnalysisState>> = {
      noAccount: { kind: 'noAccount', profile: undefined },
      noLedger: { kind: 'noLedger', profile: aProfile() },
      unsupported: failed(new LedgerError('unsupported')),
      failed: failed(new LedgerError('busy', 'SQLite 5')),
      failedUnknown: failed(new Error('broken at /home/someone')),
    };
    for (const [name, state] of Object.entries(states))
      assertApproved(`analysis/${name}`, documentOf(state));
  });

  it('says that there are no rows, that none were read, or that the period is to come', () => {
    const without = (coverage: AnalysisCoverage): ReadAnalysis =>
      read({ analysis: sums('realizedPl', [], coverage), equity: { ...noEquity, coverage } });
    const gap = unreadGap('trades', period);
    approve('noRows', without(covered));
    approve('notRead', without(withGaps(gap)));
    approve('noRowsInPart', without(withGaps({ ...gap, to: period.from + dayMs })));
    approve('future', without({ ...covered, complete: [], gaps: [] }));
  });

  it('offers the days that have rows, if they are outside of the period', () => {
    const january = { from: Date.UTC(2026, 0, 1, 9), to: Date.UTC(2026, 1, 4, 11) };
    const chosen: string[] = [];
    const showPeriod = (period: string): unknown => chosen.push(period);
    const buttonWith = (recorded: typeof january) => {
      const of = read({ analysis: sums('realizedPl', [], { ...covered, recorded }) });
      const notice = documentOf(stateOf(of, {}), { showPeriod }).sections[0]?.blocks.find(
        ({ kind }) => kind === 'notice',
      );
      return notice?.kind === 'notice' ? notice.button : undefined;
    };
    const button = (buttonWith(january) ?? assert.fail('no button')) as Action;
    assert.equal(button.label, 'Show 2026-01-01 – 2026-02-04');
    button.run([]);
    assert.deepEqual(chosen, [`${Date.UTC(2026, 0, 1)}/${Date.UTC(2026, 1, 5)}`]);
    assert.equal(buttonWith({ ...january, to: period.to })?.action, 'downloadHistory');
  });

  it('says that there are no samples of equity', () => {
    approve('noSamples', read({ analysis: noEquity }), { view: 'equity' });
  });
});

describe('the fee audit of an analysis', () => {
  const counts = { asExpected: 1200, dearer: 1, cheaper: 1, undecided: 3 };
  const ofKind = (
    kind: FeeDeviation['kind'],
    fields: Partial<FeeDeviation> = {},
  ): FeeDeviation => ({
    kind,
    trade: aTrade({ fee: '13.200025', time: String(start + 2 * dayMs) }),
    tier: '3',
    rate: '0.0005',
    impliedRate: '0.00052799994400011',
    expected: '12.500025',
    overcharge: '0.7',
    billedAs: null,
    ...fields,
  });
  const audit: AnalysisOf<'feeAudit'> = {
    view: 'feeAudit',
    period,
    coverage: covered,
    discountIn: null,
    ratesIn: null,
    deviationCount: 2,
    markets: [
      { symbol: 'btc_usdt', ...counts },
      { symbol: 'eth_usdt', ...counts, dearer: 0, cheaper: 0 },
    ],
    undecided: [
      { reason: 'otherAsset', count: 1 },
      { reason: 'unknownTier', count: 5 },
    ],
    deviations: [
      ofKind('dearer'),
      ofKind('cheaper', {
        trade: aTrade({ tradeId: '5', orderId: '4', fee: '10.500025', time: String(start) }),
        overcharge: '-2',
        ...{ impliedRate: '0.00042000016', billedAs: { tier: '2', maker: true } },
      }),
    ],
    sums: [{ asset: 'usdt', dearer: '0.7', cheaper: '-2' }],
  };
  const audited = (of: Partial<AnalysisOf<'feeAudit'>> = {}) =>
    read({ analysis: { ...audit, ...of } });
  const view = 'feeAudit';

  it('counts the trades of each market, says why some are undecided, and lists what deviates', () => {
    approve('feeAudit', audited(), { view });
  });

  it('says that only the newest of many deviations are listed, and how the discount is read', () => {
    const more: Partial<AnalysisOf<'feeAudit'>> = {
      markets: [{ symbol: 'btc_usdt', ...counts, dearer: 3 }],
      undecided: [{ reason: 'unknownTier', count: 3 }],
      sums: [{ asset: 'usdt', dearer: '2.1', cheaper: '-2' }],
      deviationCount: 4,
      discountIn: 'percent',
    };
    approve('feeAuditOfMany', audited(more), { view });
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
    approve('hiddenFeeAudit', audited(), { view }, true);
    assertHidden(
      audited(),
      { view },
      /"0\.7"|0\.7 usdt|13\.2|12\.5|10\.5|2 usdt|0\.00052|0\.00042/,
    );
  });

  it('says that nothing deviates, or that there are no trades', () => {
    const none = { deviations: [], deviationCount: 0, sums: [], undecided: [] };
    const fine = { symbol: 'btc_usdt', asExpected: 1200, dearer: 0, cheaper: 0, undecided: 0 };
    approve('feeAuditFine', audited({ ...none, markets: [fine] }), { view });
    approve('feeAuditNoTrades', audited({ ...none, markets: [] }), { view });
  });
});

describe('the closed positions of the analysis', () => {
  const position: RebuiltPosition = {
    ...{ symbol: 'btc_usdt', asset: 'usdt', assetBasis: 'known', undecided: null },
    ...{ opened: start, closed: start + 5 * hourMs, lastAt: start + 5 * hourMs },
    ...{ direction: 'LONG', largest: '0.5', entryPrice: '60000', exitPrice: '60100.5' },
    ...{ gross: '50.25', net: '48.125', isSignKnown: true, isLiquidated: false },
    fees: [
      { asset: 'usdt', amount: '2' },
      { asset: 'bnb', amount: '0.01' },
    ],
    ...{ charges: [{ asset: 'usdt', amount: '-0.125' }], orders: 2, fills: 3 },
  };
  const undecided: RebuiltPosition = {
    ...{ ...position, undecided: 'openedBefore', direction: null, largest: null, net: null },
    ...{ entryPrice: null, exitPrice: null, gross: null, fees: null, charges: null },
  };
  const open: RebuiltPosition = { ...position, closed: null, charges: null, isSignKnown: false };
  const statisticOf = (value: string | null): Statistic => ({ value, sample: 1 });
  const analysis: AnalysisOf<'positions'> = {
    ...{ view: 'positions', period, coverage: covered, count: 3, undecided: 1 },
    symbols: ['btc_usdt', 'eth_usdt'],
    positions: [undecided, position, open],
    checks: [
      {
        symbol: 'btc_usdt',
        sizes: { agreed: 4, differed: 1 },
        gross: { agreed: 5, differed: 0 },
      },
      { symbol: 'eth_usdt', sizes: { agreed: 0, differed: 0 }, gross: null },
    ],
    numbers: [
      {
        ...{
          asset: 'usdt',
          positions: 1,
          undecided: 0,
          wins: 1,
          losses: 0,
          averageHeldMs: 5 * hourMs,
        },
        grossPl: '50.25',
        ...{ winRate: statisticOf('1'), averageWin: statisticOf('50.25') },
        ...{ averageLoss: statisticOf(null), profitFactor: statisticOf(null) },
      },
    ],
  };
  const view = 'positions';

  it('have what each brought and cost, and why some are undecided', () => {
    approve('positions', read({ analysis }), { view });
    const none = { positions: [], count: 0, undecided: 0, checks: [], numbers: [] };
    const filtered = read({ analysis: { ...analysis, ...none } });
    assert.match(JSON.stringify(parts(filtered, { view })), /No position matches the filters\./);
    approve('noPositions', read({ analysis: { ...analysis, ...none, symbols: [] } }), { view });
  });

  it('are counted by symbol, and by day in a calendar', () => {
    const traded = { volume: '60050.25', positions: 2, wins: 1, undecided: 1, liquidated: null };
    const figures = {
      asset: 'usdt',
      assetBasis: 'known',
      gross: '50.25',
      charges: '-0.5',
    } as const;
    const symbols = [
      { ...figures, symbol: 'btc_usdt', fees: '2', net: '47.75', traded },
      { ...figures, symbol: null, fees: null, net: null, traded: null },
    ];
    const bySymbol = read({ analysis: { view: 'bySymbol', period, coverage: covered, symbols } });
    approve('bySymbol', bySymbol, { view: 'bySymbol' });
    assertHidden(bySymbol, { view: 'bySymbol' }, /50\.25|47\.75|-0\.5/);
    const nets = ['47.75', '-0.00001', '9'];
    const days = buckets.map((bucket, index) => {
      return { ...bucket, net: nets[index] ?? null, closed: index, history: 'trades' as const };
    });
    const coverage = withGaps(unreadGap('trades', buckets[2] ?? period));
    const fees = ['0', '-12345.678', null];
    const others = days.map((day, index) => {
      return {
        ...day,
        net: fees[index] ?? null,
        closed: 0,
        history: 'futureTransactions' as const,
      };
    });
    const assets = [
      { asset: 'usdt', assetBasis: 'known', days },
      { asset: 'bnb', assetBasis: 'known', days: others },
    ] as const;
    const calendar = read({ analysis: { view: 'calendar', period, coverage, assets } });
    approve('calendar', calendar, { view: 'calendar' });
    assertHidden(calendar, { view: 'calendar' }, /47\.75|gain|"strength":[1-4]/);
    const whole = read({ analysis: { view: 'calendar', period, coverage: covered, assets } });
    approve('calendarOfAsset', whole, { view: 'calendar', asset: 'bnb' });
    for (const [asset, table] of [
      ['usdt', 'trades'],
      ['bnb', 'transactions'],
    ] as const) {
      const { document, shown } = opened(calendar, { view: 'calendar', asset });
      const block = document.sections[0]?.blocks.find(({ kind }) => kind === 'calendar');
      const day = block?.kind === 'calendar' && block.months[0]?.weeks[1]?.days[0];
      assert.ok(day);
      (day.button as Action).run([]);
      assert.deepEqual(
        [shown[0]?.table, shown[0]?.filters.dateFrom],
        [table, '2026-11-02T00:00:00.000Z'],
      );
    }
  });

  it('say which days of a month the calendar has', () => {
    const monthsFrom = (from: number, to: number) => {
      const days = Array.from({ length: (to - from) / dayMs }, (_, index) => {
        const start = from + index * dayMs;
        return { from: start, to: start + dayMs, net: '1', closed: 0, history: 'trades' } as const;
      });
      const assets = [{ asset: 'usdt', assetBasis: 'known', days }] as const;
      const shown = read({ analysis: { view: 'calendar', period, coverage: covered, assets } });
      const [section] = opened(shown, { view: 'calendar' }).document.sections;
      const block = section?.blocks.find(({ kind }) => kind === 'calendar');
      return block?.kind === 'calendar' ? block.months.map(({ title }) => title) : [];
    };
    assert.deepEqual(monthsFrom(Date.UTC(2026, 8, 29), Date.UTC(2026, 10, 4)), [
      ...['2026-11, days 01 to 03 · usdt', '2026-10 · usdt', '2026-09, days 29 to 30 · usdt'],
    ]);
  });

  it('hide amounts in privacy mode', () => {
    assertHidden(read({ analysis }), { view }, /50\.25|48\.125|0\.01|0\.125/);
  });

  it('open the page of a row', () => {
    const shown: RebuiltPosition[] = [];
    const state = stateOf(read({ analysis }), { view });
    const { sections } = documentOf(state, { showPosition: (each) => void shown.push(each) });
    const grid = sections[1]?.blocks.find((block) => block.kind === 'grid');
    ((grid?.button ?? assert.fail('no button')) as Action).run([1]);
    assert.deepEqual(shown, [position]);
  });

  it('have no sum of which a figure is unknown, and say which net is without funding', () => {
    const sectionsOf = (positions: readonly RebuiltPosition[], count = positions.length) => {
      const of = read({ analysis: { ...analysis, positions, count } });
      return documentOf(stateOf(of, { view })).sections;
    };
    const cellsOf = (...of: Parameters<typeof sectionsOf>) => {
      const [, section] = sectionsOf(...of);
      const table = section?.blocks.find((block) => block.kind === 'table');
      return table?.rows[0]?.slice(2, 5).map(({ text, notes = [] }) => [text, ...notes].join());
    };
    const unfunded = { ...position, charges: null, net: '1' };
    assert.deepEqual(cellsOf([position, unfunded]), [
      ...['+49.125,without the funding of 1', '+50.25', '4,0.02 bnb'],
    ]);
    assert.deepEqual(cellsOf([position, { ...position, fees: null, net: null }]), [
      ...['—', '+50.25', '—'],
    ]);
    assert.deepEqual(cellsOf([position], 1001), ['—', '+50.25', '—']);
    const notes = sectionsOf([position], 1001)[0]?.notes.slice(-2).join(' ') ?? '';
    assert.match(notes, /^Undecided: 1 .* fees are not summed: Export/);
  });

  it('are exported with what their figures lack', () => {
    const csv = rowSerializer('csv', positionFields);
    const charges = [...(position.charges ?? []), { asset: 'btc', amount: '-0.1' }];
    const lines = [undecided, { ...position, charges }, open].map((each) =>
      csv.row(positionRecord(each), false),
    );
    assert.equal(
      [csv.header, ...lines].join('').replaceAll('\r', ''),
      `symbol,direction,opened,openedUtc,closed,closedUtc,heldMs,undecided,asset,net,gross,fee,funding,largest,entryPrice,exitPrice,isLiquidated,orders,fills,extra
btc_usdt,,1793491200000,2026-11-01T00:00:00.000Z,1793509200000,2026-11-01T05:00:00.000Z,,openedBefore,usdt,,,,,,,,false,2,3,
btc_usdt,LONG,1793491200000,2026-11-01T00:00:00.000Z,1793509200000,2026-11-01T05:00:00.000Z,18000000,,usdt,48.125,50.25,2,-0.125,0.5,60000,60100.5,false,2,3,"{""otherFees"":{""bnb"":""0.01""},""otherFunding"":{""btc"":""-0.1""}}"
btc_usdt,LONG,1793491200000,2026-11-01T00:00:00.000Z,,,,,usdt,48.125,50.25,,,0.5,60000,60100.5,false,2,3,"{""feesAsSent"":{""usdt"":""2"",""bnb"":""0.01""}}"
`,
    );
  });
});
