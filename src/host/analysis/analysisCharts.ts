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
import { panelFilters } from './panelFilters.ts';
import { incompleteText } from '../text/partOfPeriodText.ts';
import { chartGaps, partOf } from './partialFigures.ts';
import { drawdownTexts, equityPoints, waitingText } from './equityPoints.ts';
import { labelled, sumAt, withOthers, type LabelledSeries } from './chartedSeries.ts';

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

function sumsCharts(
  analysis: SumsAnalysis,
  { splitBy }: AnalysisChoices,
  display: Display,
): readonly ChartModel[] {
  const { t } = l10n;
  const { view, series, buckets, groupBy } = analysis;
  const field = viewFields[view];
  const gaps = chartGaps(analysis);
  const part = partOf(analysis, display);
  const isSplit = splitBy !== 'asset' && series.some(({ key }) => key !== null);
  const charts = [...Map.groupBy(series, ({ asset }) => asset)].map(([asset, own]) => {
    const shown = withOthers(own.map((each) => labelled(each, isSplit)));
    const total = sum(shown.map((each) => each.total));
    const rows = shown.reduce((count, each) => count + each.rows, 0);
    const basis = own.find(({ assetBasis }) => assetBasis !== 'known')?.assetBasis ?? 'known';
    const unit = basis === 'unknown' ? '' : cleanText(asset, 20);
    const figure = fullFigure(total, field, display);
    const lead = (part ? partText : totalText)(figure, unit, rows, display);
    const data: ChartData = {
      kind: 'bars',
      from: buckets.map(({ from }) => from),
      to: buckets.at(-1)?.to ?? 0,
      gaps,
      series: shown.map(({ label, values, counts, selection }) => ({
        label,
        values,
        rows: counts,
        isWider: panelFilters(selection).isWider,
      })),
    };
    const sums = buckets.map((_bucket, point) => sumAt(shown, point));
    return {
      chart: {
        title: plAssetText({ asset, assetBasis: basis }),
        unit,
        field,
        points: groupBy,
        notes: [],
        incomplete: part && incompleteText(part.text),
        isProfit: view === 'realizedPl' && shown.length === 1,
        summary: part?.isUnread
          ? `${t('Total: {0}.', unknownText)} ${lead}`
          : summaryText({ values: sums, lead }, field, display),
        data: display.hides(field) || isFlat(shown) ? null : data,
      },
      buckets,
      selections: shown.map(({ selection }) => selection),
    };
  });
  return [true, false].flatMap((isDrawn) =>
    charts.filter(({ chart }) => (chart.data !== null) === isDrawn),
  );
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
  const chart = {
    ...{ title: l10n.t('Without movement'), summary: amounts.join(' · '), notes: [], data: null },
    ...{ unit: '', field: viewFields.cash, isProfit: false, points: analysis.groupBy },
    incomplete: part && incompleteText(part.text),
  };
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
  return {
    chart: {
      title: unit,
      unit,
      field,
      points: groupBy,
      isProfit: false,
      incomplete: part && incompleteText(part.text),
      summary: summaryText(
        { values: [opening, ...values], lead: t('From {0} to {1} {2}.', first, last, unit) },
        field,
        display,
      ),
      notes: basisNotes(basis),
      data: display.hides(field)
        ? null
        : {
            kind: 'steps',
            from: buckets.map(({ from }) => from),
            to: buckets.at(-1)?.to ?? 0,
            gaps,
            series: [{ label, values: drawn, rows: counts, isWider }],
          },
    },
    buckets,
    selections: [selection],
  };
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
  return [
    {
      chart: {
        title: [isDrawdown ? l10n.t('Drawdown') : l10n.t('Equity'), shownUnit]
          .filter((part) => part !== '')
          .join(' · '),
        unit: shownUnit,
        field,
        isProfit: false,
        incomplete: null,
        points: 'moment',
        summary: summaryText(
          { values, lead: l10n.t('From {0} to {1}.', from ?? '', to ?? '') },
          field,
          display,
        ),
        notes: isDrawdown ? drawdownTexts(analysis, display) : [],
        data: display.hides(field)
          ? null
          : {
              kind: 'line',
              from: points.times,
              to: points.times.at(-1) ?? 0,
              gaps: [],
              series: [
                {
                  label: isDrawdown ? l10n.t('Drawdown') : l10n.t('Equity'),
                  values: points.values,
                  rows: null,
                  isWider: false,
                },
              ],
            },
      },
      buckets: [],
      selections: [],
    },
  ];
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
