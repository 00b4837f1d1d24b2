import { html, type TemplateResult } from 'lit';
import { compactDecimals } from '../base/decimal.ts';
import type { Display } from '../base/display.ts';

/** In grids, where prices of small units stand beside each other. */
export const mostGridDecimals = 8;

/** What is drawn of a figure, and what is not. Behind both there may be a unit. */
function partsOf(figure: string, display: Display, most?: number) {
  const point = figure.lastIndexOf(display.decimalPoint);
  if (display.showsAllDigits || point < 0)
    return { drawn: figure, rest: '', isCut: false, unit: '' };
  const [fraction = ''] = /^\d*/.exec(figure.slice(point + 1)) ?? [];
  const whole = figure.slice(0, point).replace(/\D/g, '');
  const decimals = compactDecimals(`${whole}.${fraction}`, most);
  const [drawn, end] = [decimals === 0 ? point : point + 1 + decimals, point + 1 + fraction.length];
  const rest = figure.slice(drawn, end);
  return {
    drawn: figure.slice(0, drawn),
    rest,
    isCut: /[1-9]/.test(rest),
    unit: figure.slice(end),
  };
}

/** A figure as it is drawn. */
export function drawnFigure(figure: string, display: Display, most?: number): string {
  const { drawn, isCut, unit } = partsOf(figure, display, most);
  return `${drawn}${isCut ? '…' : ''}${unit}`;
}

/**
 * A figure as the user wants its digits. Those that are cut are not drawn, but read aloud, found, selected and
 * copied; `most` is how many decimals are drawn at most.
 */
export function figureView(
  figure: string,
  display: Display,
  most?: number,
): TemplateResult | string {
  const { drawn, rest, isCut, unit } = partsOf(figure, display, most);
  if (rest === '') return figure;
  // oxfmt-ignore
  return html`<span class="figure" data-cut=${isCut} title=${figure}>${drawn}<span class="rest">${rest}</span></span>${unit}`;
}

/** A text with each figure in it as the user wants its digits. Times, dates, versions and addresses are no figures. */
export function textWithFigures(text: string, display: Display): (TemplateResult | string)[] {
  const point = display.decimalPoint === ',' ? ',' : String.raw`\.`;
  const grouped = String.raw`\d{1,3}(?:[.,'’\s]\d{3})+|\d+`;
  const figures = new RegExp(
    String.raw`(?<![\p{L}\d.,:/_-])[+−]?(?:${grouped})${point}\d{3,}(?![\d:]|[.,]\d)`,
    'gu',
  );
  const parts: (TemplateResult | string)[] = [];
  let end = 0;
  for (const { 0: figure, index } of text.matchAll(figures)) {
    parts.push(text.slice(end, index), figureView(figure, display));
    end = index + figure.length;
  }
  return [...parts, text.slice(end)];
}
