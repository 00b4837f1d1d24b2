import { l10n } from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import { isZero, sum, unknownText, type NumberText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { DisplayField } from '../../base/fieldPrivacy.ts';
import { clip } from '../../base/interval.ts';
import type { AnalysisSeries, SumsAnalysis, SumsView } from '../../ledger/analysis/analysis.ts';
import { fullFigure } from '../../protocol/cellRules.ts';
import type { ChartData } from '../../protocol/chart.ts';
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
  return {
    field: fields[view],
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
    ? l10n.t('Total: {0}.', unknownText)
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
  const { t } = l10n;
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
  const { t } = l10n;
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
    ...(hasKinds ? [column('direction', l10n.t('Kind'), 'text')] : []),
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
