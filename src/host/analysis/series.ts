import { cleanText } from '../../base/cleanText.ts';
import { absolute, compare, sum, type NumberText, extremes } from '../../base/decimal.ts';
import type { Interval } from '../../base/interval.ts';
import {
  signedAsPaid,
  type AnalysisSeries,
  type RowSelection,
  type SeriesKind,
  type CashAnalysis,
  type SumsAnalysis,
} from '../../ledger/analysis/analysis.ts';
import type { TableFilters } from '../../protocol/table.ts';
import { panelFilters, rowsOf, type StoredRows } from '../reconciliation/storedRows.ts';
import type { Display } from '../../base/display.ts';
import type { DisplayField } from '../../base/fieldPrivacy.ts';
import { fullFigure } from '../../protocol/cellRules.ts';
import type { ChartData } from '../../protocol/chart.ts';
import type {
  CalendarBlock,
  ChartBlock,
  CoverageBlock,
  DocumentTable,
} from '../../protocol/document.ts';
import { t } from '../shared/translate.ts';
import type { Live } from '../webview/documentPanel.ts';
import { chartGaps, partOf } from './coverage.ts';
import type { ViewRows } from './grid.ts';

/** What is drawn: a figure and a count of rows for each bucket, and which rows these are. */
type DrawnSeries = {
  readonly label: string;
  readonly values: readonly (NumberText | null)[];
  readonly counts: readonly number[];
  readonly selection: RowSelection;
};

/** One series of sums with its label. */
export type LabelledSeries = DrawnSeries & Pick<AnalysisSeries, 'total' | 'rows'>;

export function labelled(series: AnalysisSeries, isSplit: boolean): LabelledSeries {
  return { ...signedAsPaid(series), label: seriesLabel(series, isSplit) };
}

/** What a series is of. A figure of which no record says the symbol is of several. */
export function seriesLabel(
  { kind, key }: Pick<AnalysisSeries, 'kind' | 'key'>,
  isSplit: boolean,
): string {
  if (key === null) return isSplit && kind === 'funding' ? t('Several symbols') : kindLabel(kind);
  const shown = cleanText(key, 40);
  return kind.startsWith('fee') ? `${shown} · ${kindLabel(kind)}` : shown;
}

export function kindLabel(kind: SeriesKind): string {
  return {
    realizedPl: t('Realised P&L'),
    feePaid: t('Paid'),
    feeRebate: t('Rebates'),
    feeAsSent: t('As sent'),
    liquidationFee: t('Liquidation fees'),
    funding: t('Funding'),
    cashFlow: t('Cash flow'),
  }[kind];
}

/** An asset of P&L, or the symbol whose asset is not known. */
export function plAssetText({
  asset,
  assetBasis,
}: Pick<AnalysisSeries, 'asset' | 'assetBasis'>): string {
  if (assetBasis === 'unknown') return t('{0}, unknown asset', cleanText(asset, 40));
  const shown = cleanText(asset, 20);
  return assetBasis === 'assumed' ? t('{0} (assumed)', shown) : shown;
}

/** How many series a reader can distinguish. */
const mostSeries = 6;

/**
 * The largest series of an asset; the exact sum of all others is one more. The few of another history stay: its
 * rows open in another panel.
 */
export function withOthers(series: readonly LabelledSeries[]): readonly LabelledSeries[] {
  if (series.length <= mostSeries) return series;
  const main = mostOfOneHistory(series);
  const apart = series.length - main.length;
  const bySize = main.toSorted((one, other) => compare(absolute(other.total), absolute(one.total)));
  const joined = new Set(bySize.slice(mostSeries - 1 - apart));
  return [
    ...series.filter((each) => !joined.has(each)),
    sumOf(series.filter((each) => joined.has(each))),
  ];
}

function mostOfOneHistory(series: readonly LabelledSeries[]): readonly LabelledSeries[] {
  const byHistory = Map.groupBy(series, ({ selection }) => selection.history).values();
  return [...byHistory].reduce((most, each) => (each.length > most.length ? each : most), []);
}

function sumOf(series: readonly LabelledSeries[]): LabelledSeries {
  const points = series[0]?.values ?? [];
  return {
    label: t('Others'),
    total: sum(series.map(({ total }) => total)),
    rows: series.reduce((count, { rows }) => count + rows, 0),
    values: points.map((_value, point) => sumAt(series, point)),
    counts: points.map((_value, point) =>
      series.reduce((count, { counts }) => count + (counts[point] ?? 0), 0),
    ),
    selection: joinedSelection(series.map(({ selection }) => selection)),
  };
}

/** The exact sum of a point; null if none of the series has a value there. */
export function sumAt(series: readonly LabelledSeries[], point: number): NumberText | null {
  const values = series.flatMap(({ values }) => values[point] ?? []);
  return values.length === 0 ? null : sum(values);
}

