import { html, svg, type TemplateResult } from 'lit';
import type { Bar } from '../../protocol/documentTable.ts';

/** A bar with its text, which says everything that the bar shows. */
export function barView({ filled, limits, band }: Bar, text: string): TemplateResult {
  return html`<span class="barred" data-band=${band}>
    <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      ${svg`<rect class="track" width="100" height="8"></rect>
        <rect class="filled" width=${filled} height="8"></rect>
        ${limits.map((limit) => svg`<line class="limit" x1=${limit} x2=${limit} y1="0" y2="8"></line>`)}`}
    </svg>
    <span>${text}</span>
  </span>`;
}
