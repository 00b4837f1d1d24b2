import { l10n } from 'vscode';
import { extremes, type NumberText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { DisplayField } from '../../base/fieldPrivacy.ts';
import type { CashAnalysis, SumsAnalysis } from '../../ledger/analysis/analysis.ts';
import { fullFigure } from '../../protocol/cellRules.ts';
import type { ChartData } from '../../protocol/chart.ts';
import type { ChartBlock } from '../../protocol/document.ts';
import type { StoredRows } from '../reconciliation/storedRows.ts';
import { chartGaps, partOf } from './coverage.ts';
import type { ViewRows } from './grid.ts';
import { panelFilters, pointRows, type DrawnSeries } from './series.ts';

/** A chart, and the rows of its points by the index of the point, and of the series unless all are meant. */
export type ViewChart = Omit<ChartBlock, 'open'> & {
  readonly rowsAt: ((at: readonly number[]) => StoredRows | undefined) | null;
};

/** A view as charts and as rows. */
export type View = {
  /** Whether its figures are hidden depends on it. */
  readonly field: DisplayField;
  readonly charts: readonly ViewChart[];
  /** With every digit: privacy hides nothing here. */
  readonly rows: () => ViewRows;
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
): ViewChart {
  const { buckets, groupBy: points } = analysis;
  const data: ChartData = {
    kind,
    from: buckets.map(({ from }) => from),
    to: buckets.at(-1)?.to ?? 0,
    gaps: chartGaps(analysis),
    series: series.map(({ label, values, counts, selection }) => {
      return { label, values, rows: counts, isWider: panelFilters(selection).isWider };
    }),
  };
  const incomplete = partOf(analysis, display)?.incomplete ?? null;
  const drawn = series.length === 0 ? null : data;
  return {
    ...chartOf({ points, incomplete, ...parts }, drawn, display),
    rowsAt: (at) => pointRows(series, buckets, at),
  };
}

/** After a sentence: the highest and the lowest value, if there are several. */
export function summaryText(
  lead: string,
  values: readonly (NumberText | null)[],
  field: DisplayField,
  display: Display,
): string {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return lead;
  const { min, max } = extremes(known);
  const [lowest, highest] = [min, max].map((value) => fullFigure(value, field, display));
  return `${lead} ${l10n.t('Highest {0}, lowest {1}.', highest ?? '', lowest ?? '')}`;
}
