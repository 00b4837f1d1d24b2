import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { cleanText } from '../../../base/cleanText.ts';
import { difference, parseCount } from '../../../base/decimal.ts';
import type { PeriodPart } from '../../../base/interval.ts';
import { fullFigure } from '../../../protocol/cellRules.ts';
import type { LedgerFigures, ShownRows, TablePage } from '../../../protocol/table.ts';
import { figuresView, selectionText, type Figure } from '../../grid/figures.ts';
import { pageCountText, pagerOf, partText, rangeText, gridOf } from '../state/shownRows.ts';
import { pageParameter, type Dispatch, type OpenState } from '../state/pageState.ts';
import {
  button,
  onEnter,
  fieldErrorView,
  iconButton,
  inputValue,
} from '../../controls/controls.ts';
import { optionMenu, popoverButton, type Option } from '../../controls/popover.ts';

/** One line: which rows these are of how many, the pages beside them, and when they were read. */
export function pageFooter(state: OpenState, now: number, dispatch: Dispatch): TemplateResult {
  const { texts, description, shown } = state;
  const ledger = shown?.page.ledger;
  const selected = selectionText(gridOf(state));
  const hasSelected = selected !== nothing;
  const hasPages = description.pageSizes.length > 0;
  const hasSums = ledger && !hasSelected && ledger.sums.length > 0;
  // The figures of all rows begin with how many there are.
  const hasRange = hasPages && !(hasSums && shown.page.totalPages === '1');
  return html`
    ${shown?.page.part ? partBar(shown.page.part, state, dispatch) : nothing}
    <footer class="footer">
      ${hasRange && shown ? rangeView(shown, state) : nothing}
      ${hasPages ? pageSteps(state, dispatch) : nothing}
      ${hasPages && !state.query.ledger ? pageSizeMenu(state, dispatch) : nothing}
      ${ledger && !hasSelected ? ledgerFigures(state, ledger) : selected}
      <span class="asOf">
        <span role="status"
          >${shown && shown.page.id === state.outdatedPageId ? texts.newerRows : nothing}</span
        >
        ${shown ? readAtView(shown, state, now, hasSums) : nothing}
      </span>
    </footer>
  `;
}

/** The exact figures of all rows of the ledger that match, by column and unit. */
function ledgerFigures(
  { description: { columns }, display, texts, shown: rows }: OpenState,
  { sums, incomplete, coverage }: LedgerFigures,
): TemplateResult | typeof nothing {
  const figures = sums.map(({ field, unit, lacking, sum, min, max, bySide }): Figure => {
    const column = columns.find((one) => one.field === field) ?? { field, label: field };
    const shown = (figure: string): string => fullFigure(figure, column, display);
    const shownUnit = cleanText(unit ?? '', 40);
    const name = `${column.label} ${shownUnit}`.trim();
    const isOnly = sums.filter((one) => one.field === field).length === 1;
    if (bySide) {
      const { bought, sold } = bySide;
      const net = display.signedFull(field, difference(bought, sold));
      const line = texts.bySide(name, shown(bought), shown(sold), net);
      return { short: texts.net(shownUnit, net).trim(), line: texts.lacking(line, lacking) };
    }
    const line = texts.allSums(name, shown(sum), shown(min), shown(max));
    return {
      short: `${isOnly ? column.label : name} ${shown(sum)}`,
      line: texts.lacking(line, lacking),
    };
  });
  if (figures.length === 0) return nothing;
  const count = parseCount(rows?.page.totalElements ?? null);
  const whole = count === undefined ? texts.allRows : texts.rowsRead(count);
  const first = html`<span class=${incomplete === null ? nothing : 'incomplete'}
    >${incomplete ?? whole}</span
  >`;
  const label = [texts.figuresOfAll, incomplete].filter(Boolean).join('. ');
  return html`<div class="selected ofAll" data-partial=${incomplete === null ? nothing : 'true'}>
    ${figuresView(first, figures, label, display, incomplete && `${incomplete} · ${coverage}`)}
  </div>`;
}

