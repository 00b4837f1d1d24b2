import type { Interval } from '../../base/interval.ts';
import { dayMs } from '../../base/time.ts';
import type { TimeZone } from '../../base/timeZone.ts';
import { analysisGroups, type AnalysisGroup } from './analysis.ts';

export type CalendarBuckets = {
  readonly groupBy: AnalysisGroup;
  /** Oldest first, without gaps, cut at the ends of the period. */
  readonly buckets: readonly Interval[];
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
  const bucketsIn = (group: AnalysisGroup): Interval[] =>
    [...Map.groupBy(days, ({ number }) => first(number, group)).values()].map((own) => {
      return { from: own[0]?.from ?? 0, to: own.at(-1)?.to ?? 0 };
    });
  for (const group of analysisGroups.slice(analysisGroups.indexOf(groupBy))) {
    const buckets = bucketsIn(group);
    if (buckets.length <= mostBuckets) return { groupBy: group, buckets };
  }
  return { groupBy: 'month', buckets: bucketsIn('month') };
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
