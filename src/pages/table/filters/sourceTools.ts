import { html, nothing, type TemplateResult } from 'lit';
import type { TableSource } from '../../../protocol/table.ts';
import { sourceOf } from '../state/pageQuery.ts';
import { searchParameter, type Dispatch, type OpenState } from '../state/pageState.ts';
import { consumeEvent } from '../view/controls.ts';
import { menu, popoverButton, type MenuItem } from '../view/popoverMenu.ts';

/** Where the rows are read, and the search that the ledger offers; nothing without a ledger. */
export function sourceTools(state: OpenState, dispatch: Dispatch): TemplateResult | typeof nothing {
  if (state.description.source === null) return nothing;
  return html`${sourceSwitch(state, dispatch)}
  ${state.query.ledger ? searchField(state.query.ledger.search, state, dispatch) : nothing}`;
}

function sourceSwitch({ query, texts }: OpenState, dispatch: Dispatch): TemplateResult {
  const chosen = sourceOf(query);
  const item = (source: TableSource): MenuItem => ({
    label: texts[source],
    isChecked: source === chosen,
    choose: () => dispatch({ kind: 'sourceChosen', source }),
  });
  return popoverButton({
    id: 'source',
    label: texts.labelled(texts.source, texts[chosen]),
    content: menu(texts.source, [item('exchange'), item('ledger')]),
  });
}

/** Takes effect with Enter, or when it is left; until then its text is kept for the next page of the panel. */
function searchField(
  applied: string,
  { texts, formValues }: OpenState,
  dispatch: Dispatch,
): TemplateResult {
  const edit = ({ target }: Event): void => {
    const { value } = target as HTMLInputElement;
    dispatch({ kind: 'filterEdited', parameter: searchParameter, value });
  };
  const apply = ({ target }: Event): void =>
    dispatch({ kind: 'searchChosen', text: (target as HTMLInputElement).value.trim() });
  const applyOnEnter = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    consumeEvent(event);
    apply(event);
  };
  return html`<input
    id="ledgerSearch"
    class="input search"
    type="text"
    maxlength="200"
    autocomplete="off"
    spellcheck="false"
    placeholder=${texts.search}
    aria-label=${texts.search}
    title=${texts.searchHint}
    .value=${formValues[searchParameter] ?? applied}
    @input=${edit}
    @keydown=${applyOnEnter}
    @change=${apply}
  />`;
}
