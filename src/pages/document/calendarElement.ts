import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { mask } from '../../base/display.ts';
import type { CalendarBlock, CalendarDay, Label } from '../../protocol/document.ts';
import { movedCursor } from '../chart/chartCursor.ts';
import { consumeEvent } from '../controls/controls.ts';
import type { DocumentTexts } from '../fill.ts';
import { shownText, type FigureParts, type Press } from './parts.ts';

type CalendarOptions = FigureParts & {
  readonly calendar: CalendarBlock;
  readonly texts: DocumentTexts;
  readonly press: Press;
};

type Month = CalendarBlock['months'][number];
type Week = Month['weeks'][number];

const daysOfWeek = 7;

/** Months of days with one tab stop. Keys move the focus from day to day; Enter or a click opens the rows of a day. */
class Calendar extends LitElement {
  static override properties = { options: { attribute: false }, cursor: { state: true } };

  declare options: CalendarOptions;
  /** The action of the day that has the tab stop: another read may add days before it. */
  declare private cursor: string | undefined;

  protected override createRenderRoot(): this {
    return this;
  }

  protected override render(): TemplateResult {
    const { calendar, texts } = this.options;
    const { days } = this;
    const last = days.at(-1)?.button.action;
    const tabStop = days.find(({ button }) => button.action === this.cursor)?.button.action ?? last;
    return html`<p class="remark">${texts.calendarHint}</p>
      ${
        days.some(({ isIncomplete }) => isIncomplete)
          ? html`<ul class="legend">
              <li>
                <span class="sample" data-state="unknown" aria-hidden="true"></span
                >${texts.incomplete}
              </li>
            </ul>`
          : nothing
      }
      <div class="calendarMonths" @keydown=${this.onKeydown}>
        ${repeat(
          calendar.months,
          ({ title }) => title,
          (month) => this.monthView(month, tabStop),
        )}
      </div>`;
  }

  private get days(): readonly CalendarDay[] {
    const { months } = this.options.calendar;
    return months.toReversed().flatMap(({ weeks }) => weeks.flatMap(({ days }) => days));
  }

  private monthView({ title, sum, weeks }: Month, tabStop: string | undefined): TemplateResult {
    const { columns } = this.options.calendar;
    return html`<article>
      <h3>${title} · ${this.labelView(sum)}</h3>
      <div role="grid" aria-label=${title}>
        <div class="week" role="row">
          ${columns.map((column) => html`<span class="remark" role="columnheader">${column}</span>`)}
        </div>
        ${weeks.map((week) => this.weekView(week, tabStop))}
      </div>
    </article>`;
  }

  private weekView({ sum, days }: Week, tabStop: string | undefined): TemplateResult {
    const { columns } = this.options.calendar;
    return html`<div class="week" role="row">
      ${Array.from({ length: daysOfWeek }, (_none, weekday) => {
        const day = days.find((each) => each.weekday === weekday);
        return day ? this.dayView(day, tabStop) : html`<span role="gridcell"></span>`;
      })}
      <span class="weekSum" role="gridcell" data-word=${columns.at(-1) ?? ''}
        >${this.labelView(sum)}</span
      >
    </div>`;
  }

  private dayView(
    { weekday, figure, strength, isIncomplete, note, button }: CalendarDay,
    tabStop: string | undefined,
  ): TemplateResult {
    const { calendar, hiddenWord, press } = this.options;
    const { action, label, spoken = label } = button;
    return html`<div
      class="day"
      role="gridcell"
      tabindex=${action === tabStop ? 0 : -1}
      data-action=${action}
      data-tone=${figure.tone ?? nothing}
      data-incomplete=${isIncomplete ? 'true' : nothing}
      title=${spoken}
      aria-label=${spoken.replaceAll(mask, hiddenWord)}
      .style=${`--strength: ${strength}`}
      @click=${() => press(action)}
      @focus=${() => (this.cursor = action)}
    >
      <span data-word=${calendar.columns[weekday] ?? ''}>${label}</span>
      <strong>${figure.text}</strong>
      <span>${note}</span>
    </div>`;
  }

  private labelView({ text, detail, tone }: Label): TemplateResult {
    return html`<span class="line" data-tone=${tone ?? nothing} title=${detail ?? nothing}
      >${shownText(text, this.options)}</span
    >`;
  }

  private readonly onKeydown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { days } = this;
    const { key } = event;
    const at = days.findIndex(({ button }) => button.action === this.cursor);
    const byWeeks = { ArrowUp: at - daysOfWeek, ArrowDown: at + daysOfWeek }[key];
    const next = days[byWeeks ?? movedCursor(key, at, days.length) ?? -1];
    if (key === 'Enter' || key === ' ') {
      consumeEvent(event);
      if (!event.repeat) this.options.press(this.cursor ?? '');
    } else if (next) {
      consumeEvent(event);
      this.querySelector<HTMLElement>(`[data-action="${next.button.action}"]`)?.focus();
    }
  };
}

customElements.define('margin-calendar', Calendar);
