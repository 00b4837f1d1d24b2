import type { Display } from '../../base/display.ts';
import type { AnalysisChart } from '../../protocol/analysisMessages.ts';

/** The day, the week by its days, or the month of a point; a sample by its moment. */
export function pointName(
  points: AnalysisChart['points'],
  { from, to }: { readonly from: number; readonly to: number },
  display: Display,
  fromTo: string,
): string {
  const day = (epochMs: number): string => display.time(String(epochMs)).slice(0, 10);
  switch (points) {
    case 'day':
      return day(from);
    case 'month':
      return day(from).slice(0, 7);
    case 'week':
      return day(from) === day(to - 1)
        ? day(from)
        : fromTo.replace('{0}', day(from)).replace('{1}', day(to - 1));
    case 'moment':
      return display.time(String(from));
  }
}
