import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import type { ChartData } from '../../protocol/chart.ts';
import type { ChartDrawing } from './chartDrawing.ts';

export function axesView({
  left,
  right,
  bottom,
  zero,
  valueTicks,
  timeTicks,
}: ChartDrawing): SVGTemplateResult {
  return svg`<g class="axes">
    ${valueTicks.map(
      ({ at, label }) =>
        svg`<path class="gridLine" d="M${left} ${at}H${right}"/>
          <text x=${left - 6} y=${at + 4} text-anchor="end">${label}</text>`,
    )}
    ${timeTicks.map(
      ({ at, label }) =>
        svg`<path class="tick" d="M${at} ${bottom}v4"/>
          <text x=${at} y=${bottom + 17} text-anchor=${anchor(at, label, right)}>${label}</text>`,
    )}
    ${zero === null ? nothing : svg`<path class="zero" d="M${left} ${zero}H${right}"/>`}
  </g>`;
}

/** A label at the right edge ends there. */
function anchor(at: number, { length }: { readonly length: number }, right: number): string {
  return at + length * 3.5 > right + 8 ? 'end' : 'middle';
}

/** Hatches what is not known. Each chart has the pattern, which is the same in all of them. */
export function gapsView({ gaps, top, bottom }: ChartDrawing): SVGTemplateResult {
  return svg`<g class="gaps">
    ${gaps.length > 0 ? hatch : nothing}
    ${gaps.map(
      ({ at, width }) =>
        svg`<rect class="gap" fill="url(#hatch)" x=${at} y=${top} width=${width} height=${bottom - top}/>`,
    )}
  </g>`;
}

const hatch = svg`<defs>
  <pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <path class="hatch" d="M0 0V7"/>
  </pattern>
</defs>`;

/** Each series in a colour and a dash or a pattern of its own. */
export function seriesView(
  { paths }: ChartDrawing,
  { series }: ChartData,
  isProfit: boolean,
): SVGTemplateResult {
  return svg`<g class="series" data-tone=${isProfit ? 'profit' : nothing}>
    ${paths.map((path, index) => seriesGroup(index, series[index]?.isLine, pathView(path)))}
  </g>`;
}

/** Each series has a colour; in high contrast also a dash, or a filling and an outline of its bars. */
function seriesGroup(
  series: number,
  isLine: boolean | undefined,
  content: SVGTemplateResult,
): SVGTemplateResult {
  const index = series % looks.length;
  const [mark, dash, fill] = isLine ? overBars : (looks[index] ?? looks[0]);
  const style = `--mark: ${mark}; --dash: ${dash}; --fill: ${fill}`;
  return svg`<g data-series=${index} .style=${style}>${content}</g>`;
}

/** Red and green are of losses and gains. */
const looks = [
  ['var(--vscode-charts-blue)', 'none', '100%'],
  ['var(--orange)', '6 3', '25%'],
  ['var(--vscode-charts-purple)', '2 2', '0%'],
  ['var(--grey)', '8 3 2 3', '60%'],
  ['var(--cyan)', '2 4', '40%'],
  ['var(--magenta)', '10 4', '10%'],
] as const;
const overBars = ['var(--vscode-foreground)', 'none', '100%'] as const;

function pathView(path: ChartDrawing['paths'][number]): SVGTemplateResult {
  if ('line' in path) return svg`<path class="line" d=${path.line}/>`;
  return svg`<path class="bar above" d=${path.above}/><path class="bar below" d=${path.below}/>`;
}

/** The bar that the cursor is on, or a line with a dot on each series. */
export function cursorView(
  drawing: ChartDrawing,
  { kind }: ChartData,
  point: number,
): SVGTemplateResult {
  const { x, top, bottom, right, paths, yAt } = drawing;
  const left = x[point] ?? 0;
  if (kind === 'bars') {
    const width = Math.max(2, (x[point + 1] ?? right) - left);
    return svg`<rect class="cursor" x=${left} y=${top} width=${width} height=${bottom - top}/>`;
  }
  return svg`<path class="cursor" d="M${left} ${top}V${bottom}"/>
    ${paths.map((_path, series) => {
      const y = yAt(series, point);
      return y === null ? nothing : svg`<circle class="cursor" cx=${left} cy=${y} r="4"/>`;
    })}`;
}

/**
 * The name of each series beside its look, to draw it alone; not of a single one, whose chart has its name. Then what
 * is hatched.
 */
export function legendView(
  { kind, series, gaps }: ChartData,
  isProfit: boolean,
  gapLabel: string,
  isolated: number | undefined,
  isolate: (series: number) => void,
): TemplateResult | typeof nothing {
  const named = series.length < 2 ? [] : series;
  const bar = svg`<path class="bar above" d="M0 1h12v10h-12z"/><path class="bar below" d="M12 1h12v10h-12z"/>`;
  const line = svg`<path class="line" d="M0 6H24"/>`;
  const gap = svg`<rect class="gap" fill="url(#hatch)" x="0.5" y="0.5" width="23" height="11"/>`;
  if (named.length === 0 && gaps.length === 0) return nothing;
  const sampleView = (sample: SVGTemplateResult): TemplateResult =>
    html`<svg width="24" height="12" aria-hidden="true">${sample}</svg>`;
  return html`<ul class="legend" data-tone=${isProfit ? 'profit' : nothing}>
    ${named.map(
      ({ label, isLine }, index) =>
        html`<li data-muted=${isolated !== undefined && isolated !== index}>
          <button
            type="button"
            class="tool"
            aria-pressed=${index === isolated ? 'true' : 'false'}
            @click=${() => isolate(index)}
          >
            ${sampleView(seriesGroup(index, isLine, kind === 'bars' && !isLine ? bar : line))}${label}
          </button>
        </li>`,
    )}
    ${gaps.length > 0 ? html`<li>${sampleView(gap)}${gapLabel}</li>` : nothing}
  </ul>`;
}
