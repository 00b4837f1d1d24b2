import { l10n } from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import { secondMs } from '../../base/time.ts';
import type { Display } from '../../base/display.ts';
import type { DisplayField } from '../../base/fieldPrivacy.ts';
import type {
  Analysis,
  CashAnalysis,
  EquityAnalysis,
  SumsAnalysis,
} from '../../ledger/analysis/analysis.ts';
import type { Interval } from '../../ledger/ledger.ts';
import type { AnalysisChoices } from '../../protocol/analysisMessages.ts';
import type { ColumnLayout } from '../../protocol/gridMessages.ts';
import type { GridRows } from '../../protocol/documentRows.ts';
import type { Cell } from '../../protocol/table.ts';
import { maskCells } from '../webview/recordCells.ts';
import { hasCash, viewFields } from './analysisCharts.ts';
import { labelled } from './chartedSeries.ts';
import { bucketPart, type Covered } from './partialFigures.ts';
import { kindLabel, plAssetText, seriesLabel, splitLabel, viewLabel } from './analysisText.ts';

type GridColumn = GridRows['columns'][number];

/** What a chart shows, as rows with every digit: privacy hides nothing here. */
export type AnalysisRows = {
  readonly columns: GridColumn[];
  readonly rows: Cell[][];
  /** Names each row, which may have another place in the next result. */
  readonly keys: string[];
};

/** Newest first, as in the panels; without what has no value. */
export function analysisRows(
  analysis: Exclude<Analysis, { view: 'numbers' | 'feeAudit' }>,
  choices: AnalysisChoices,
  display: Display,
): AnalysisRows {
  switch (analysis.view) {
    case 'cash':
      return cashRows(analysis, display);
    case 'equity':
      return choices.view === 'drawdown' ? drawdownRows(analysis) : equityRows(analysis);
    case 'realizedPl':
    case 'fees':
    case 'funding':
    case 'cashFlow':
      return sumsRows(analysis, choices, display);
  }
}

/** The rows as the page gets them. */
export function analysisGrid(
  { columns, rows, keys }: AnalysisRows,
  pageId: number,
  layout: ColumnLayout,
  display: Display,
): GridRows {
  return {
    pageId,
    columns,
    keys,
    layout,
    rows: rows.map((cells) => maskCells(cells, columns, display)),
    extras: [],
    display: display.settings,
  };
}

type Row = { readonly at: number; readonly key: string; readonly cells: Cell[] };

/** In seconds if it is a whole one: a day begins without a fraction. */
function timeText(epochMs: number): string {
  return String(epochMs % secondMs === 0 ? epochMs / secondMs : epochMs);
}

function rowsOf(columns: GridColumn[], rows: readonly Row[]): AnalysisRows {
  const newestFirst = rows.toSorted((one, other) => other.at - one.at);
  return {
    columns,
    rows: newestFirst.map(({ cells }) => cells),
    keys: newestFirst.map(({ key }) => key),
  };
}

function textColumn(field: DisplayField, label: string): GridColumn {
  return { field, label, kind: 'text' };
}

function decimalColumn(field: DisplayField, label: string, unitField?: 'asset'): GridColumn {
  return { field, label, kind: 'decimal', ...(unitField && { unitField }) };
}

function timeColumn(): GridColumn {
  return { field: 'time', label: l10n.t('From'), kind: 'time' };
}

/** How much there is of a figure: only where rows may be missing. */
function figureColumns(
  field: DisplayField,
  label: string,
  { coverage }: Covered,
): readonly GridColumn[] {
  const { t } = l10n;
  const columns = [
    decimalColumn(field, label, 'asset'),
    textColumn('asset', t('Asset')),
    decimalColumn('rows', t('Rows')),
  ];
  return coverage.gaps.length === 0 ? columns : [...columns, textColumn('complete', t('Complete'))];
}

function partCells(covered: Covered, period: Interval, display: Display): Cell[] {
  return covered.coverage.gaps.length === 0 ? [] : [bucketPart(covered, period, display)];
}

function sumsRows(
  analysis: SumsAnalysis,
  { splitBy }: AnalysisChoices,
  display: Display,
): AnalysisRows {
  const { view, series, buckets } = analysis;
  const isSplit = splitBy !== 'asset' && series.some(({ key }) => key !== null);
  const hasKinds = view === 'fees';
  const columns = [
    timeColumn(),
    ...(isSplit ? [textColumn(splitBy, splitLabel(splitBy))] : []),
    ...(hasKinds ? [textColumn('direction', l10n.t('Kind'))] : []),
    ...figureColumns(viewFields[view], viewLabel(view), analysis),
  ];
  const rows = series.flatMap((each) => {
    const { asset, key, kind } = each;
    const { values, counts } = labelled(each, isSplit);
    const name = key === null ? seriesLabel(each, isSplit) : cleanText(key);
    return buckets.flatMap((bucket, point): Row[] => {
      const { from } = bucket;
      const value = values[point] ?? null;
      if (value === null) return [];
      const cells = [
        timeText(from),
        ...(isSplit ? [name] : []),
        ...(hasKinds ? [kindLabel(kind)] : []),
        ...[value, plAssetText(each), String(counts[point] ?? 0)],
        ...partCells(analysis, bucket, display),
      ];
      return [{ at: from, key: JSON.stringify([from, asset, key, kind]), cells }];
    });
  });
  return rowsOf(columns, rows);
}

/** What cash was also depends on what came before. */
function cashRows(analysis: CashAnalysis, display: Display): AnalysisRows {
  const { curves, buckets, period } = analysis;
  const columns = [timeColumn(), ...figureColumns('total', viewLabel('cash'), analysis)];
  const rows = curves.filter(hasCash).flatMap(({ asset, basis, values, counts }) => {
    const shown = cleanText(asset, 40);
    const unit = basis === 'change' ? l10n.t('{0}, starts at 0', shown) : shown;
    return buckets.map(({ from, to }, point) => ({
      at: from,
      key: JSON.stringify([from, asset]),
      cells: [
        ...[timeText(from), values[point] ?? null, unit],
        String(counts[point] ?? 0),
        ...partCells(analysis, { from: period.from, to }, display),
      ],
    }));
  });
  return rowsOf(columns, rows);
}

function equityRows({ buckets, groups }: EquityAnalysis): AnalysisRows {
  const { t } = l10n;
  const columns = [
    timeColumn(),
    ...[decimalColumn('first', t('First')), decimalColumn('lowest', t('Lowest'))],
    ...[decimalColumn('highest', t('Highest')), decimalColumn('equity', t('Last'))],
    decimalColumn('rows', t('Samples')),
  ];
  const rows = buckets.flatMap(({ from }, point): Row[] => {
    const group = groups[point];
    if (!group) return [];
    const { first, lowest, highest, last, samples } = group;
    const cells = [timeText(from), first, lowest, highest, last, String(samples)];
    return [{ at: from, key: String(from), cells }];
  });
  return rowsOf(columns, rows);
}

function drawdownRows({ times, drawdown }: EquityAnalysis): AnalysisRows {
  const time: GridColumn = { field: 'time', label: l10n.t('Time'), kind: 'time' };
  const columns = [time, decimalColumn('equity', viewLabel('drawdown'))];
  const values = drawdown.problem === null ? drawdown.values : [];
  const rows = values.map((value, point) => {
    const at = times[point] ?? 0;
    return { at, key: String(at), cells: [timeText(at), value] };
  });
  return rowsOf(columns, rows);
}
