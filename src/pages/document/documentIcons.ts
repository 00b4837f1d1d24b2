import { html, svg, type TemplateResult } from 'lit';
import type { LineState } from '../../protocol/reconciliationMessages.ts';

/** Strokes in a square of 16 by 16; a word stands beside each icon. */
const strokes = {
  circle: 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13Z',
  check: 'M5 8.3l2.1 2.1L11.2 6',
  cross: 'M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6',
  slash: 'M3.6 12.4l8.8-8.8',
  half: 'M4.8 8h6.4',
  question: 'M6.1 6.2a1.9 1.9 0 1 1 2.7 1.9c-.6.3-.8.7-.8 1.4M8 11.4v.2',
  clock: 'M8 4.6V8l2.2 1.5',
  exclamation: 'M8 4.6v4.2M8 11.1v.2',
} as const;

const verdictStrokes: Readonly<Record<LineState, string>> = {
  proved: strokes.check,
  contradicted: strokes.cross,
  undecided: strokes.question,
};

export function verdictIcon(state: LineState): TemplateResult {
  return icon(verdictStrokes[state]);
}

function icon(inner: string): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    ${svg`<path d=${strokes.circle}></path><path d=${inner}></path>`}
  </svg>`;
}
