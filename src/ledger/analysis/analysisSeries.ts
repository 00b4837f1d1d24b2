import type { NumberText } from '../../base/decimal.ts';
import type { LedgerHistory } from '../ledger.ts';
import type { AssetBasis } from '../storage/symbolAssets.ts';
import type { AnalysisSeries, SeriesKind } from './analysis.ts';
import type { CalendarBuckets } from './calendarBuckets.ts';
import { added, textOf, zeroAmount, type ExactAmount } from './exactAmount.ts';

/** What rows of a day add to a series. */
export type SeriesPart = Pick<AnalysisSeries, 'kind' | 'asset' | 'key'> & {
  /** `known` unless it is named. */
  readonly assetBasis?: AssetBasis;
  readonly day: number;
  readonly amount: ExactAmount;
  readonly count: number;
  readonly history: LedgerHistory;
  /** Fields with the value that these rows have. */
  readonly fields: Readonly<Record<string, string>>;
  /** Whether all rows with these fields are of this series. */
  readonly isExact: boolean;
};

type Bucket = { amount: ExactAmount; count: number };
type Growing = Pick<SeriesPart, 'kind' | 'asset' | 'key' | 'history'> & {
  readonly buckets: Map<number, Bucket>;
  readonly filters: Map<string, Set<string>>;
  isExact: boolean;
  assetBasis: AssetBasis;
};

const kinds: Readonly<Record<SeriesKind, number>> = {
  realizedPl: 0,
  feePaid: 1,
  feeRebate: 2,
  feeAsSent: 3,
  liquidationFee: 4,
  funding: 5,
  cashFlow: 6,
};

/** The parts by bucket: a series for each asset, key and kind. */
export function seriesOf(
  parts: Iterable<SeriesPart>,
  calendar: CalendarBuckets,
): readonly AnalysisSeries[] {
  const series = new Map<string, Growing>();
  for (const part of parts) {
    const { kind, asset, key, history, isExact, assetBasis = 'known' } = part;
    const id = JSON.stringify([kind, asset, key, assetBasis === 'unknown']);
    const growing: Growing = series.get(id) ?? {
      kind,
      asset,
      key,
      history,
      isExact,
      assetBasis,
      buckets: new Map(),
      filters: new Map(),
    };
    series.set(id, growing);
    growing.isExact &&= isExact;
    if (assetBasis !== 'known') growing.assetBasis = assetBasis;
    addPart(growing, part, calendar.bucketOfDay[part.day] ?? 0);
  }
  return [...series.values()]
    .map((growing) => finished(growing, calendar.buckets.length))
    .sort(byAssetKeyAndKind);
}

function addPart(
  { buckets, filters }: Growing,
  { amount, count, fields }: SeriesPart,
  bucket: number,
): void {
  const before = buckets.get(bucket) ?? { amount: zeroAmount, count: 0 };
  buckets.set(bucket, { amount: added(before.amount, amount), count: before.count + count });
  for (const [field, value] of Object.entries(fields))
    filters.set(field, (filters.get(field) ?? new Set()).add(value));
}

function finished(
  { buckets, filters, isExact, history, ...named }: Growing,
  length: number,
): AnalysisSeries {
  let [all, rows] = [zeroAmount, 0];
  const values = Array.from<NumberText | null>({ length }).fill(null);
  const counts = Array.from<number>({ length }).fill(0);
  for (const [index, { amount, count }] of buckets) {
    all = added(all, amount);
    rows += count;
    values[index] = textOf(amount);
    counts[index] = count;
  }
  const selected = [...filters].map(([field, set]) => [field, [...set].sort()] as const);
  const selection = { history, filters: Object.fromEntries(selected), isExact };
  return { ...named, total: textOf(all), rows, values, counts, selection };
}

/** What is not split comes last. */
function byAssetKeyAndKind(one: AnalysisSeries, other: AnalysisSeries): number {
  if (one.asset !== other.asset) return one.asset < other.asset ? -1 : 1;
  if (one.key === other.key) return kinds[one.kind] - kinds[other.kind];
  if (one.key === null || other.key === null) return one.key === null ? 1 : -1;
  return one.key < other.key ? -1 : 1;
}
