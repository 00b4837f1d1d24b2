import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type {
  AnalysisAction,
  AnalysisCard,
  AnalysisChart,
  AnalysisChoices,
  AnalysisDocument,
  AnalysisNumbers,
  AnalysisResult,
  AnalysisTexts,
  AnalysisTool,
  CoverageTexts,
} from '../../protocol/analysisMessages.ts';
import '../chart/chartElement.ts';
import type { ChartOptions } from '../chart/chartElement.ts';
import type { Display } from '../../base/display.ts';
import type { DocumentTable } from '../../protocol/documentTable.ts';
import { actionButtons, actionHeader } from '../document/documentHeader.ts';
import { documentTableView, shownText } from '../document/documentTableView.ts';
import { menu, popoverButton } from '../controls/popover.ts';
import { datesText } from './customDates.ts';
import type { PeriodForm } from './periodForm.ts';

type PageState = {
  readonly texts: AnalysisTexts;
  /** What the user chose; its result may still be computed. */
  readonly chosen: AnalysisChoices;
  readonly display: Display;
  readonly isLoading: boolean;
};

type PageParts = {
  readonly choose: (changed: Partial<AnalysisChoices>) => void;
  readonly press: (action: AnalysisAction) => void;
  readonly periodForm: PeriodForm;
  /** Opens the active row of the grid. */
  readonly showRow: () => void;
  readonly grid: TemplateResult | typeof nothing;
  /** Of each chart; null if nothing is drawn of it. */
  readonly chartOptions: readonly (ChartOptions | null)[];
};

/** The whole page. Every text of it is drawn as text. */
export function analysisView(
  document: AnalysisDocument,
  state: PageState,
  parts: PageParts,
): TemplateResult {
  const { title, account, notes, buttons, result, hiddenWord } = document;
  const { press } = parts;
  return html`
    ${actionHeader(title, account, buttons, press)}
    ${notes.map((note) => html`<p class="note" role="note">${note}</p>`)}
    ${document.views.length === 0 ? nothing : toolsView(document, state, parts)}
    ${result === null ? nothing : resultView(result, document, state, parts)}
    ${result === null ? nothing : result.numbers.map((numbers) => numbersView(numbers, hiddenWord, press))}
  `;
}

/** What is shown, then of which period and how. */
function toolsView(
  { views, tools }: AnalysisDocument,
  state: PageState,
  { choose, periodForm }: PageParts,
): TemplateResult {
  const { texts, chosen, isLoading } = state;
  return html`<div class="choices">
    <div class="views" role="group" aria-label=${texts.view}>
      ${views.map(
        ({ view, label }) =>
          html`<button
            type="button"
            aria-pressed=${view === chosen.view ? 'true' : 'false'}
            @click=${() => choose({ view })}
          >
            ${label}
          </button>`,
      )}
    </div>
    <div class="analysisTools" role="group" aria-label=${texts.tools}>
      ${tools.map((tool) =>
        tool.name === 'days'
          ? periodView(tool, state, choose, periodForm)
          : toolView(tool, chosen, texts, choose),
      )}
      ${tools.some(({ name }) => name === 'groupBy') ? asTableButton(chosen, texts, choose) : nothing}
      <span class="remark" role="status">${isLoading ? texts.loading : nothing}</span>
    </div>
  </div>`;
}

/** Of what is drawn as a chart. */
function asTableButton(
  { isTable }: AnalysisChoices,
  texts: AnalysisTexts,
  choose: PageParts['choose'],
): TemplateResult {
  return html`<button
    class="tool"
    type="button"
    aria-pressed=${isTable ? 'true' : 'false'}
    @click=${() => choose({ isTable: !isTable })}
  >
    ${isTable ? texts.showAsChart : texts.showAsTable}
  </button>`;
}

function toolView(
  { name, label, options }: AnalysisTool,
  chosen: AnalysisChoices,
  texts: AnalysisTexts,
  choose: PageParts['choose'],
): TemplateResult {
  const current = options.find(({ value }) => value === chosen[name]) ?? options[0];
  const items = options.map((option) => ({
    label: option.label,
    isChecked: option === current,
    choose: () => choose({ [name]: option.value }),
  }));
  const shown = texts.labelled.replace('{0}', label).replace('{1}', current?.label ?? '');
  return popoverButton({ id: `tool-${name}`, label: shown, content: menu(label, items) });
}

