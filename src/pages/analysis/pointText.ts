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
  const figures = figuresAt(chart, data, point, display);
  const name = pointName(chart.points, periodOf(data, point), display, texts.fromTo);
  return [name, ...pointTexts(figures, gapAt(data, point), texts)].join(' · ');
}

/** What is missing in a point: all of it, a part, or nothing. */
function gapAt(data: ChartData, point: number): 'all' | 'part' | null {
  const { from, to } = periodOf(data, point);
  const gaps = data.gaps.filter((gap) => gap.from < to && gap.to > from);
  if (gaps.length === 0) return null;
  const isUnread = gaps.some((gap) => gap.isUnread && gap.from <= from && gap.to >= to);
  return isUnread ? 'all' : 'part';
}

function pointTexts(
  figures: string,
  gap: ReturnType<typeof gapAt>,
  texts: AnalysisTexts,
): readonly string[] {
  if (figures === '' && gap === 'all') return [texts.notRead];
  return [figures === '' ? texts.noFigure : figures, ...(gap === null ? [] : [texts.incomplete])];
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
