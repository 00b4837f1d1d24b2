import { html, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { consumeEvent, iconButton, inputValue } from '../controls/controls.ts';
import { matchesOf } from './find.ts';
import { gridPositions, type Grid, type GridDispatch } from './model.ts';

/**
 * Searches the rows of this page. Enter goes to the next match, Shift+Enter to the previous one. It has the
 * focus when it opens, but not with the text of an earlier page of the panel.
 */
export function findBar(grid: Grid, find: string, act: GridDispatch): TemplateResult {
  const { texts } = grid;
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
      @input=${(event: Event) => act({ kind: 'findTyped', text: inputValue(event) })}
      ${ref(find === '' ? focusOnce : undefined)}
    />
    <span class="matches" role="status">${matchText(grid)}</span>
    ${iconButton('up', texts.previousMatch, () => act({ kind: 'findStepped', by: -1 }))}
    ${iconButton('down', texts.nextMatch, () => act({ kind: 'findStepped', by: 1 }))}
    ${iconButton('close', texts.close, close)}
  </div>`;
}

function matchText(grid: Grid): string {
  const { texts, display, state } = grid;
  if (state.find === '') return '';
  const { active } = gridPositions(grid);
  const matches = matchesOf(grid);
  if (matches.length === 0) return texts.noMatches;
  const current = matches.findIndex(
    ({ row, column }) => row === active.row && column === active.column,
  );
  return texts.matchOf(current < 0 ? '?' : display.count(current + 1), matches.length);
}

/** Moves the focus to the rows, from what was closed beside them. */
export function focusGrid(): void {
  document.querySelector<HTMLElement>('[role="grid"]')?.focus();
}

/** Puts the focus into an element when it appears: it is not in the page yet. */
function focusOnce(element: Element | undefined): void {
  if (element instanceof HTMLElement) queueMicrotask(() => element.focus());
}

/** Moves the focus to the search, if it is open. */
export function focusFind(): boolean {
  const input = document.querySelector<HTMLInputElement>('.find input');
  input?.select();
  return input !== null;
}