/** The rows of several selections of one history: each filter has the values of all, or is left out. */
function joinedSelection(selections: readonly RowSelection[]): RowSelection {
  const [first = { history: 'trades', filters: {}, isExact: false } as const] = selections;
  const own = selections.filter(({ history }) => history === first.history);
  const fields = Object.keys(first.filters).filter((field) =>
    own.every(({ filters }) => filters[field] !== undefined),
  );
  return {
    history: first.history,
    filters: Object.fromEntries(
      fields.map((field) => [
        field,
        [...new Set(own.flatMap(({ filters }) => filters[field] ?? []))],
      ]),
    ),
    isExact: own.length === selections.length && own.every(({ isExact }) => isExact),
  };
}

/** What has one value each: a panel filters by nothing else. */
function singleFilters({ filters }: RowSelection): TableFilters {
  const single = Object.entries(filters).filter(([, values]) => values.length === 1);
  return Object.fromEntries(single.map(([field, [value = '']]) => [field, value]));
}

/** Whether a panel has other rows as well. */
function isWider(selection: RowSelection): boolean {
  const { history, filters, isExact } = selection;
  const own = panelFilters(history, singleFilters(selection));
  return !isExact || Object.keys(own).length < Object.keys(filters).length;
}

/** The rows of the ledger behind a point: of one series or of all; undefined if there are none. */
function pointRows(
  series: readonly DrawnSeries[],
  buckets: readonly Interval[],
  [point = -1, only]: readonly number[],
): StoredRows | undefined {
  const bucket = buckets[point];
  const chosen = series.filter(
    ({ counts }, index) => (only === undefined || only === index) && (counts[point] ?? 0) > 0,
  );
  if (!bucket || chosen.length === 0) return undefined;
  const selection = joinedSelection(chosen.map((each) => each.selection));
  return rowsOf(selection.history, singleFilters(selection), bucket);
}

/** A chart, and the rows of its points by the index of the point, and of the series unless all are meant. */
export type ViewChart = Omit<ChartBlock, 'open'> & {
  readonly rowsAt: ((at: readonly number[]) => StoredRows | undefined) | null;
};

/** A view as charts or a table, and as rows. */
export type View = {
  /** Whether its figures are hidden depends on it. */
  readonly field: DisplayField;
  readonly charts: readonly ViewChart[];
  /** Above the rows, in place of charts. */
  readonly table?: Live<DocumentTable> | undefined;
  /** In place of charts. */
  readonly calendar?: Live<CalendarBlock> | undefined;
  /** The rows stand alone. */
  readonly hasRowsOnly?: boolean;
  /** With every digit: privacy hides nothing here. */
  readonly rows?: (() => ViewRows) | undefined;
  readonly openRow?: (row: number) => StoredRows | undefined;
  /** Of its button. */
  readonly openLabel?: string;
  /** In place of the note of the view. */
  readonly notes?: string[] | undefined;
  /** In place of what is known of the histories that it is made of. */
  readonly coverage?: Live<CoverageBlock>[] | undefined;
  /** Why there is nothing to see; null if rows are missing. */
  readonly emptyText?: string | null;
};

type ChartParts = Pick<ChartBlock, 'title' | 'unit' | 'field' | 'points' | 'summary'> &
  Partial<Omit<ChartBlock, 'kind'>>;

/** Hidden figures are not drawn either. */
export function chartOf(parts: ChartParts, data: ChartData | null, display: Display): ViewChart {
  return {
    ...{ kind: 'chart', notes: [], incomplete: null, isProfit: false, rowsAt: null },
    ...parts,
    data: display.hides(parts.field) ? null : data,
  };
}

/** Each point is a bucket; without series, nothing is drawn. */
export function bucketChart(
  analysis: SumsAnalysis | CashAnalysis,
  kind: ChartData['kind'],
  parts: Omit<ChartParts, 'points'>,
  series: readonly DrawnSeries[],
  display: Display,
  lines: ChartData['series'] = [],
): ViewChart {
  const { buckets, groupBy: points } = analysis;
  const data: ChartData = {
    kind,
    from: buckets.map(({ from }) => from),
    to: buckets.at(-1)?.to ?? 0,
    gaps: chartGaps(analysis),
    series: [
      ...series.map(({ label, values, counts, selection }) => {
        return { label, values, rows: counts, isWider: isWider(selection) };
      }),
      ...lines,
    ],
  };
  const incomplete = partOf(analysis, display)?.incomplete ?? null;
  const drawn = series.length === 0 ? null : data;
  return {
    ...chartOf({ points, incomplete, ...parts }, drawn, display),
    rowsAt: (at) => pointRows(series, buckets, at),
  };
}

/** After a lead: the highest and the lowest value, if there are several. It may end with `…`, so that no point follows. */
export function summaryText(
  lead: string,
  values: readonly (NumberText | null)[],
  field: DisplayField,
  display: Display,
): string {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return lead;
  const { min, max } = extremes(known);
  const [lowest, highest] = [min, max].map((value) => fullFigure(value, { field }, display));
  return `${lead} · ${t('highest {0}, lowest {1}', highest ?? '', lowest ?? '')}`;
}
