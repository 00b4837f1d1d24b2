import { html, type TemplateResult } from 'lit';
import type { Display } from '../../base/display.ts';
import { consumeEvent, dateField } from '../controls/controls.ts';
import { closePopover } from '../controls/popover.ts';
import type { DocumentTexts } from './pageTexts.ts';
import {
  ends,
  parseDates,
  typedOf,
  type ChosenDates,
  type DateErrors,
  type End,
  type TypedDates,
  writeDates,
} from './dates.ts';

type FormParts = {
  readonly dates: ChosenDates | null;
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
    return html`<fieldset
      class="custom"
      @keydown=${(event: KeyboardEvent) => this.applyOnEnter(event, parts)}
    >
      <legend>${texts.custom}</legend>
      ${ends.map((end) => this.field(end, parts))}
    </fieldset>`;
  }

  /** What was typed and not applied is discarded. */
  readonly reset = (): void => {
    this.typed = undefined;
    this.errors = {};
    this.draw();
  };

  private field(end: End, { dates, display, texts }: FormParts): TemplateResult {
    const typed = this.typed ?? typedOf(dates, display);
    return dateField({
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
    });
  }

  /** Closes unless a date is invalid. */
  private applyOnEnter(event: KeyboardEvent, { dates, display, texts, choose }: FormParts): void {
    if (event.key !== 'Enter' || event.isComposing) return;
    consumeEvent(event);
    const parsed = parseDates(this.typed ?? typedOf(dates, display), display, texts);
    if ('errors' in parsed) {
      this.errors = parsed.errors;
      this.draw();
      return;
    }
    choose(writeDates(parsed.dates));
    closePopover(event);
  }
}
