import '@vscode-elements/elements/dist/vscode-option/index.js';
import type { VscodeSingleSelect } from '@vscode-elements/elements/dist/vscode-single-select/index.js';
import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import type { PeriodPart, ShownRows } from '../../../protocol/table.ts';
import { shownRows, type OpenState, type Dispatch } from '../state/pageState.ts';
import {
  pageCountText,
  pagerOfState,
  partText,
  rangeText,
  serverPageSize,
} from '../state/pager.ts';
import { button, consumeEvent, fieldErrorView } from './controls.ts';

/** The parts of a period that is too long for one request, and the pages of the part that is shown. */
export function pagerBar(state: OpenState, dispatch: Dispatch): TemplateResult {
  const { texts } = state;
  const shown = shownRows(state.body);
  const pager = pagerOfState(state);
  const pageButton = (label: string, page: number | null): TemplateResult =>
    button(label, () => page !== null && dispatch({ kind: 'pageChosen', page }), {
      isSecondary: true,
      isDisabled: page === null,
    });
  return html`
    ${shown?.page.part ? partBar(shown.page.part, state, dispatch) : nothing}
    <nav class="pager" aria-label=${texts.pages}>
      <div class="steps">
        ${pageButton(texts.first, pager.first)} ${pageButton(texts.previous, pager.previous)}
        ${pageField(state, pageCountText(shown?.page ?? null, state.display), dispatch)}
        ${pageButton(texts.next, pager.next)} ${pageButton(texts.last, pager.last)}
      </div>
      ${fieldErrorView('page-error', state.fieldErrors.page)}
      <span class="range">${shown ? rangeAndSize(shown, state) : nothing}</span>
      ${pageSizeField(state, dispatch)}
    </nav>
  `;
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

function rangeAndSize({ query, page }: ShownRows, state: OpenState): string {
  const { texts, display } = state;
  const [range, size] = [rangeText(query, page, state), serverPageSize(query, page, display)];
  return range === '' || size === null ? range : `${range} · ${texts.serverPageSize(size)}`;
}

function pageField(state: OpenState, pages: string, dispatch: Dispatch): TemplateResult {
  const { texts } = state;
  const hasError = state.fieldErrors.page !== undefined;
  const goOnEnter = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    consumeEvent(event);
    dispatch({ kind: 'pageTyped', text: (event.target as HTMLInputElement).value });
  };
  return html`<span class="goTo">
    <label for="page">${texts.page}</label>
    <input
      id="page"
      class="input"
      type="text"
      inputmode="numeric"
      maxlength="9"
      autocomplete="off"
      title=${texts.goToPage}
      aria-invalid=${hasError ? 'true' : 'false'}
      aria-describedby=${ifDefined(hasError ? 'page-error' : undefined)}
      .value=${String(state.query.page + 1)}
      @keydown=${goOnEnter}
    />
    <span>${texts.ofPages(pages)}</span>
  </span>`;
}

function pageSizeField(
  { query, description, texts }: OpenState,
  dispatch: Dispatch,
): TemplateResult {
  const change = (event: Event): void =>
    dispatch({ kind: 'pageSizeChosen', size: Number((event.target as VscodeSingleSelect).value) });
  return html`<span class="pageSize">
    <label for="size">${texts.pageSize}</label>
    <vscode-single-select
      id="size"
      label=${texts.pageSize}
      position="above"
      .value=${String(query.size)}
      @change=${change}
    >
      ${description.pageSizes.map(
        (size) => html`<vscode-option value=${size}>${size}</vscode-option>`,
      )}
    </vscode-single-select>
  </span>`;
}
