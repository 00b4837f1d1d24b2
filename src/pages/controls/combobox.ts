import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { cleanText } from '../../base/cleanText.ts';
import { maxFilterLength } from '../../protocol/table.ts';
import { consumeEvent, inputValue } from './controls.ts';
import { neighbour, suggestionsFor } from './lists.ts';
import { closePopover } from './popover.ts';

/**
 * A text field with suggestions, in a popover. Enter or the choice of a suggestion closes it. A `datalist`
 * opens away from its field and ignores the arrow keys in desktop webviews (microsoft/vscode#129999,
 * #130001).
 */
class Combobox extends LitElement {
  static override properties = {
    inputId: { attribute: false },
    label: { attribute: false },
    value: { attribute: false },
    options: { attribute: false },
    edit: { attribute: false },
    choose: { attribute: false },
    suggestions: { state: true },
    active: { state: true },
  };

  declare inputId: string;
  declare label: string;
  declare value: string;
  declare options: readonly string[];
  declare edit: (value: string) => void;
  declare choose: (value: string) => void;
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
        autofocus
        aria-label=${this.label}
        autocomplete="off"
        spellcheck="false"
        maxlength=${maxFilterLength}
        aria-autocomplete="list"
        aria-expanded=${isOpen ? 'true' : 'false'}
        aria-controls=${`${this.inputId}-list`}
        aria-activedescendant=${this.active < 0 ? nothing : this.optionId(this.active)}
        .value=${this.value}
        @input=${(event: InputEvent) => this.onInput(event)}
        @focus=${() => this.open('')}
        @keydown=${(event: KeyboardEvent) => this.onKeydown(event)}
      />
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
      this.pick(option, event);
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

  private pick(value: string, event: Event): void {
    closePopover(event);
    this.choose(value);
  }

  private onInput(event: InputEvent): void {
    const value = inputValue(event);
    this.edit(value);
    this.open(value);
  }

  private onKeydown(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') this.move(event);
    else if (event.key === 'Enter' && !event.isComposing) {
      consumeEvent(event);
      this.pick(this.suggestions[this.active] ?? this.value, event);
    }
  }

  private move(event: KeyboardEvent): void {
    consumeEvent(event);
    if (this.suggestions.length === 0) this.open('');
    const { active, suggestions } = this;
    if (suggestions.length > 0)
      this.active = neighbour(event.key, active, suggestions.length) ?? -1;
  }
}

customElements.define('margin-combobox', Combobox);
