import type { Display } from '../../base/display.ts';
import { fullFigure } from '../../protocol/cellRules.ts';
import type { ChartData } from '../../protocol/chart.ts';
import type { ChartBlock } from '../../protocol/document.ts';
import type { DocumentTexts } from './pageTexts.ts';
import type { ChartOptions } from '../chart/chartOptions.ts';

/** Presses the button of a chart: at a point, and of a series unless it is null. */
type Open = (chart: ChartBlock, point: number, series: number | null) => void;

/** The charts of a document for their elements: a chart is drawn again only if it is another one. */
export class ChartCache {
  private readonly texts: DocumentTexts;
  private readonly open: Open;
  private options = new Map<ChartBlock, ChartOptions | null>();

  constructor(texts: DocumentTexts, open: Open) {
    this.texts = texts;
    this.open = open;
  }

  /** Null for a chart of which nothing is drawn. */
  of(chart: ChartBlock, display: Display): ChartOptions | null {
    const known = this.options.get(chart);
    if (known !== undefined) return known;
    const options = chartOptions(chart, display, this.texts, this.open);
    this.options.set(chart, options);
    return options;
  }

  /** Of another document. */
  forget(): void {
    this.options.clear();
  }
}

function chartOptions(
  chart: ChartBlock,
  display: Display,
  texts: DocumentTexts,
  open: Open,
): ChartOptions | null {
  const { data, title, field, isProfit } = chart;
  const summary = [chart.incomplete, chart.summary].filter(Boolean).join('. ');
  if (!data) return null;
  return {
    data,
    title,
    summary,
    open: (point, series) => open(chart, point, series),
    gapLabel: texts.incomplete,
    tone: isProfit ? 'profit' : 'plain',
    hint: data.series.some(({ rows }) => rows !== null) ? texts.hint : texts.hintWithoutRows,
    zone: display.zone,
    tickLabel: (value) => display.full(field, value),
    pointText: (point) => pointText(chart, data, point, display, texts),
    buttons: (point) => buttonsOf(chart, data, point, texts),
  };
}

/** One button for each series with rows at a point. */
function buttonsOf(
  { open }: ChartBlock,
  { series }: ChartData,
  point: number,
  texts: DocumentTexts,
): ReturnType<ChartOptions['buttons']> {
  return series.flatMap(({ label, rows, isWider }, index) => {
    if (!open || (rows?.[point] ?? 0) === 0) return [];
    const text = series.length === 1 ? open.label : texts.showRowsOf(label);
    return [{ series: index, label: text, detail: isWider ? texts.widerRows : null }];
  });
}

/** A point of a chart with its exact values in words, and whether it is of all that it is named for. */
export function pointText(
  chart: ChartBlock,
  data: ChartData,
  point: number,
  display: Display,
  texts: DocumentTexts,
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
  points: ChartBlock['points'],
  { from, to }: { readonly from: number; readonly to: number },
  display: Display,
  fromTo: DocumentTexts['fromTo'],
): string {
  const day = (epochMs: number): string => display.time(String(epochMs)).slice(0, 10);
  switch (points) {
    case 'day':
      return day(from);
    case 'month':
      return day(from).slice(0, 7);
    case 'week':
      return day(from) === day(to - 1) ? day(from) : fromTo(day(from), day(to - 1));
    case 'moment':
      return display.time(String(from));
  }
}

/** Every digit of each figure at a point; empty without one. */
function figuresAt(
  { field, unit }: ChartBlock,
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
