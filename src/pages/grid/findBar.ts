import { html, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import type { GridDispatch, GridPage } from '../table/state/pageState.ts';
import { consumeEvent, iconButton } from '../controls/controls.ts';
import { matchesOf } from './find.ts';
import { focusGrid, focusOnce } from './focus.ts';
import { gridPositions } from './positions.ts';
import type { GridAction } from './state.ts';

/**
 * Searches the rows of this page. Enter goes to the next match, Shift+Enter to the previous one. It has the
 * focus when it opens, but not with the text of an earlier page of the panel.
 */
export function findBar(state: GridPage, find: string, dispatch: GridDispatch): TemplateResult {
  const { texts } = state;
  const act = (action: GridAction): void => dispatch({ kind: 'grid', action });
  const close = (): void => {
    act({ kind: 'findClosed' });
    focusGrid();
  };
  const onKeydown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter') act({ kind: 'findStepped', by: event.shiftKey ? -1 : 1 });
    else return;
    consumeEvent(event);
  };
  const onInput = ({ target }: Event): void =>
    act({ kind: 'findTyped', text: (target as HTMLInputElement).value });
  return html`<div class="find" role="search" @keydown=${onKeydown}>
    <input
      class="input"
      type="text"
      maxlength="200"
      autocomplete="off"
      spellcheck="false"
      aria-label=${texts.find}
      placeholder=${texts.find}
      .value=${find}
      @input=${onInput}
      ${ref(find === '' ? focusOnce : undefined)}
    />
    <span class="matches" role="status">${matchText(state)}</span>
    ${iconButton('up', texts.previousMatch, () => act({ kind: 'findStepped', by: -1 }))}
    ${iconButton('down', texts.nextMatch, () => act({ kind: 'findStepped', by: 1 }))}
    ${iconButton('close', texts.close, close)}
  </div>`;
}

function matchText(state: GridPage): string {
  const { texts, display, grid } = state;
  const positions = gridPositions(state);
  if (!positions || grid.find === '') return '';
  const { active } = positions;
  const matches = matchesOf(state, positions);
  if (matches.length === 0) return texts.noMatches;
  const current = matches.findIndex(
    ({ row, column }) => row === active.row && column === active.column,
  );
  return texts.matchOf(current < 0 ? '?' : display.count(current + 1), matches.length);
}
