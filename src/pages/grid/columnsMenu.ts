import '@vscode-elements/elements/dist/vscode-checkbox/index.js';
import { html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Column } from '../../protocol/table.ts';
import type { Dispatch, OpenState } from '../table/state/pageState.ts';
import { icon, iconButton } from '../controls/controls.ts';
import { drawWhenOpened } from '../controls/drawWhenOpened.ts';
import { isHidden, orderedColumns, shownColumns } from './layout.ts';
import type { GridAction } from './state.ts';
import { button } from '../controls/textButton.ts';

/** The button “Columns” and its menu, which does by keyboard what dragging does by mouse. */
export function gridTools(state: OpenState, dispatch: Dispatch): TemplateResult {
  const { description, grid, texts } = state;
  const { columns } = description;
  const act = (action: GridAction): void => dispatch({ kind: 'grid', action });
  const ordered = orderedColumns(columns, grid.layout).flatMap((index) => columns[index] ?? []);
  const isOnlyOne = shownColumns(columns, grid.layout).length === 1;
  const content = html`<ul>
      ${repeat(
        ordered,
        ({ field }) => field,
        (column, place) => {
          const neighbours = [ordered[place - 1], ordered[place + 1]] as const;
          return columnItem(state, column, neighbours, isOnlyOne, act);
        },
      )}
    </ul>
    ${button(texts.resetColumns, () => act({ kind: 'layoutReset' }), { isSecondary: true })}`;
  return html`<span class="popoverButton">
    <button
      class="iconButton"
      type="button"
      title=${texts.columns}
      aria-label=${texts.columns}
      aria-haspopup="dialog"
      popovertarget="columns"
    >
      ${icon('columns')}
    </button>
    <div id="columns" class="popover columnsMenu" popover role="dialog" aria-label=${texts.columns}>
      ${drawWhenOpened(content)}
    </div>
  </span>`;
}

function columnItem(
  { grid, texts }: OpenState,
  { field, label }: Column,
  [earlier, later]: readonly [Column | undefined, Column | undefined],
  isOnlyOne: boolean,
  act: (action: GridAction) => void,
): TemplateResult {
  const isShown = !isHidden(grid.layout, field);
  const move = ({ currentTarget }: Event, target: Column | undefined): void => {
    if (target) act({ kind: 'columnMoved', field, target: target.field });
    if (currentTarget instanceof HTMLButtonElement) keepFocus(currentTarget);
  };
  return html`<li>
    <vscode-checkbox
      label=${label}
      .checked=${isShown}
      ?disabled=${isShown && isOnlyOne}
      @change=${() => act({ kind: 'columnToggled', field })}
    ></vscode-checkbox>
    ${iconButton('up', texts.moveEarlier(label), (event) => move(event, earlier), !earlier)}
    ${iconButton('down', texts.moveLater(label), (event) => move(event, later), !later)}
  </li>`;
}

/** On the button that moved with its column, or on the one beside it if the column is the first or last now. */
function keepFocus(button: HTMLButtonElement): void {
  const other = button.parentElement?.querySelector<HTMLButtonElement>('button:enabled');
  (button.disabled ? other : button)?.focus();
}
