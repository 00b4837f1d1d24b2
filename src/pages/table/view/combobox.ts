import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { cleanText } from '../../../base/cleanText.ts';
import type { Filter } from '../../../protocol/table.ts';
import { consumeEvent, inputValue, onEnter } from '../../controls/controls.ts';
import { neighbour, suggestionsFor } from '../../controls/lists.ts';
import { closePopover } from '../../controls/popover.ts';
import type { Dispatch } from '../state/pageState.ts';
import { maxFilterLength } from '../../../protocol/values.ts';

/**
 * The text of a filter with suggestions, in a popover. Enter or the choice of a suggestion closes it. A `datalist`
 * opens away from its field and ignores the arrow keys in desktop webviews (microsoft/vscode#129999,
 * #130001).
 */
class Combobox extends LitElement {
  static override properties = {
    filter: { attribute: false },
    value: { attribute: false },
    dispatch: { attribute: false },
    suggestions: { state: true },
    active: { state: true },
  };

  declare filter: Filter;
  declare value: string;
  declare dispatch: Dispatch;
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
    const { label } = this.filter;
    const isOpen = this.suggestions.length > 0;
    return html`
      <input
        id=${this.inputId}
        class="input"
        type="text"
        role="combobox"
        autofocus
        aria-label=${label}
        autocomplete="off"
        spellcheck="false"
        maxlength=${maxFilterLength}
        aria-autocomplete="list"
        aria-expanded=${isOpen ? 'true' : 'false'}
        aria-controls=${`${this.inputId}-list`}
        aria-activedescendant=${this.active < 0 ? nothing : this.optionId(this.active)}
        .value=${this.value}
        @input=${this.onInput}
        @focus=${() => this.open('')}
        @keydown=${this.onKeydown}
      />
      <ul id=${`${this.inputId}-list`} role="listbox" aria-label=${label} ?hidden=${!isOpen}>
        ${this.suggestions.map((option, index) => this.optionView(option, index))}
      </ul>
    `;
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('active'))
      this.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }

  private optionView(option: string, index: number): TemplateResult {
    return html`<li
      id=${this.optionId(index)}
      role="option"
      aria-selected=${index === this.active ? 'true' : 'false'}
      @mousedown=${(event: Event) => this.pick(option, event)}
    >
      ${cleanText(option)}
    </li>`;
  }

  private get inputId(): string {
    return `filter-${this.filter.parameter}-text`;
  }

  private optionId(index: number): string {
    return `${this.inputId}-option-${index}`;
  }

  private open(typed: string): void {
    this.suggestions = suggestionsFor(typed, this.filter.options);
    this.active = -1;
  }

  private pick(value: string, event: Event): void {
    event.preventDefault();
    closePopover(event);
    this.dispatch({ kind: 'filterChosen', parameter: this.filter.parameter, value });
  }

  private readonly onInput = (event: InputEvent): void => {
    const value = inputValue(event);
    this.dispatch({ kind: 'filterEdited', parameter: this.filter.parameter, value });
    this.open(value);
  };

  private readonly onKeydown = (event: KeyboardEvent): void => {
    onEnter(() => this.pick(this.suggestions[this.active] ?? this.value, event))(event);
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    consumeEvent(event);
    if (this.suggestions.length === 0) this.open('');
    const { active, suggestions } = this;
    if (suggestions.length > 0)
      this.active = neighbour(event.key, active, suggestions.length) ?? -1;
  };
}

customElements.define('margin-combobox', Combobox);
