import { html, svg, type TemplateResult } from 'lit';
import type { DistanceScale } from '../../protocol/table.ts';

/** Of the bar and the gap after it, in CSS pixels. */
export const barWidth = 80;

/**
 * Empty once the distance is passed, with a line at each limit. The text beside it says the same. Its
 * lengths are rounded: they are drawn, not read.
 */
export function distanceBar(cell: string, { full, steps }: DistanceScale): TemplateResult {
  const toLength = (percent: number): number =>
    Math.round(Math.max(0, Math.min((100 * percent) / full, 100)));
  const limits = steps.filter(({ upTo }) => upTo > 0);
  return html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
    <rect width=${toLength(Number(cell))} height="8"></rect>
    ${limits.map(({ upTo }) => {
      const at = toLength(upTo);
      return svg`<line x1=${at} x2=${at} y1="0" y2="8"></line>`;
    })}
  </svg>`;
}
