import type { TimeZone } from '../../base/timeZone.ts';
import type { Interval } from '../ledger.ts';
import type { CoveragePart, CoverageState } from './coverageParts.ts';
import { clip } from './intervals.ts';

/** A month of a map, as far as the period reaches. */
export type CoverageMonth = Interval & {
  /** The weakest state of its parts. */
  readonly completeness: CoverageState;
  readonly parts: readonly CoveragePart[];
};

const weakestFirst: readonly CoverageState[] = ['neverRead', 'unknown', 'drifted', 'complete'];

/** The months of a zone's calendar that the parts of a period lie in, oldest first. */
export function coverageMonths(
  parts: readonly CoveragePart[],
  zone: TimeZone,
): readonly CoverageMonth[] {
  const [first, last] = [parts.at(0), parts.at(-1)];
  if (!first || !last) return [];
  const months: CoverageMonth[] = [];
  for (let { from } = first; from < last.to; from = months.at(-1)?.to ?? last.to) {
    const month = { from, to: Math.min(nextMonth(from, zone), last.to) };
    months.push({ ...month, ...within(parts, month) });
  }
  return months;
}

function within(parts: readonly CoveragePart[], month: Interval) {
  const own = parts.flatMap((part) =>
    clip([part], month).map((interval) => ({ ...part, ...interval })),
  );
  const states = new Set(own.map(({ completeness }) => completeness));
  const completeness = weakestFirst.find((state) => states.has(state)) ?? 'neverRead';
  return { parts: own, completeness };
}

function nextMonth(epochMs: number, zone: TimeZone): number {
  const local = new Date(zone.toLocalMs(epochMs));
  return zone.toEpochMs(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 1));
}
