import { l10n } from 'vscode';
import { absolute, compare, negated, sum, type NumberText } from '../../base/decimal.ts';
import type { AnalysisSeries, RowSelection } from '../../ledger/analysis/analysis.ts';
import { seriesLabel } from './analysisText.ts';

/** One series with its label and the rows behind it. */
export type LabelledSeries = Pick<AnalysisSeries, 'values' | 'counts' | 'total' | 'rows'> & {
  readonly label: string;
  readonly selection: RowSelection;
};

/** A liquidation fee has the sign of a transaction: what was paid is negative. Fees are counted the other way. */
export function labelled(series: AnalysisSeries, isSplit: boolean): LabelledSeries {
  const { kind, values, total, counts, rows, selection } = series;
  const isTurned = kind === 'liquidationFee';
  return {
    ...{ counts, rows, selection },
    label: seriesLabel(series, isSplit),
    values: isTurned ? values.map((value) => value && negated(value)) : values,
    total: isTurned ? negated(total) : total,
  };
}

/** A reader can distinguish at most so many series. */
const mostSeries = 6;

/** The largest series of an asset; the exact sum of all others is one more. */
export function withOthers(series: readonly LabelledSeries[]): readonly LabelledSeries[] {
  if (series.length <= mostSeries) return series;
  const bySize = series.toSorted((one, other) =>
    compare(absolute(other.total), absolute(one.total)),
  );
  const kept = new Set(bySize.slice(0, mostSeries - 1));
  const others = series.filter((each) => !kept.has(each));
  return [...series.filter((each) => kept.has(each)), sumOf(others)];
}

function sumOf(series: readonly LabelledSeries[]): LabelledSeries {
  const points = series[0]?.values ?? [];
  return {
    label: l10n.t('Others'),
    total: sum(series.map(({ total }) => total)),
    rows: series.reduce((count, { rows }) => count + rows, 0),
    values: points.map((_value, point) => sumAt(series, point)),
    counts: points.map((_value, point) =>
      series.reduce((count, { counts }) => count + (counts[point] ?? 0), 0),
    ),
    selection: joinedSelection(series.map(({ selection }) => selection)),
  };
}

function sumAt(series: readonly LabelledSeries[], point: number): NumberText | null {
  const values = series.flatMap(({ values }) => values[point] ?? []);
  return values.length === 0 ? null : sum(values);
}

/** The rows of several selections of one history: each filter has the values of all, or is left out. */
export function joinedSelection(selections: readonly RowSelection[]): RowSelection {
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
