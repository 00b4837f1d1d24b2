import type { Display } from '../../base/display.ts';
import type { AnalysisChart, AnalysisTexts } from '../../protocol/analysisMessages.ts';
import { fullFigure } from '../../protocol/cellRules.ts';
import type { ChartData } from '../../protocol/chart.ts';

/** A point of a chart with its exact values in words, and whether it is of all that it is named for. */
export function pointText(
  chart: AnalysisChart,
  data: ChartData,
  point: number,
  display: Display,
  texts: AnalysisTexts,
): string {
  const { from, to } = periodOf(data, point);
  const figures = figuresAt(chart, data, point, display);
  const isPart = data.gaps.some((gap) => gap.from < to && gap.to > from);
  const known = figures === '' ? (isPart ? texts.notKnown : texts.noFigure) : figures;
  const name = pointName(chart.points, { from, to }, display, texts.fromTo);
  return [name, known, ...(isPart && figures !== '' ? [texts.incomplete] : [])].join(' · ');
}

function periodOf({ from, to }: ChartData, point: number): { from: number; to: number } {
  return { from: from[point] ?? to, to: from[point + 1] ?? to };
}

/** The day, the week by its days, or the month of a point; a sample by its moment. */
function pointName(
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

/** Every digit of each figure at a point; empty without one. */
function figuresAt(
  { field, unit }: AnalysisChart,
  { series }: ChartData,
  point: number,
  display: Display,
): string {
  const figures = series.flatMap(({ label, values }) => {
    const value = values[point] ?? null;
    if (value === null) return [];
    const figure = [fullFigure(value, field, display), unit];
    return [(series.length === 1 ? figure : [label, ...figure]).filter(Boolean).join(' ')];
  });
  return figures.join(' · ');
}
