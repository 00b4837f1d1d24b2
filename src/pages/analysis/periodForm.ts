import { html, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import type { Display } from '../../base/display.ts';
import type { AnalysisChoices, AnalysisTexts } from '../../protocol/analysisMessages.ts';
import { consumeEvent, fieldErrorView } from '../table/view/controls.ts';
import { closePopover } from '../table/view/popoverMenu.ts';
import {
  ends,
  parseDates,
  typedOf,
  type ChosenDates,
  type DateErrors,
  type End,
  type TypedDates,
} from './customDates.ts';

type FormParts = {
  readonly dates: ChosenDates | null;
  readonly display: Display;
  readonly texts: AnalysisTexts;
  readonly choose: (changed: Partial<AnalysisChoices>) => void;
};

/** Two dates of the user's own, which take effect with Enter. Keeps what is typed, and why it is invalid. */
export class PeriodForm {
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
    const id = `period-${end}`;
    const typed = this.typed ?? typedOf(dates, display);
    const error = this.errors[end];
    const edit = ({ target }: Event): void => {
      this.typed = { ...typed, [end]: (target as HTMLInputElement).value };
      this.errors = { ...this.errors, [end]: undefined };
      this.draw();
    };
    const label = texts.inZone.replace('{0}', texts[end]).replace('{1}', display.zone.name);
    return html`<div class="field">
      <label for=${id}>${label}</label>
      <input
        id=${id}
        class="input"
        type="text"
        autocomplete="off"
        spellcheck="false"
        maxlength="30"
        placeholder=${texts.instantFormat}
        aria-invalid=${error === undefined ? 'false' : 'true'}
        aria-describedby=${ifDefined(error === undefined ? undefined : `${id}-error`)}
        .value=${typed[end]}
        @input=${edit}
      />
      ${fieldErrorView(`${id}-error`, error)}
    </div>`;
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
    const { from, to } = parsed.dates;
    choose(from === null && to === null ? { dates: null, days: null } : { dates: parsed.dates });
    closePopover(event);
  }
}
