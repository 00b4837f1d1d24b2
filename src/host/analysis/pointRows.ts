import { secondMs } from '../../base/time.ts';
import { ledgerHistories, type Interval } from '../../ledger/ledger.ts';
import type { RowSelection } from '../../ledger/analysis/analysis.ts';
import type { ChartPlace } from '../../protocol/analysisMessages.ts';
import type { StoredRows } from '../reconciliation/storedRows.ts';
import { joinedSelection, panelFilters } from './chartedSeries.ts';
import type { ChartModel } from './analysisCharts.ts';

/** The rows of the ledger behind a point of a chart; undefined if there are none. */
export function pointRows(
  charts: readonly ChartModel[],
  { chart, point, series }: Omit<ChartPlace, 'id'>,
): StoredRows | undefined {
  const model = charts[chart];
  const bucket = model?.buckets[point];
  if (!model || !bucket) return undefined;
  const drawn = model.chart.data?.series ?? [];
  const chosen = model.selections.filter(
    (_selection, index) =>
      (series === null || series === index) && (drawn[index]?.rows?.[point] ?? 0) > 0,
  );
  return chosen.length === 0 ? undefined : storedRows(joinedSelection(chosen), bucket);
}

function storedRows(selection: RowSelection, { from, to }: Interval): StoredRows {
  const { operation, filters } = ledgerHistories[selection.history];
  return {
    table: operation,
    filters: {
      ...filters,
      ...panelFilters(selection).filters,
      dateFrom: new Date(from).toISOString(),
      // A filter has the whole second of its end.
      dateTo: new Date(to - secondMs).toISOString(),
    },
    startAt: undefined,
  };
}
