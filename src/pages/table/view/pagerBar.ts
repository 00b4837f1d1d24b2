import '@vscode-elements/elements/dist/vscode-option/index.js';
import '@vscode-elements/elements/dist/vscode-single-select/index.js';
import type { VscodeSingleSelect } from '@vscode-elements/elements/dist/vscode-single-select/index.js';
import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { givenSize, pagerOf, pagesText, rangeText } from '../pager.ts';
import { shownOf, type OpenState, type Shown } from '../state.ts';
import { button } from './button.ts';
import { take, type Dispatch } from './dispatch.ts';
import { problemView } from './problem.ts';

/** Where in the query the rows stand, and the ways to the others. */
export function pagerBar(state: OpenState, dispatch: Dispatch): TemplateResult {
  const { words } = state;
  const shown = shownOf(state.body);
  const pager = pagerOf(state.query, shown?.page ?? null);
  const step = (label: string, page: number | null): TemplateResult =>
    button(label, () => page !== null && dispatch({ kind: 'wentTo', page }), {
      isSecondary: true,
      isDisabled: page === null,
    });
  return html`
    <nav class="pager" aria-label=${words.pages}>
      <div class="steps">
        ${step(words.first, pager.first)} ${step(words.previous, pager.previous)}
        ${goToPage(state, pagesText(shown?.page ?? null, state.display), dispatch)}
        ${step(words.next, pager.next)} ${step(words.last, pager.last)}
      </div>
      ${problemView('page-problem', state.problems.page)}
      <span class="range">${shown ? rangeWords(shown, state) : nothing}</span>
      ${pageSize(state, dispatch)}
    </nav>
  `;
}

function rangeWords({ query, page }: Shown, state: OpenState): string {
  const { words, display } = state;
  const [range, size] = [rangeText(query, page, state), givenSize(query, page, display)];
  return range === '' || size === null ? range : `${range} · ${words.givenSize(size)}`;
}

function goToPage(state: OpenState, pages: string, dispatch: Dispatch): TemplateResult {
  const { words } = state;
  const hasProblem = state.problems.page !== undefined;
  const goOnEnter = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    take(event);
    dispatch({ kind: 'typedPage', text: (event.target as HTMLInputElement).value });
  };
  return html`<span class="goTo">
    <label for="page">${words.page}</label>
    <input
      id="page"
      class="input"
      type="text"
      inputmode="numeric"
      maxlength="9"
      autocomplete="off"
      title=${words.goToPage}
      aria-invalid=${hasProblem ? 'true' : 'false'}
      aria-describedby=${ifDefined(hasProblem ? 'page-problem' : undefined)}
      .value=${String(state.query.page + 1)}
      @keydown=${goOnEnter}
    />
    <span>${words.ofPages(pages)}</span>
  </span>`;
}

function pageSize({ query, description, words }: OpenState, dispatch: Dispatch): TemplateResult {
  const change = (event: Event): void =>
    dispatch({ kind: 'resized', size: Number((event.target as VscodeSingleSelect).value) });
  return html`<span class="pageSize">
    <label for="size">${words.pageSize}</label>
    <vscode-single-select
      id="size"
      label=${words.pageSize}
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
