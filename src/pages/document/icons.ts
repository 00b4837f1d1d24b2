import { html, svg, type TemplateResult } from 'lit';
import type { BlockState } from '../../protocol/document.ts';

/** Strokes in a square of 16 by 16; a word stands beside each icon. */
const circle = 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13Z';

const strokes: Readonly<Record<BlockState, string>> = {
  done: 'M5 8.3l2.1 2.1L11.2 6',
  problem: 'M8 4.6v4.2M8 11.1v.2',
  pending: 'M8 4.6V8l2.2 1.5',
  skipped: 'M4.8 8h6.4',
  failed: 'M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6',
  unknown: 'M6.1 6.2a1.9 1.9 0 1 1 2.7 1.9c-.6.3-.8.7-.8 1.4M8 11.4v.2',
  notSent: 'M3.6 12.4l8.8-8.8',
};

export function stateIcon(state: BlockState): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    ${svg`<path d=${circle}></path><path d=${strokes[state]}></path>`}
  </svg>`;
}
