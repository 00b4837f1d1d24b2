import { compactForm, unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type {
  AnalysisChart,
  AnalysisDocument,
  AnalysisTexts,
  ChartPlace,
} from '../../protocol/analysisMessages.ts';
import { fullFigure } from '../../protocol/cellRules.ts';
import type { ChartOptions } from '../chart/chartElement.ts';
import { pointName } from './pointName.ts';

type Show = (place: ChartPlace) => void;

/** The charts of a document for their elements: a chart is drawn again only if the document is another one. */
export class ChartCache {
  private readonly texts: AnalysisTexts;
  private readonly show: Show;
  private document: AnalysisDocument | undefined;
  private options: readonly (ChartOptions | null)[] = [];

  constructor(texts: AnalysisTexts, show: Show) {
    this.texts = texts;
    this.show = show;
  }

  /** Null for a chart whose figures are hidden. */
  of(document: AnalysisDocument, display: Display): readonly (ChartOptions | null)[] {
    if (document !== this.document) {
      const { charts = [], id = 0 } = document.result ?? {};
      this.document = document;
      this.options = charts.map((chart, index) =>
        chartOptions(chart, display, this.texts, (point, series) =>
          this.show({ id, chart: index, point, series }),
        ),
      );
    }
    return this.options;
  }
}

function chartOptions(
  chart: AnalysisChart,
  display: Display,
  texts: AnalysisTexts,
  open: ChartOptions['open'],
): ChartOptions | null {
  const { data, title, summary, field, unit, isProfit, points } = chart;
  if (!data) return null;
  const hasRows = data.series.some(({ rows }) => rows !== null);
  const figure = (value: string | null): string =>
    value === null ? unknownText : fullFigure(value, field, display);
  return {
    ...{ data, title, summary, open },
    tone: isProfit ? 'profit' : 'plain',
    zone: display.zone,
    hint: hasRows ? texts.hint : texts.hintWithoutRows,
    tickLabel: (value) => {
      const { scaled, unit: suffix } = compactForm(value);
      return display.full(field, scaled).replace('-', '−') + suffix;
    },
    pointText: (point) => {
      const from = data.from[point] ?? 0;
      const to = data.from[point + 1] ?? data.to;
      const figures = data.series.flatMap(({ label, values }) => {
        const value = values[point] ?? null;
        if (data.series.length === 1)
          return value === null ? [texts.noFigure] : [`${figure(value)} ${unit}`.trim()];
        return value === null ? [] : [`${label} ${figure(value)} ${unit}`.trim()];
      });
      const shown = figures.length === 0 ? [texts.noFigure] : figures;
      return [pointName(points, { from, to }, display, texts.fromTo), ...shown].join(' · ');
    },
    buttons: (point) => buttonsOf(data, point, texts),
  };
}

/** One button for each series with rows at a point. */
function buttonsOf(
  { series }: NonNullable<AnalysisChart['data']>,
  point: number,
  texts: AnalysisTexts,
): ReturnType<ChartOptions['buttons']> {
  return series.flatMap(({ label, rows, isWider }, index) => {
    if ((rows?.[point] ?? 0) === 0) return [];
    const text = series.length === 1 ? texts.showRows : texts.showRowsOf.replace('{0}', label);
    return [{ series: index, label: text, detail: isWider ? texts.widerRows : null }];
  });
}
