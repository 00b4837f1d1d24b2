import { html, nothing, render, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { ref } from 'lit/directives/ref.js';
import {
  consumeEvent,
  fieldErrorView,
  icon,
  inputValue,
  onEnter,
  type IconName,
} from './controls.ts';
import { neighbour } from './lists.ts';

/** A button, and what it opens below itself. */
type PopoverButton = {
  readonly id: string;
  readonly label: string;
  /** Part of the label, shown in its place where there is little room. */
  readonly shortLabel?: string;
  /** In place of the label. */
  readonly iconName?: IconName;
  readonly content: TemplateResult;
  /** Called when the popover closes. */
  readonly onClose?: () => void;
};

export function popoverButton({
  id,
  label,
  shortLabel,
  iconName,
  content,
  onClose,
}: PopoverButton): TemplateResult {
  // Not `toggle`, which fires after a click that closes the popover.
  const onToggle = ({ newState, currentTarget }: ToggleEvent): void => {
    const popover = currentTarget as HTMLElement;
    if (newState === 'open') render(content, popover);
    else returnFocus(popover);
    if (newState === 'closed') onClose?.();
  };
  // Drawn from when it opens for the first time: most are never opened.
  const redraw = (popover?: Element): void => {
    if (popover?.hasChildNodes()) render(content, popover as HTMLElement);
  };
  const isNamed = shortLabel !== undefined || iconName !== undefined;
  return html`<span class="popoverButton">
    <button
      class=${iconName ? 'iconButton' : 'tool'}
      type="button"
      title=${isNamed ? label : nothing}
      aria-label=${isNamed ? label : nothing}
      aria-haspopup="dialog"
      popovertarget=${id}
    >
      ${iconName ? icon(iconName) : html`${labelText(label, shortLabel)}${icon('down')}`}
    </button>
    <div
      id=${id}
      class="popover"
      role="dialog"
      aria-label=${label}
      popover
      @beforetoggle=${onToggle}
      ${ref(redraw)}
    ></div>
  </span>`;
}

function labelText(label: string, shortLabel: string | undefined): TemplateResult {
  if (shortLabel === undefined) return html`<span>${label}</span>`;
  return html`<span class="long">${label}</span><span class="short">${shortLabel}</span>`;
}

type MenuItem = {
  readonly label: string;
  readonly isChecked: boolean;
  readonly choose: () => void;
};

/** Options of which one is chosen, which closes the popover, or any number. */
export function menu(
  label: string,
  items: readonly MenuItem[],
  { isMultiple = false } = {},
): TemplateResult {
  const first = items.find(({ isChecked }) => isChecked) ?? items[0];
  return html`<div class="menu" role="menu" aria-label=${label} @keydown=${moveInMenu}>
    ${items.map(
      (item) =>
        html`<button
          type="button"
          role=${isMultiple ? 'menuitemcheckbox' : 'menuitemradio'}
          aria-checked=${item.isChecked ? 'true' : 'false'}
          tabindex=${item === first ? 0 : -1}
          ?autofocus=${item === first}
          @click=${(event: Event) => {
            if (!isMultiple) closePopover(event);
            item.choose();
          }}
        >
          <span class="check">${item.isChecked ? icon('check') : nothing}</span>${item.label}
        </button>`,
    )}
  </div>`;
}

export type Option<Value> = readonly [value: Value, label: string];

/** Options of which one is chosen. */
export function optionMenu<Value>(
  label: string,
  options: readonly Option<Value>[],
  chosen: Value | undefined,
  choose: (value: Value) => void,
): TemplateResult {
  const items = options.map(([value, text]): MenuItem => ({
    label: text,
    isChecked: value === chosen,
    choose: () => choose(value),
  }));
  return menu(label, items);
}

/** The focus returns to the button of the popover. */
export function closePopover({ target }: Event): void {
  const popover = target instanceof Element ? target.closest<HTMLElement>('[popover]') : null;
  if (popover?.matches(':popover-open')) popover.hidePopover();
}

/** To the button in front of a popover. The browser does not, within another popover. */
function returnFocus(popover: HTMLElement): void {
  const button = popover.previousElementSibling;
  if (popover.contains(document.activeElement) && button instanceof HTMLElement) button.focus();
}

function moveInMenu(event: KeyboardEvent): void {
  const menu = event.currentTarget as HTMLElement;
  const items = [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]')];
  const index = items.findIndex((item) => item === document.activeElement);
  const next = neighbour(event.key, index, items.length);
  if (next === undefined) return;
  consumeEvent(event);
  items[next]?.focus();
}

export type DateField = {
  readonly id: string;
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly edit: (value: string) => void;
};

/** Dates of the user's own. Enter applies them and closes the popover, unless one is invalid. */
export function datesForm(
  legend: string,
  fields: readonly DateField[],
  apply: () => void,
): TemplateResult {
  const onKeydown = onEnter((event) => {
    apply();
    const form = event.currentTarget as HTMLElement;
    if (!form.querySelector('[aria-invalid=true]')) closePopover(event);
  });
  return html`<fieldset class="custom" @keydown=${onKeydown}>
    <legend>${legend}</legend>
    ${fields.map(dateField)}
  </fieldset>`;
}

/** A field for an instant in text. */
function dateField(field: DateField): TemplateResult {
  const { id, label, placeholder, value, error, edit } = field;
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <input
      id=${id}
      class="input"
      type="text"
      autocomplete="off"
      spellcheck="false"
      maxlength="30"
      placeholder=${placeholder}
      aria-invalid=${error === undefined ? 'false' : 'true'}
      aria-describedby=${ifDefined(error === undefined ? undefined : `${id}-error`)}
      .value=${value}
      @input=${(event: Event) => edit(inputValue(event))}
    />
    ${fieldErrorView(`${id}-error`, error)}
  </div>`;
}
