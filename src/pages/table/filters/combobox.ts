import { html, LitElement, nothing, svg, type PropertyValues, type TemplateResult } from 'lit';
import { cleanText } from '../../../base/cleanText.ts';
import { maxFilterLength } from '../../../protocol/table.ts';
import { consumeEvent } from '../view/controls.ts';
import { nextSuggestion, suggestionsFor } from './suggestions.ts';

const chevron = svg`<svg class="chevron" viewBox="0 0 16 16" aria-hidden="true">
  <path d="m3.5 6 4.5 4.5L12.5 6" />
</svg>`;

/**
 * A text field with suggestions. A `datalist` opens away from its field and ignores the arrow keys in
 * desktop webviews (microsoft/vscode#129999, #130001).
 */
class Combobox extends LitElement {
  static override properties = {
    inputId: { attribute: false },
    label: { attribute: false },
    value: { attribute: false },
    options: { attribute: false },
    edit: { attribute: false },
    suggestions: { state: true },
    active: { state: true },
  };

  declare inputId: string;
  declare label: string;
  declare value: string;
  declare options: readonly string[];
  declare edit: (value: string) => void;
  /** Empty while the list is closed. */
  declare private suggestions: readonly string[];
  declare private active: number;

  constructor() {
    super();
    this.suggestions = [];
    this.active = -1;
  }

  protected override createRenderRoot(): this {
    return this;
  }

  protected override render(): TemplateResult {
    const isOpen = this.suggestions.length > 0;
    return html`
      <input
        id=${this.inputId}
        class="input"
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck="false"
        maxlength=${maxFilterLength}
        aria-autocomplete="list"
        aria-expanded=${isOpen ? 'true' : 'false'}
        aria-controls=${`${this.inputId}-list`}
        aria-activedescendant=${this.active < 0 ? nothing : this.optionId(this.active)}
        .value=${this.value}
        @input=${(event: InputEvent) => this.onInput(event)}
        @click=${() => this.open('')}
        @keydown=${(event: KeyboardEvent) => this.onKeydown(event)}
        @blur=${() => this.close()}
      />
      ${this.options.length > 0 ? chevron : nothing}
      <ul id=${`${this.inputId}-list`} role="listbox" aria-label=${this.label} ?hidden=${!isOpen}>
        ${this.suggestions.map((option, index) => this.optionView(option, index))}
      </ul>
    `;
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('active'))
      this.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }

  private optionView(option: string, index: number): TemplateResult {
    const pick = (event: Event): void => {
      event.preventDefault();
      this.pick(option);
    };
    return html`<li
      id=${this.optionId(index)}
      role="option"
      aria-selected=${index === this.active ? 'true' : 'false'}
      @mousedown=${pick}
    >
      ${cleanText(option)}
    </li>`;
  }

  private optionId(index: number): string {
    return `${this.inputId}-option-${index}`;
  }

  private open(typed: string): void {
    this.suggestions = suggestionsFor(typed, this.options);
    this.active = -1;
  }

  private close(): void {
    this.suggestions = [];
    this.active = -1;
  }

  private pick(option: string): void {
    this.edit(option);
    this.close();
  }

  private onInput(event: InputEvent): void {
    const { value } = event.target as HTMLInputElement;
    this.edit(value);
    this.open(value);
  }

  private onKeydown(event: KeyboardEvent): void {
    const isOpen = this.suggestions.length > 0;
    const picked = this.suggestions[this.active];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') this.move(event);
    else if (event.key === 'Enter' && picked !== undefined) {
      consumeEvent(event);
      this.pick(picked);
    } else if (event.key === 'Escape' && isOpen) {
      consumeEvent(event);
      this.close();
    }
  }

  private move(event: KeyboardEvent): void {
    consumeEvent(event);
    if (this.suggestions.length === 0) this.open('');
    const count = this.suggestions.length;
    if (count > 0)
      this.active = nextSuggestion(this.active, event.key === 'ArrowDown' ? 1 : -1, count);
  }
}

customElements.define('margin-combobox', Combobox);
