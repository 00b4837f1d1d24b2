import { secondMs } from '../../base/time.ts';
import { ledgerHistories, type Interval } from '../../ledger/ledger.ts';
import type { RowSelection } from '../../ledger/analysis/analysis.ts';
import type { ChartPlace } from '../../protocol/analysisMessages.ts';
import { maxFilterLength } from '../../protocol/table.ts';
import type { StoredRows } from '../reconciliation/storedRows.ts';
import type { ChartModel } from './analysisCharts.ts';
import { joinedSelection } from './chartedSeries.ts';

/** The rows of the ledger behind a point of a chart; undefined if there is no such point. */
export function pointRows(
  charts: readonly ChartModel[],
  { chart, point, series }: Omit<ChartPlace, 'id'>,
): StoredRows | undefined {
  const model = charts[chart];
  const bucket = model?.buckets[point];
  if (!model || !bucket) return undefined;
  const { selections } = model;
  const drawn = model.chart.data?.series ?? [];
  const chosen =
    series === null
      ? selections.filter((_each, index) => (drawn[index]?.rows?.[point] ?? 0) > 0)
      : selections.slice(series, series + 1);
  return chosen.length === 0 ? undefined : storedRows(joinedSelection(chosen), bucket);
}

/** A filter of a panel has one value: what has several is shown with the other rows of the period. */
function storedRows({ history, filters }: RowSelection, { from, to }: Interval): StoredRows {
  const { operation, filters: ofHistory } = ledgerHistories[history];
  const named = Object.entries(filters).flatMap(([field, [value, ...others]]) =>
    value !== undefined && others.length === 0 && value.length <= maxFilterLength
      ? [[field, value] as const]
      : [],
  );
  return {
    table: operation,
    filters: {
      ...ofHistory,
      ...Object.fromEntries(named),
      dateFrom: new Date(from).toISOString(),
      // A filter has the whole second of its end.
      dateTo: new Date(to - secondMs).toISOString(),
    },
    startAt: undefined,
  };
}
