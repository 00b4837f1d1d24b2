import { unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { fullFigure } from '../../protocol/cellRules.ts';
import type { ChartData } from '../../protocol/chart.ts';
import type { ChartBlock } from '../../protocol/document.ts';
import type { DocumentTexts } from '../fill.ts';

/** What a chart shows, and what opens the rows of a point: of one series, or of all if it is null. */
export type ChartOptions = {
  readonly chart: ChartBlock & { readonly data: ChartData };
  readonly display: Display;
  readonly texts: DocumentTexts;
  readonly open: (point: number, series: number | null) => void;
};

/** One button for each series with rows at a point. */
export function openButtons({ chart: { open, data }, texts }: ChartOptions, point: number) {
  const { series } = data;
  const isOnly = series.filter(({ rows }) => rows !== null).length === 1;
  return series.flatMap(({ label, rows, isWider }, index) => {
    if (!open || (rows?.[point] ?? 0) === 0) return [];
    const text = isOnly ? open.label : texts.showRowsOf(label);
    return [{ series: index, label: text, detail: isWider ? texts.widerRows : null }];
  });
}

/** A point of a chart by its name, then each value with every digit, and whether it is of all that it is named for. */
export function pointTexts(
  { chart, display, texts }: Omit<ChartOptions, 'open'>,
  point: number,
): readonly string[] {
  const { data } = chart;
  const [from = data.to, to = data.to] = data.from.slice(point, point + 2);
  const figures = figuresAt(chart, point, display);
  const isPart = data.gaps.some((gap) => gap.from < to && gap.to > from);
  const name = pointName(chart.points, from, to, display, texts.fromTo);
  if (figures.length === 0) return [name, isPart ? texts.notKnown : texts.noFigure];
  return [name, ...figures, ...(isPart ? [texts.incomplete] : [])];
}

/** The day, the week by its days, or the month of a point; a sample by its moment. */
function pointName(
  points: ChartBlock['points'],
  from: number,
  to: number,
  display: Display,
  fromTo: DocumentTexts['fromTo'],
): string {
  const day = (epochMs: number): string => display.time(epochMs).slice(0, 10);
  if (points === 'moment') return display.time(from);
  if (points === 'month') return day(from).slice(0, 7);
  const last = points === 'week' ? day(to - 1) : day(from);
  return day(from) === last ? last : fromTo(day(from), last);
}

/** Each figure at a point, with every digit. */
function figuresAt(
  { field, unit, data: { series } }: ChartOptions['chart'],
  point: number,
  display: Display,
): string[] {
  const isKnown = series.some(({ values }) => typeof values[point] === 'string');
  return series.flatMap(({ label, values, isLine = false }) => {
    const value = values[point] ?? null;
    // Where bars are of a part, what they add up to is not known.
    if (value === null && !(isLine && isKnown)) return [];
    const figure = value === null ? [unknownText] : [fullFigure(value, { field }, display), unit];
    return [(series.length === 1 ? figure : [label, ...figure]).filter(Boolean).join(' ')];
  });
}
