import { html, nothing, type TemplateResult } from 'lit';

/** The sentence at a control that keeps it from being sent. */
export function problemView(
  id: string,
  problem: string | undefined,
): TemplateResult | typeof nothing {
  if (problem === undefined) return nothing;
  return html`<p class="problem" id=${id} role="alert">${problem}</p>`;
}
