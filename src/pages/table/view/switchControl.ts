import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { cleanText } from '../../../base/cleanText.ts';
import type { Filter } from '../../../protocol/table.ts';

/** Options side by side of which exactly one is chosen; choosing takes effect at once. */
export function switchControl(
  { parameter, label, options }: Filter,
  chosen: unknown,
  choose: (option: string) => void,
): TemplateResult {
  return html`
    <fieldset class="field" data-kind="switch">
      <legend>${label}</legend>
      <div class="switch">
        ${options.map(
          (option) =>
            html`<label>
              <input
                type="radio"
                name=${parameter}
                value=${option}
                .checked=${live(option === chosen)}
                @change=${() => choose(option)}
              /><span>${cleanText(option)}</span>
            </label>`,
        )}
      </div>
    </fieldset>
  `;
}
