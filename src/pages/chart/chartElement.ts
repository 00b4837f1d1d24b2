import { html, LitElement, nothing, svg, type PropertyValues, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { ChartData } from '../../protocol/chart.ts';
import { consumeEvent } from '../controls/controls.ts';
import { textWithFigures } from '../figure.ts';
import { lastUpTo, movedCursor, nearest } from './chartCursor.ts';
import { chartDrawing, type ChartDrawing } from './chartDrawing.ts';
import { drawnChart, type DrawnChart } from './chartSeries.ts';
import { openButtons, pointTexts, type ChartOptions } from './chartText.ts';
import { axesView, cursorView, gapsView, legendView, seriesView } from './chartView.ts';

const height = 240;
/** The tooltip stands beside the cursor, on the side that has more room. */
const tipDistance = 12;

/**
 * A chart over time in SVG, with one tab stop. The cursor moves with the mouse and with keys, and what
 * it is on is read out. Enter or a click opens the rows of a point.
 */
class Chart extends LitElement {
  static override properties = {
    options: { attribute: false },
    width: { state: true },
    cursor: { state: true },
    isolated: { state: true },
  };

  declare options: ChartOptions;
  declare private width: number;
  declare private cursor: number | undefined;
  /** The only series that is drawn; all unless a person chose one in the legend. */
  declare private isolated: number | undefined;
  /** The chart without the series that are not drawn. */
  private shown: ChartOptions['chart'] | undefined;
  private numbers: DrawnChart = { series: [], min: 0, max: 0 };
  private drawing: ChartDrawing | undefined;
  private readonly resizes = new ResizeObserver(() => {
    this.width = Math.floor(this.clientWidth);
  });

  constructor() {
    super();
    this.width = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.resizes.observe(this);
  }

  override disconnectedCallback(): void {
    this.resizes.disconnect();
    super.disconnectedCallback();
  }

  protected override createRenderRoot(): this {
    return this;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { chart, display } = this.options;
    const { data } = chart;
    const before = changed.has('options') ? changed.get('options') : this.options;
    const isOther = before?.chart !== chart;
    const labelsOf = ({ series }: ChartData): string => series.map(({ label }) => label).join('\n');
    if (isOther && before && labelsOf(before.chart.data) !== labelsOf(data))
      this.isolated = undefined;
    if (isOther || changed.has('isolated' as keyof Chart)) {
      this.shown = this.shownChart();
      this.numbers = drawnChart(this.shown.data);
    }
    if (isOther) {
      const { from = data.from } = before?.chart.data ?? {};
      const isAtSameTime = from.length === data.from.length && from[0] === data.from[0];
      if (!isAtSameTime) this.cursor = undefined;
    }
    const { width } = this;
    const isSame = !isOther && before.display === display;
    const isDrawn = !changed.has('width' as keyof Chart) && !changed.has('isolated' as keyof Chart);
    if (width === 0 || (isSame && isDrawn)) return;
    this.drawing = chartDrawing(chart, this.numbers, display, { width, height });
  }

  /** The other series have no values while one is isolated. */
  private shownChart(): ChartOptions['chart'] {
    const { isolated } = this;
    const { chart } = this.options;
    if (isolated === undefined) return chart;
    const series = chart.data.series.map((one, index) =>
      index === isolated ? one : { ...one, values: one.values.map(() => null) },
    );
    return { ...chart, data: { ...chart.data, series } };
  }

  protected override render(): TemplateResult {
    const { cursor, options, isolated } = this;
    const { chart, texts } = options;
    const { title, incomplete, summary, data, isProfit } = chart;
    const isolate = (series: number): void => {
      this.isolated = isolated === series ? undefined : series;
    };
    const atCursor = cursor === undefined ? [] : this.pointTexts(cursor);
    return html`${legendView(data, isProfit, texts.incomplete, isolated, isolate)}
      <div
        class="plot"
        role="application"
        tabindex="0"
        aria-label=${[title, incomplete, summary].filter(Boolean).join('. ')}
        @keydown=${this.onKeydown}
        @pointermove=${this.onPointer}
        @click=${this.onClick}
      >
        ${this.drawingView()} ${this.tipView(atCursor)}
      </div>
      <div class="readout">
        <p class="spoken" role="status">${atCursor.join(' · ')}</p>
        ${this.openView()}
      </div>`;
  }

  private pointTexts(point: number): readonly string[] {
    const { shown, options } = this;
    return pointTexts({ ...options, chart: shown ?? options.chart }, point);
  }

  /** What the cursor is on, where one looks. */
  private tipView([name = '', ...figures]: readonly string[]): TemplateResult | typeof nothing {
    const { drawing, cursor, options } = this;
    if (!drawing || cursor === undefined) return nothing;
    const at = drawing.x[cursor] ?? 0;
    const style =
      at < drawing.width / 2
        ? `left: ${at + tipDistance}px`
        : `right: ${drawing.width - at + tipDistance}px`;
    return html`<div class="tip" aria-hidden="true" .style=${style}>
      <strong>${name}</strong>
      ${figures.map((figure) => html`<span>${textWithFigures(figure, options.display)}</span>`)}
    </div>`;
  }

  private drawingView(): TemplateResult | typeof nothing {
    const { drawing, cursor } = this;
    if (!drawing) return nothing;
    const { width } = drawing;
    const { data, isProfit } = this.options.chart;
    return html`<svg
      width=${width}
      height=${height}
      viewBox="0 0 ${width} ${height}"
      aria-hidden="true"
    >
      ${cursor === undefined ? nothing : cursorView(drawing, data, cursor)}
      ${guard([drawing], () => svg`${gapsView(drawing)}${axesView(drawing)}${seriesView(drawing, data, isProfit)}`)}
    </svg>`;
  }

  private openView(): TemplateResult {
    const { cursor, options } = this;
    const { chart, texts, open } = options;
    if (cursor === undefined) {
      const hasRows = chart.data.series.some(({ rows }) => rows !== null);
      return html`<p class="remark">${hasRows ? texts.hint : texts.hintWithoutRows}</p>`;
    }
    return html`<div class="actions">
      ${openButtons(options, cursor).map(
        ({ series, label, detail }) =>
          html`<button
            type="button"
            title=${detail ?? nothing}
            @click=${() => open(cursor, series)}
          >
            ${label}
          </button>`,
      )}
    </div>`;
  }

  private readonly onKeydown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { cursor, options } = this;
    const moved = movedCursor(event.key, cursor, options.chart.data.from.length);
    const opens = (event.key === 'Enter' || event.key === ' ') && cursor !== undefined;
    if (moved === undefined && !opens) return;
    consumeEvent(event);
    if (moved !== undefined) this.cursor = moved;
    else if (!event.repeat) this.openAt(cursor);
  };

  private readonly onPointer = (event: PointerEvent): void => {
    this.cursor = this.pointAt(event) ?? this.cursor;
  };

  private readonly onClick = (event: MouseEvent): void => {
    this.cursor = this.pointAt(event);
    this.openAt(this.cursor);
  };

  private openAt(point: number | undefined): void {
    const { options } = this;
    if (point !== undefined && openButtons(options, point).length > 0) options.open(point, null);
  }

  /** A bar reaches from its edge to the next one; of a line it is the nearest point. */
  private pointAt({ clientX }: MouseEvent): number | undefined {
    const { drawing, options } = this;
    const plot = this.querySelector('.plot svg');
    if (!drawing || !plot || drawing.x.length === 0) return undefined;
    const place = clientX - plot.getBoundingClientRect().left;
    if (place < drawing.left || place > drawing.right) return undefined;
    const isNearest = options.chart.data.kind === 'line';
    return isNearest ? nearest(place, drawing.x) : lastUpTo(place, drawing.x);
  }
}

customElements.define('margin-chart', Chart);
