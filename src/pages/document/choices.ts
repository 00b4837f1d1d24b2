import { html, nothing, type TemplateResult } from 'lit';
import type { Display } from '../../base/display.ts';
import type { Interval } from '../../base/interval.ts';
import type { Choice, Choices, Document } from '../../protocol/document.ts';
import { type DateField, datesForm, menu, popoverButton } from '../controls/popover.ts';
import type { DocumentTexts } from '../fill.ts';
import {
  datesText,
  ends,
  parseDates,
  readDates,
  typedOf,
  writeDates,
  type DateErrors,
  type End,
  type TypedDates,
} from './dates.ts';

type ChoiceParts = {
  readonly texts: DocumentTexts;
  readonly display: Display;
  /** What the user chose; its result may still be computed. */
  readonly chosen: Choices;
  readonly isLoading: boolean;
  readonly choose: (changed: Choices) => void;
  readonly datesForm: DatesForm;
};

/** What a document is of: tabs, then the tools beside them. */
export function choicesView(
  { title, choices = [] }: Document,
  parts: ChoiceParts,
): TemplateResult | typeof nothing {
  const { texts, isLoading } = parts;
  if (choices.length === 0) return nothing;
  const { tabs = [], tools = [] } = Object.groupBy(choices, ({ kind }) =>
    kind === 'tabs' ? 'tabs' : 'tools',
  );
  return html`<div class="choices">
    ${tabs.map((choice) => tabsView(choice, parts))}
    <div class="tools" role="group" aria-label=${texts.choices(title)}>
      ${tools.map((choice) =>
        choice.kind === 'switch' ? switchView(choice, parts) : menuView(choice, parts),
      )}
      <span class="remark" role="status">${isLoading ? texts.loading : nothing}</span>
    </div>
  </div>`;
}

function tabsView(
  { name, label, options }: Choice,
  { chosen, choose }: ChoiceParts,
): TemplateResult {
  return html`<div class="tabs" role="group" aria-label=${label}>
    ${options.map(
      (option) =>
        html`<button
          type="button"
          aria-pressed=${option.value === chosen[name] ? 'true' : 'false'}
          @click=${() => choose({ [name]: option.value })}
        >
          ${option.label}
        </button>`,
    )}
  </div>`;
}

function switchView(
  { name, options: [off, on] }: Choice,
  { chosen, choose }: ChoiceParts,
): TemplateResult {
  const isOn = on !== undefined && chosen[name] === on.value;
  const other = isOn ? off : on;
  return html`<button
    class="tool"
    type="button"
    aria-pressed=${isOn ? 'true' : 'false'}
    @click=${() => choose({ [name]: other?.value ?? '' })}
  >
    ${other?.label}
  </button>`;
}

/** Of a period, also two dates of the user's own. */
function menuView(choice: Choice, parts: ChoiceParts): TemplateResult {
  const { name, label, options, takesDates = false } = choice;
  const { texts, display, chosen, choose, datesForm } = parts;
  const value = chosen[name] ?? '';
  const dates = takesDates ? readDates(value) : null;
  const current = options.find((option) => option.value === value) ?? options[0];
  const items = options.map((option) => ({
    label: option.label,
    isChecked: dates === null && option === current,
    choose: () => choose({ [name]: option.value }),
  }));
  const shown = dates ? datesText(dates, display, texts) : (current?.label ?? '');
  const own = takesDates
    ? datesForm.template({ dates, display, texts, choose: (text) => choose({ [name]: text }) })
    : nothing;
  return popoverButton({
    id: `choice-${name}`,
    label: texts.labelled(label, shown),
    content: html`${menu(label, items)} ${own}`,
    ...(takesDates && { onClose: datesForm.reset }),
  });
}

type FormParts = {
  readonly dates: Interval | null;
  readonly display: Display;
  readonly texts: DocumentTexts;
  readonly choose: (dates: string) => void;
};

/** Two dates of the user's own, which take effect with Enter. Keeps what is typed, and why it is invalid. */
export class DatesForm {
  private readonly draw: () => void;
  private typed: TypedDates | undefined;
  private errors: DateErrors = {};

  constructor(draw: () => void) {
    this.draw = draw;
  }

  template(parts: FormParts): TemplateResult {
    const { texts } = parts;
    const fields = ends.map((end) => this.field(end, parts));
    return datesForm(texts.custom, fields, () => this.apply(parts));
  }

  /** What was typed and not applied is discarded. */
  readonly reset = (): void => {
    this.typed = undefined;
    this.errors = {};
    this.draw();
  };

  private field(end: End, { dates, display, texts }: FormParts): DateField {
    const typed = this.typed ?? typedOf(dates, display);
    return {
      id: `period-${end}`,
      label: texts.inZone(texts[end], display.zone.name),
      placeholder: texts.instantFormat,
      value: typed[end],
      error: this.errors[end],
      edit: (value) => {
        this.typed = { ...typed, [end]: value };
        this.errors = { ...this.errors, [end]: undefined };
        this.draw();
      },
    };
  }

  private apply({ dates, display, texts, choose }: FormParts): void {
    const parsed = parseDates(this.typed ?? typedOf(dates, display), display, texts);
    this.errors = 'errors' in parsed ? parsed.errors : {};
    if ('dates' in parsed) choose(writeDates(parsed.dates));
    else this.draw();
  }
}
