import type { Interval } from '../../base/interval.ts';
import { dayMs } from '../../base/time.ts';
import type { TimeZone } from '../../base/timeZone.ts';
import { analysisGroups, type AnalysisGroup } from './analysis.ts';

/** The buckets of a period, and the days that rows are first added in. */
export type CalendarBuckets = {
  readonly groupBy: AnalysisGroup;
  /** Oldest first, without gaps, cut at the ends of the period. */
  readonly buckets: readonly Interval[];
  /** The days of the period, in the same way. */
  readonly days: readonly Interval[];
  /** The bucket of each day. */
  readonly bucketOfDay: readonly number[];
};

/** Days of ten years. With more, a longer group is chosen. */
const mostBuckets = 4000;

type Day = Interval & { readonly number: number };

/** The days, weeks or months of a zone's calendar that a period lies in. */
export function calendarBuckets(
  period: Interval,
  zone: TimeZone,
  groupBy: AnalysisGroup,
): CalendarBuckets {
  const days = daysOf(period, zone);
  const wanted = analysisGroups.slice(analysisGroups.indexOf(groupBy));
  const startsIn = (group: AnalysisGroup): number[] =>
    days.map(({ number }) => first(number, group));
  const fits = wanted.find((group) => new Set(startsIn(group)).size <= mostBuckets) ?? 'month';
  return { groupBy: fits, ...joined(days, startsIn(fits)) };
}

/**
 * A day lasts from the first time that its midnight comes to the first midnight of the next one: 23, 24 or 25
 * hours as a rule.
 */
function daysOf({ from, to }: Interval, zone: TimeZone): readonly Day[] {
  const days: Day[] = [];
  // When clocks are set back over midnight, the day before occurs again within the day that had started.
  let number = Math.floor(zone.toLocalMs(from) / dayMs);
  if (zone.toEpochMs((number + 1) * dayMs) <= from) number += 1;
  for (let start = from; start < to; number += 1) {
    const end = Math.min(zone.toEpochMs((number + 1) * dayMs), to);
    // A zone that moved across the date line has skipped a day.
    if (end > start) days.push({ from: start, to: end, number });
    start = Math.max(start, end);
  }
  return days;
}

/** The first day of its group. Day 0 was a Thursday; weeks begin on Monday. */
function first(day: number, groupBy: AnalysisGroup): number {
  switch (groupBy) {
    case 'day':
      return day;
    case 'week':
      return Math.floor((day + 3) / 7) * 7 - 3;
    case 'month': {
      const date = new Date(day * dayMs);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / dayMs;
    }
  }
}

function joined(days: readonly Day[], starts: readonly number[]): Omit<CalendarBuckets, 'groupBy'> {
  const buckets: { from: number; to: number }[] = [];
  const bucketOfDay: number[] = [];
  for (const [index, { from, to }] of days.entries()) {
    const last = buckets.at(-1);
    if (last && starts[index] === starts[index - 1]) last.to = to;
    else buckets.push({ from, to });
    bucketOfDay.push(buckets.length - 1);
  }
  return { buckets, days, bucketOfDay };
}

/**
 * The index of a row's day as SQL, for a `time` within the days. Days of 24 hours that follow each other are
 * counted; a day of another length stands alone.
 */
export function dayOfTime(days: readonly Interval[]): string {
  const runs: { index: number; from: number; isCounted: boolean }[] = [];
  for (const [index, { from, to }] of days.entries()) {
    const isCounted = to - from === dayMs;
    if (!isCounted || !runs.at(-1)?.isCounted) runs.push({ index, from, isCounted });
  }
  const valueOf = ({ index, from, isCounted }: (typeof runs)[number]): string =>
    isCounted ? `${index} + (time - ${from}) / ${dayMs}` : String(index);
  const last = runs.pop();
  if (!last) return '0';
  const whens = runs.map((run, index) => {
    const next = runs[index + 1] ?? last;
    return `WHEN time < ${next.from} THEN ${valueOf(run)}`;
  });
  return whens.length === 0 ? valueOf(last) : `CASE ${whens.join(' ')} ELSE ${valueOf(last)} END`;
}
