import type { Coverage, Interval, LedgerHistory } from '../ledger.ts';
import { postingDelayMs } from './bracket.ts';
import type { ReconciliationReader } from './reconciliationReader.ts';

/** The periods in which every one of these histories is complete, oldest first. */
export function coveredSpans(
  reader: Pick<ReconciliationReader, 'coverage'>,
  histories: readonly LedgerHistory[],
): readonly Interval[] {
  const [first = [], ...others] = histories.map((history) => spansOf(reader.coverage(history)));
  return others.reduce(inBoth, first);
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

function inBoth(some: readonly Interval[], others: readonly Interval[]): readonly Interval[] {
  return some.flatMap((one) =>
    others
      .map((other) => ({ from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) }))
      .filter(({ from, to }) => from < to),
  );
}