/** The last days, all, or two dates of the user's own. */
function periodView(
  { name, label, options }: AnalysisTool,
  { chosen, display, texts }: PageState,
  choose: PageParts['choose'],
  form: PeriodForm,
): TemplateResult {
  const { days, dates } = chosen;
  const items = options.map(({ value, label: text }) => ({
    label: text,
    isChecked: dates === null && value === days,
    choose: () => choose({ [name]: value, dates: null }),
  }));
  const checked = items.find(({ isChecked }) => isChecked)?.label ?? '';
  const period = dates === null ? checked : datesText(dates, display, texts);
  return popoverButton({
    id: 'tool-days',
    label: texts.labelled.replace('{0}', label).replace('{1}', period),
    content: html`${menu(label, items)} ${form.template({ dates, display, texts, choose })}`,
    onClose: form.reset,
  });
}

function resultView(
  result: AnalysisResult,
  { views, choices, hiddenWord }: AnalysisDocument,
  { isLoading }: PageState,
  { press, showRow, grid, chartOptions }: PageParts,
): TemplateResult {
  const { coverage, notes, empty, charts, tables } = result;
  const title = views.find(({ view }) => view === choices.view)?.label ?? '';
  return html`<section class="result" aria-busy=${isLoading ? 'true' : 'false'}>
    <h2>${title}</h2>
    ${notes.map((note) => html`<p class="remark">${note}</p>`)}
    ${coverage ? coverageView(coverage, press) : nothing}
    ${
      empty === null
        ? nothing
        : html`<div class="empty">
            <p>${empty.text}</p>
            ${empty.button ? actionButtons([empty.button], press) : nothing}
          </div>`
    }
    ${repeat(
      charts,
      ({ title: name }) => name,
      (chart, index) => chartView(chart, chartOptions[index] ?? null, hiddenWord),
    )}
    ${tables.map((table) => tableView(table, hiddenWord))} ${result.grid ? grid : nothing}
    ${
      result.grid && result.showRow !== null
        ? html`<div class="actions">
            <button type="button" @click=${showRow}>${result.showRow}</button>
          </div>`
        : nothing
    }
  </section>`;
}

function coverageView(
  { text, isComplete, gaps, gapsLabel, button }: CoverageTexts,
  press: PageParts['press'],
): TemplateResult {
  return html`<div class="coverage" data-complete=${isComplete ? 'true' : 'false'}>
    <p>${text}</p>
    ${button ? actionButtons([button], press) : nothing}
    ${
      gaps.length === 0
        ? nothing
        : html`<details>
            <summary>${gapsLabel}</summary>
            <ul>
              ${gaps.map((gap) => html`<li>${gap}</li>`)}
            </ul>
          </details>`
    }
  </div>`;
}

function chartView(
  { title, incomplete, summary, notes }: AnalysisChart,
  options: ChartOptions | null,
  hiddenWord: string,
): TemplateResult {
  return html`<article class="chart" data-partial=${incomplete === null ? nothing : 'true'}>
    <h3>${title}</h3>
    ${incompleteView(incomplete)}
    <p class="summary">${shownText(summary, hiddenWord)}</p>
    ${notes.map((note) => html`<p class="remark">${note}</p>`)}
    ${options ? html`<margin-chart .options=${options}></margin-chart>` : nothing}
  </article>`;
}

function tableView(table: DocumentTable, hiddenWord: string): TemplateResult {
  return html`<h3>${table.title}</h3>
    ${table.notes.map((note) => html`<p class="remark">${shownText(note, hiddenWord)}</p>`)}
    ${documentTableView(table, hiddenWord)}`;
}

function numbersView(
  { title, coverage, notes, cards }: AnalysisNumbers,
  hiddenWord: string,
  press: PageParts['press'],
): TemplateResult {
  return html`<section>
    <h2>${title}</h2>
    ${notes.map((note) => html`<p class="remark">${note}</p>`)}
    ${coverage ? coverageView(coverage, press) : nothing}
    <div class="cards">${cards.map((card) => cardView(card, hiddenWord))}</div>
  </section>`;
}

function incompleteView(incomplete: string | null): TemplateResult | typeof nothing {
  return incomplete === null ? nothing : html`<p class="incomplete">${incomplete}</p>`;
}

function cardView(
  { label, incomplete, lines, notes }: AnalysisCard,
  hiddenWord: string,
): TemplateResult {
  return html`<section class="card" data-partial=${incomplete === null ? nothing : 'true'}>
    <h3>${label}</h3>
    ${incompleteView(incomplete)}
    ${lines.map(
      ({ text, detail, tone }) =>
        html`<p class="line" data-tone=${tone ?? nothing} title=${detail ?? nothing}>
          ${shownText(text, hiddenWord)}
        </p>`,
    )}
    ${notes.map((note) => html`<p class="remark">${shownText(note, hiddenWord)}</p>`)}
  </section>`;
}
