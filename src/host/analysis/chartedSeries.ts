import { l10n } from 'vscode';
import { absolute, compare, negated, sum, type NumberText } from '../../base/decimal.ts';
import { operations } from '../../exchange/operations.ts';
import type { AnalysisSeries, RowSelection } from '../../ledger/analysis/analysis.ts';
import { ledgerHistories } from '../../ledger/ledger.ts';
import { maxFilterLength } from '../../protocol/table.ts';
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
    counts,
    rows,
    selection,
    label: seriesLabel(series, isSplit),
    values: isTurned ? values.map((value) => value && negated(value)) : values,
    total: isTurned ? negated(total) : total,
  };
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

/** The exact sum of a point; null if none of the series has a value there. */
export function sumAt(series: readonly LabelledSeries[], point: number): NumberText | null {
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

/**
 * What a panel can filter of a selection: by the parameters of its history, with one value each.
 * `isWider`: the panel has other rows as well.
 */
export function panelFilters({ history, filters, isExact }: RowSelection): {
  readonly filters: Readonly<Record<string, string>>;
  readonly isWider: boolean;
} {
  const { parameters } = operations[ledgerHistories[history].operation];
  const all = Object.entries(filters);
  const own = all.flatMap(([field, [value, ...others]]) =>
    value !== undefined &&
    others.length === 0 &&
    value.length <= maxFilterLength &&
    Object.hasOwn(parameters, field)
      ? [[field, value] as const]
      : [],
  );
  return { filters: Object.fromEntries(own), isWider: !isExact || own.length < all.length };
}
