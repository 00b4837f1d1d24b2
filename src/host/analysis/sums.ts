import { cleanText } from '../../base/cleanText.ts';
import { isZero, sum, unknownText, type NumberText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { DisplayField } from '../../base/fieldPrivacy.ts';
import { clip, subtract } from '../../base/interval.ts';
import type {
  AnalysisSeries,
  SumsAnalysis,
  SumsView,
  CashAnalysis,
  CashCurve,
} from '../../ledger/analysis/analysis.ts';
import { fullFigure } from '../../protocol/cellRules.ts';
import type { ChartData } from '../../protocol/chart.ts';
import { t } from '../shared/translate.ts';
import { splitLabel, viewLabel, type AnalysisChoices } from './choices.ts';
import { chartGaps, partOf } from './coverage.ts';
import {
  column,
  figureColumns,
  fromColumn,
  partCells,
  rowsOf,
  timeCell,
  type Row,
  type ViewRows,
} from './grid.ts';
import {
  bucketChart,
  summaryText,
  type View,
  type ViewChart,
  kindLabel,
  labelled,
  plAssetText,
  seriesLabel,
  sumAt,
  withOthers,
  type LabelledSeries,
} from './series.ts';

const fields: Readonly<Record<SumsView, DisplayField>> = {
  realizedPl: 'rpnl',
  fees: 'fee',
  funding: 'amount',
  cashFlow: 'amount',
};

type Split = AnalysisChoices['splitBy'];

/** One chart for each asset, because amounts of two assets have no sum. Those that are drawn come first. */
export function sumsView(analysis: SumsAnalysis, splitBy: Split, display: Display): View {
  const { view, series } = analysis;
  const isSplit = splitBy !== 'asset' && series.some(({ key }) => key !== null);
  const charts = [...Map.groupBy(series, ({ asset }) => asset).values()].map((own) =>
    sumsChart(analysis, own, isSplit, display),
  );
  const isSignUnknown = view === 'fees' && series.some(({ kind }) => kind === 'feeAsSent');
  return {
    field: fields[view],
    notes: isSignUnknown
      ? [t('Fees are shown as sent: the sign of fees is not known yet.')]
      : undefined,
    charts: charts.toSorted((one, other) => Number(!one.data) - Number(!other.data)),
    rows: () => sumsRows(analysis, isSplit ? splitBy : null, display),
  };
}

/** `own` are the series of one asset. */
function sumsChart(
  analysis: SumsAnalysis,
  own: readonly AnalysisSeries[],
  isSplit: boolean,
  display: Display,
): ViewChart {
  const { view } = analysis;
  const shown = withOthers(own.map((each) => labelled(each, isSplit)));
  const asset = own[0]?.asset ?? '';
  const assetBasis = own.find((each) => each.assetBasis !== 'known')?.assetBasis ?? 'known';
  const unit = assetBasis === 'unknown' ? '' : cleanText(asset, 20);
  // What is paid may have one sign in fees and another in transactions.
  const isMixed = new Set(own.map(({ kind }) => kind === 'feeAsSent')).size > 1;
  const summary = isMixed
    ? t('Total: {0}.', unknownText)
    : totalSummary(analysis, shown, unit, display);
  const title = plAssetText({ asset, assetBasis });
  const isProfit = view === 'realizedPl' && shown.length === 1;
  const parts = { title, unit, field: fields[view], isProfit, summary };
  const line = cumulative(analysis, shown);
  const isLined = view === 'realizedPl' && line.values.some((value) => value !== null);
  const lines = isLined ? [line] : [];
  return bucketChart(analysis, 'bars', parts, isFlat(shown) ? [] : shown, display, lines);
}

/**
 * What the bars add up to, exact. A bar that is not complete has no point of the line, which then begins again: what
 * was not read may be anything.
 */
function cumulative(
  analysis: SumsAnalysis,
  series: readonly LabelledSeries[],
): ChartData['series'][number] {
  const gaps = chartGaps(analysis);
  let total: NumberText = '0';
  const values = analysis.buckets.map((bucket, point) => {
    const isWhole = clip(gaps, bucket).length === 0;
    total = isWhole ? sum([total, sumAt(series, point) ?? '0']) : '0';
    return isWhole ? total : null;
  });
  const label = gaps.length === 0 ? t('Cumulative') : t('Cumulative since the last gap');
  return { label, values, rows: null, isWider: false, isLine: true };
}

/** Of rows of 0 there is nothing to draw. */
function isFlat(series: readonly LabelledSeries[]): boolean {
  return series.every(({ values }) => values.every((value) => value === null || isZero(value)));
}

function totalSummary(
  analysis: SumsAnalysis,
  shown: readonly LabelledSeries[],
  unit: string,
  display: Display,
): string {
  const { buckets, view } = analysis;
  const part = partOf(analysis, display);
  const rows = shown.reduce((count, each) => count + each.rows, 0);
  const figure = fullFigure(sum(shown.map((each) => each.total)), { field: fields[view] }, display);
  const total = unit === '' ? figure : `${figure} ${unit}`;
  const texts = part
    ? [
        t('What was read: {0} from 1 row.', total),
        t('What was read: {0} from {1} rows.', total, display.count(rows)),
      ]
    : [
        t('Total {0} from 1 row.', total),
        t('Total {0} from {1} rows.', total, display.count(rows)),
      ];
  const lead = texts[rows === 1 ? 0 : 1] ?? '';
  if (part?.isUnread) return `${t('Total: {0}.', unknownText)} ${lead}`;
  const sums = buckets.map((_bucket, point) => sumAt(shown, point));
  return summaryText(lead, sums, fields[view], display);
}

/** Without what has no value. */
function sumsRows(analysis: SumsAnalysis, splitBy: Split | null, display: Display): ViewRows {
  const { view, series, buckets } = analysis;
  const isSplit = splitBy !== null;
  const hasKinds = view === 'fees';
  const columns = [
    fromColumn(),
    ...(isSplit ? [column(splitBy, splitLabel(splitBy), 'text')] : []),
    ...(hasKinds ? [column('direction', t('Kind'), 'text')] : []),
    ...figureColumns(fields[view], viewLabel(view), analysis),
  ];
  const rows = series.flatMap((each) => {
    const { asset, key, kind, counts } = each;
    const { values } = labelled(each, isSplit);
    const name = key === null ? seriesLabel(each, isSplit) : cleanText(key);
    return buckets.flatMap((bucket, point): Row[] => {
      const { from } = bucket;
      const value = values[point] ?? null;
      if (value === null) return [];
      const cells = [
        ...[timeCell(from), ...(isSplit ? [name] : []), ...(hasKinds ? [kindLabel(kind)] : [])],
        ...[value, plAssetText(each), String(counts[point] ?? 0)],
        ...partCells(analysis, bucket, display),
      ];
      return [{ at: from, key: JSON.stringify([from, asset, key, kind]), cells }];
    });
  });
  return rowsOf(columns, rows);
}

const field = 'total';

/** The assets that moved, then one line of text of the others. One that was not there at all is left out. */
export function cashView(analysis: CashAnalysis, display: Display): View {
  const curves = analysis.curves.filter((each) => hasMoved(each) || !each.values.every(isZero));
  const still = curves.filter((curve) => !hasMoved(curve));
  const moved = curves.filter(hasMoved).map((curve) => cashChart(curve, analysis, display));
  return {
    field,
    charts: still.length === 0 ? moved : [...moved, stillChart(still, analysis, display)],
    rows: () => cashRows(curves, analysis, display),
  };
}

function hasMoved({ counts }: CashCurve): boolean {
  return counts.some((count) => count > 0);
}

function stillChart(
  curves: readonly CashCurve[],
  analysis: CashAnalysis,
  display: Display,
): ViewChart {
  const amounts = curves.map(
    ({ asset, opening }) => `${fullFigure(opening, { field }, display)} ${cleanText(asset, 20)}`,
  );
  const parts = { title: t('Without movement'), unit: '', field } as const;
  return bucketChart(analysis, 'steps', { ...parts, summary: amounts.join(' · ') }, [], display);
}

/** No line over days that were not read. */
function cashChart(
  { asset, basis, opening, values, counts, selection }: CashCurve,
  analysis: CashAnalysis,
  display: Display,
): ViewChart {
  const gaps = chartGaps(analysis);
  const drawn = values.map((value, point) =>
    subtract(analysis.buckets.slice(point, point + 1), gaps).length === 0 ? null : value,
  );
  const unit = cleanText(asset, 20);
  const label = basis === 'change' ? t('Change of cash') : t('Cash');
  const first = fullFigure(opening, { field }, display);
  const last = fullFigure(values.at(-1) ?? opening, { field }, display);
  const lead = t('From {0} to {1} {2}.', first, last, unit);
  const summary = summaryText(lead, [opening, ...values], field, display);
  const parts = { title: unit, unit, field, summary, notes: basisNotes(basis) } as const;
  return bucketChart(
    analysis,
    'steps',
    parts,
    [{ label, values: drawn, counts, selection }],
    display,
  );
}

function basisNotes(basis: CashCurve['basis']): string[] {
  return {
    deposited: [t('From the deposited balance, which these transactions are known to change.')],
    balance: [],
    change: [t('Earlier transactions are unknown, so the line starts at 0.')],
  }[basis];
}

/** What cash was also depends on what came before. */
function cashRows(
  curves: readonly CashCurve[],
  analysis: CashAnalysis,
  display: Display,
): ViewRows {
  const { buckets, period } = analysis;
  const columns = [fromColumn(), ...figureColumns(field, viewLabel('cash'), analysis)];
  const rows = curves.flatMap(({ asset, basis, values, counts }) => {
    const shown = cleanText(asset, 40);
    const unit = basis === 'change' ? t('{0}, starts at 0', shown) : shown;
    return buckets.map(({ from, to }, point) => ({
      at: from,
      key: JSON.stringify([from, asset]),
      cells: [
        ...[timeCell(from), values[point] ?? null, unit, String(counts[point] ?? 0)],
        ...partCells(analysis, { from: period.from, to }, display),
      ],
    }));
  });
  return rowsOf(columns, rows);
}
