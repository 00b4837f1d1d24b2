import type { Display } from '../../base/display.ts';
import type {
  AnalysisChart,
  AnalysisDocument,
  AnalysisTexts,
  ChartPlace,
} from '../../protocol/analysisMessages.ts';
import type { ChartData } from '../../protocol/chart.ts';
import type { ChartOptions } from '../chart/chartElement.ts';
import { pointText } from './pointText.ts';

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

  /** Null for a chart of which nothing is drawn. */
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
  const { data, title, field, isProfit } = chart;
  const summary = [chart.incomplete, chart.summary].filter(Boolean).join('. ');
  if (!data) return null;
  return {
    data,
    title,
    summary,
    open,
    gapLabel: texts.incomplete,
    tone: isProfit ? 'profit' : 'plain',
    hint: data.series.some(({ rows }) => rows !== null) ? texts.hint : texts.hintWithoutRows,
    zone: display.zone,
    tickLabel: (value) => display.full(field, value),
    pointText: (point) => pointText(chart, data, point, display, texts),
    buttons: (point) => buttonsOf(data, point, texts),
  };
}

/** One button for each series with rows at a point. */
function buttonsOf(
  { series }: ChartData,
  point: number,
  texts: AnalysisTexts,
): ReturnType<ChartOptions['buttons']> {
  return series.flatMap(({ label, rows, isWider }, index) => {
    if ((rows?.[point] ?? 0) === 0) return [];
    const text = series.length === 1 ? texts.showRows : texts.showRowsOf.replace('{0}', label);
    return [{ series: index, label: text, detail: isWider ? texts.widerRows : null }];
  });
}
