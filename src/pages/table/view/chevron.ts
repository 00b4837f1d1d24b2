import { svg } from 'lit';

/** The mark of a field that opens a list. */
export const chevron = svg`<svg class="chevron" viewBox="0 0 16 16" aria-hidden="true">
  <path d="m3.5 6 4.5 4.5L12.5 6" />
</svg>`;
