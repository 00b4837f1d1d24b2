import { intersection, type Interval } from '../../base/interval.ts';
import {
  postingDelayMs,
  type Checkpoint,
  type Coverage,
  type LedgerHistory,
  type LedgerRecord,
} from '../ledger.ts';

export type TimedRecord<History extends LedgerHistory = LedgerHistory> = {
  /** In epoch milliseconds. */
  readonly time: number;
  readonly record: LedgerRecord<History>;
};

/** What a reconciliation reads of a ledger. Its calls block: it runs where the file is open. */
export type ReconciliationReader = {
  /** In any order. */
  checkpoints(): readonly Checkpoint[];
  /** Null is unknown. */
  marginAssetOf(symbol: string): string | null;
  coverage(history: LedgerHistory): readonly Coverage[];
  /** The records whose time lies in the interval, in any order. */
  records<History extends LedgerHistory>(
    history: History,
    interval: Interval,
  ): Iterable<TimedRecord<History>>;
};

/** The periods in which every one of these histories is complete, oldest first. */
export function coveredSpans(
  reader: Pick<ReconciliationReader, 'coverage'>,
  histories: readonly LedgerHistory[],
): readonly Interval[] {
  return intersection(histories.map((history) => spansOf(reader.coverage(history))));
}

/** Intervals that touch become one. Its end may lack rows that were posted after the read. */
function spansOf(coverage: readonly Coverage[]): readonly Interval[] {
  const spans: { from: number; to: number; asOf: number }[] = [];
  const complete = coverage.filter(({ completeness }) => completeness === 'complete');
  for (const { from, to, asOf } of complete.toSorted((one, other) => one.from - other.from)) {
    const last = spans.at(-1);
    if (!last || from > last.to) spans.push({ from, to, asOf });
    else if (to > last.to) Object.assign(last, { to, asOf });
    else if (to === last.to) last.asOf = Math.max(asOf, last.asOf);
  }
  return spans
    .map(({ from, to, asOf }) => ({ from, to: Math.min(to, asOf - postingDelayMs) }))
    .filter(({ from, to }) => from < to);
}
