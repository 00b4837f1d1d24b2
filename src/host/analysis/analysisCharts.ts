import { l10n } from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import { extremes, isZero, sum, unknownText, type NumberText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { DisplayField } from '../../base/fieldPrivacy.ts';
import type {
  Analysis,
  CashAnalysis,
  CashCurve,
  EquityAnalysis,
  RowSelection,
  SumsAnalysis,
} from '../../ledger/analysis/analysis.ts';
import { subtract } from '../../ledger/coverage/intervals.ts';
import type { Interval } from '../../ledger/ledger.ts';
import type { AnalysisChoices, AnalysisChart } from '../../protocol/analysisMessages.ts';
import { fullFigure } from '../../protocol/cellRules.ts';
import type { ChartData } from '../../protocol/chart.ts';
import { plAssetText, type ChosenView } from './analysisText.ts';
import { incompleteText } from '../text/partOfPeriodText.ts';
import { chartGaps, partOf } from './partialFigures.ts';
import { drawdownTexts, equityPoints, waitingText } from './equityPoints.ts';
import { labelled, panelFilters, sumAt, withOthers, type LabelledSeries } from './chartedSeries.ts';

/** A chart as the page gets it, with what the host needs to open the rows of its points. */
export type ChartModel = {
  readonly chart: AnalysisChart;
  /** Of each point; none of a chart of samples. */
  readonly buckets: readonly Interval[];
  /** Of each series. */
  readonly selections: readonly RowSelection[];
};

/** The summary of a chart's values in words. */
type Summarised = { readonly values: readonly (NumberText | null)[]; readonly lead: string };

/** The charts of an analysis: one for each asset, because amounts of two assets have no sum. Those that are drawn come first. */
export function analysisCharts(
  analysis: Exclude<Analysis, { view: 'numbers' | 'feeAudit' }>,
  choices: AnalysisChoices,
  display: Display,
): readonly ChartModel[] {
  switch (analysis.view) {
    case 'cash':
      return cashCharts(analysis, display);
    case 'equity':
      return equityCharts(analysis, choices.view, display);
    case 'realizedPl':
    case 'fees':
    case 'funding':
    case 'cashFlow':
      return sumsCharts(analysis, choices, display);
  }
}

export const viewFields: Readonly<Record<ChosenView, DisplayField>> = {
  realizedPl: 'rpnl',
  fees: 'fee',
  funding: 'amount',
  cashFlow: 'amount',
  cash: 'total',
  equity: 'equity',
  drawdown: 'equity',
  feeAudit: 'fee',
};

type ChartParts = Pick<AnalysisChart, 'title' | 'unit' | 'points' | 'summary'> &
  Partial<Pick<AnalysisChart, 'notes' | 'incomplete' | 'isProfit'>>;

/** Hidden figures are not drawn either. */
function chartOf(
  field: DisplayField,
  parts: ChartParts,
  data: ChartData | null,
  display: Display,
): AnalysisChart {
  const plain = { notes: [], incomplete: null, isProfit: false };
  return { ...plain, field, ...parts, data: display.hides(field) ? null : data };
}

/** Each point is a bucket. */
function bucketData(
  kind: ChartData['kind'],
  analysis: SumsAnalysis | CashAnalysis,
  series: ChartData['series'],
): ChartData {
  const { buckets } = analysis;
  const from = buckets.map((bucket) => bucket.from);
  return { kind, from, to: buckets.at(-1)?.to ?? 0, gaps: chartGaps(analysis), series };
}

function sumsCharts(
  analysis: SumsAnalysis,
  { splitBy }: AnalysisChoices,
  display: Display,
): readonly ChartModel[] {
  const { view, series, buckets, groupBy } = analysis;
  const field = viewFields[view];
  const part = partOf(analysis, display);
  const isSplit = splitBy !== 'asset' && series.some(({ key }) => key !== null);
  const charts = [...Map.groupBy(series, ({ asset }) => asset)].map(([asset, own]) => {
    const shown = withOthers(own.map((each) => labelled(each, isSplit)));
    const rows = shown.reduce((count, each) => count + each.rows, 0);
    const assetBasis = own.find((each) => each.assetBasis !== 'known')?.assetBasis ?? 'known';
    const unit = assetBasis === 'unknown' ? '' : cleanText(asset, 20);
    // What is paid may have one sign in fees and another in transactions.
    const isMixed = new Set(own.map(({ kind }) => kind === 'feeAsSent')).size > 1;
    const total = isMixed ? null : sum(shown.map((each) => each.total));
    const figure = total === null ? unknownText : fullFigure(total, field, display);
    const lead = (part ? partText : totalText)(figure, unit, rows, display);
    const sums = buckets.map((_bucket, point) => sumAt(shown, point));
    const parts: ChartParts = {
      title: plAssetText({ asset, assetBasis }),
      unit,
      points: groupBy,
      incomplete: part && incompleteText(part.text),
      isProfit: view === 'realizedPl' && shown.length === 1,
      summary: isMixed
        ? l10n.t('Total: {0}.', unknownText)
        : part?.isUnread
          ? `${l10n.t('Total: {0}.', unknownText)} ${lead}`
          : summaryText({ values: sums, lead }, field, display),
    };
    const drawn = shown.map(({ label, values, counts, selection }) => {
      return { label, values, rows: counts, isWider: panelFilters(selection).isWider };
    });
    const data = isFlat(shown) ? null : bucketData('bars', analysis, drawn);
    return {
      chart: chartOf(field, parts, data, display),
      buckets,
      selections: shown.map(({ selection }) => selection),
    };
  });
  return charts.toSorted((one, other) => Number(!one.chart.data) - Number(!other.chart.data));
}

/** Of rows of 0 there is nothing to draw. */
function isFlat(series: readonly LabelledSeries[]): boolean {
  return series.every(({ values }) => values.every((value) => value === null || isZero(value)));
}

/** An asset that was not there in the period has no chart. */
export function hasCash({ values, counts }: CashCurve): boolean {
  return counts.some((count) => count > 0) || values.some((value) => !isZero(value));
}

/** Those that moved, then one line of text of the others. */
function cashCharts(analysis: CashAnalysis, display: Display): readonly ChartModel[] {
  const { moved = [], still = [] } = Object.groupBy(analysis.curves.filter(hasCash), (curve) =>
    curve.counts.some((count) => count > 0) ? 'moved' : 'still',
  );
  const charts = moved.map((curve) => cashChart(curve, analysis, display));
  return still.length === 0 ? charts : [...charts, stillChart(still, analysis, display)];
}

function stillChart(
  curves: readonly CashCurve[],
  analysis: CashAnalysis,
  display: Display,
): ChartModel {
  const amounts = curves.map(
    ({ asset, opening }) =>
      `${fullFigure(opening, viewFields.cash, display)} ${cleanText(asset, 20)}`,
  );
  const part = partOf(analysis, display);
  const parts = {
    ...{ title: l10n.t('Without movement'), unit: '', summary: amounts.join(' · ') },
    ...{ points: analysis.groupBy, incomplete: part && incompleteText(part.text) },
  };
  const chart = chartOf(viewFields.cash, parts, null, display);
  return { chart, buckets: [], selections: [] };
}

function cashChart(
  { asset, basis, opening, values, counts, selection }: CashCurve,
  analysis: CashAnalysis,
  display: Display,
): ChartModel {
  const { t } = l10n;
  const { buckets, groupBy } = analysis;
  const part = partOf(analysis, display);
  const gaps = chartGaps(analysis);
  const drawn = values.map((value, point) =>
    subtract(buckets.slice(point, point + 1), gaps).length === 0 ? null : value,
  );
  const field = viewFields.cash;
  const unit = cleanText(asset, 20);
  const label = basis === 'change' ? t('Change of cash') : t('Cash');
  const first = fullFigure(opening, field, display);
  const last = fullFigure(values.at(-1) ?? opening, field, display);
  const { isWider } = panelFilters(selection);
  const lead = t('From {0} to {1} {2}.', first, last, unit);
  const parts: ChartParts = {
    ...{ title: unit, unit, points: groupBy, notes: basisNotes(basis) },
    incomplete: part && incompleteText(part.text),
    summary: summaryText({ values: [opening, ...values], lead }, field, display),
  };
  const data = bucketData('steps', analysis, [{ label, values: drawn, rows: counts, isWider }]);
  return { chart: chartOf(field, parts, data, display), buckets, selections: [selection] };
}

function basisNotes(basis: CashCurve['basis']): string[] {
  const { t } = l10n;
  return {
    deposited: [t('From the deposited balance, which these transactions are known to change.')],
    balance: [],
    change: [t('Earlier transactions are unknown, so the line starts at 0.')],
  }[basis];
}

function equityCharts(
  analysis: EquityAnalysis,
  view: ChosenView,
  display: Display,
): readonly ChartModel[] {
  const { unit, samples, drawdown, values: equity } = analysis;
  if (samples === 0 || waitingText(analysis, display) !== null) return [];
  const isDrawdown = view === 'drawdown';
  const values = isDrawdown ? (drawdown.problem === null ? drawdown.values : []) : equity;
  if (values.length === 0) return [];
  const field = viewFields[view];
  const points = equityPoints(analysis, values);
  const shownUnit = unit === null ? '' : cleanText(unit, 20);
  const known = values.filter((value) => value !== null);
  const [first = '0', last = '0'] = [known[0], known.at(-1)];
  const [from, to] = [first, last].map((value) => fullFigure(value, field, display));
  const label = isDrawdown ? l10n.t('Drawdown') : l10n.t('Equity');
  const lead = l10n.t('From {0} to {1}.', from ?? '', to ?? '');
  const parts: ChartParts = {
    title: [label, shownUnit].filter((each) => each !== '').join(' · '),
    ...{
      unit: shownUnit,
      points: 'moment',
      summary: summaryText({ values, lead }, field, display),
    },
    notes: isDrawdown ? drawdownTexts(analysis, display) : [],
  };
  const series = [{ label, values: points.values, rows: null, isWider: false }];
  const ends = { from: points.times, to: points.times.at(-1) ?? 0 };
  const data: ChartData = { kind: 'line', ...ends, gaps: [], series };
  return [{ chart: chartOf(field, parts, data, display), buckets: [], selections: [] }];
}

function totalText(total: string, unit: string, rows: number, display: Display): string {
  return rows === 1
    ? l10n.t('Total {0} {1} from 1 row.', total, unit)
    : l10n.t('Total {0} {1} from {2} rows.', total, unit, display.count(rows));
}

function partText(total: string, unit: string, rows: number, display: Display): string {
  return rows === 1
    ? l10n.t('What was read: {0} {1} from 1 row.', total, unit)
    : l10n.t('What was read: {0} {1} from {2} rows.', total, unit, display.count(rows));
}

/** With the highest and the lowest value, if there are several. */
function summaryText({ values, lead }: Summarised, field: DisplayField, display: Display): string {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return lead;
  const { min, max } = extremes(known);
  const [lowest, highest] = [min, max].map((value) => fullFigure(value, field, display));
  return `${lead} ${l10n.t('Highest {0}, lowest {1}.', highest ?? '', lowest ?? '')}`;
}
