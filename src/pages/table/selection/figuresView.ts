import { html, type TemplateResult } from 'lit';

/** Figures of the footer, which a press opens line by line: the footer may have no room for them. */
export function figuresView(
  first: TemplateResult,
  figures: readonly string[],
  label: string,
): TemplateResult {
  return html`<span class="popoverButton">
    <button class="tool selection" type="button" aria-haspopup="dialog" popovertarget="figures">
      ${first} ${figures.map((figure) => html`<span>${figure}</span>`)}
    </button>
    <div
      id="figures"
      class="popover figures"
      popover
      role="dialog"
      aria-label=${label}
      tabindex="0"
      autofocus
    >
      <ul>
        ${figures.map((figure) => html`<li>${figure}</li>`)}
      </ul>
    </div>
  </span>`;
}