/** Rows of the ledger are as new as it is complete. Figures of a part say that themselves. */
function readAtView(
  { page }: ShownRows,
  state: OpenState,
  now: number,
  hasSums = false,
): TemplateResult | typeof nothing {
  const { display, texts } = state;
  const { ledger, readAt } = page;
  if (ledger?.incomplete && hasSums) return nothing;
  return html`<span class=${ledger ? nothing : 'readAt'} title=${readAtInFull(page, state)}
    >${ledger ? ledger.coverage : texts.readAtTime(display.recentTime(readAt, now))}</span
  >`;
}

/** Its tooltip has the time of reading too, for which a narrow page has no room. */
function rangeView(shown: ShownRows, state: OpenState): TemplateResult {
  const range = rangeText(shown.query, shown.page, state);
  const tooltip = [range, readAtInFull(shown.page, state)].filter(Boolean).join(' · ');
  return html`<span class="range" title=${tooltip}>${range}</span>`;
}

function readAtInFull({ readAt }: TablePage, { texts, display }: OpenState): string {
  return texts.readAt(display.timeInBothZones(readAt));
}

function partBar(part: PeriodPart, state: OpenState, dispatch: Dispatch): TemplateResult {
  const { texts } = state;
  const partButton = (label: string, end: number | null): TemplateResult =>
    button(label, () => end !== null && dispatch({ kind: 'partChosen', to: end }), {
      isSecondary: true,
      isDisabled: end === null,
    });
  return html`<nav class="parts" aria-label=${texts.parts}>
    <div class="steps">
      ${partButton(texts.older, part.older)} ${partButton(texts.newer, part.newer)}
    </div>
    <span>${partText(part, state)}</span>
  </nav>`;
}

function pageSteps(state: OpenState, dispatch: Dispatch): TemplateResult {
  const { texts } = state;
  const { previous, next } = pagerOf(state);
  const step = (name: 'previous' | 'next', page: number | null): TemplateResult => {
    const go = (): unknown => page !== null && dispatch({ kind: 'pageChosen', page });
    return iconButton(name, texts[name], go, { isDisabled: page === null });
  };
  return html`<nav class="steps" aria-label=${texts.pages}>
    ${step('previous', previous)} ${pageField(state, dispatch)} ${step('next', next)}
    ${fieldErrorView('page-error', state.fieldErrors.page)}
  </nav>`;
}

function pageField(state: OpenState, dispatch: Dispatch): TemplateResult {
  const { texts, display, shown, formValues, query, fieldErrors } = state;
  const hasError = fieldErrors.page !== undefined;
  const pages = pageCountText(shown?.page ?? null, display);
  const go = (event: Event): void => dispatch({ kind: 'pageTyped', text: inputValue(event) });
  const edit = (event: Event): void =>
    dispatch({ kind: 'filterEdited', parameter: pageParameter, value: inputValue(event) });
  return html`<span class="goTo">
    <input
      id="page"
      class="input"
      type="text"
      inputmode="numeric"
      maxlength="9"
      autocomplete="off"
      title=${texts.goToPage}
      aria-label=${texts.page}
      aria-invalid=${hasError ? 'true' : 'false'}
      aria-describedby=${ifDefined(hasError ? 'page-error' : undefined)}
      .value=${formValues[pageParameter] ?? String(query.page + 1)}
      @input=${edit}
      @keydown=${onEnter(go)}
    /><span>/ ${pages}</span>
  </span>`;
}

function pageSizeMenu(
  { query, description, texts, display }: OpenState,
  dispatch: Dispatch,
): TemplateResult {
  const { size: chosen } = query;
  const sizes = description.pageSizes.map((size): Option<number> => [size, texts.perPage(size)]);
  return popoverButton({
    id: 'pageSize',
    label: texts.perPage(chosen),
    shortLabel: display.count(chosen),
    content: optionMenu(texts.pageSize, sizes, chosen, (size) =>
      dispatch({ kind: 'pageSizeChosen', size }),
    ),
  });
}
