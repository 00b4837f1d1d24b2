import '@vscode-elements/elements/dist/vscode-checkbox/index.js';
import { html, type TemplateResult } from 'lit';
import type { Column } from '../../../protocol/table.ts';
import type { Dispatch, OpenState } from '../state/pageState.ts';
import { button } from '../view/controls.ts';
import { drawWhenOpened } from '../view/drawWhenOpened.ts';
import { icon, iconButton } from '../view/iconButton.ts';
import { isHidden, orderedColumns, shownColumns } from './columnLayout.ts';
import type { GridAction } from './gridState.ts';

/** The button “Columns” and its menu, which does by keyboard what dragging does by mouse. */
export function gridTools(state: OpenState, dispatch: Dispatch): TemplateResult {
  const { description, grid, texts } = state;
  const { columns } = description;
  const act = (action: GridAction): void => dispatch({ kind: 'grid', action });
  const ordered = orderedColumns(columns, grid.layout).flatMap((index) => columns[index] ?? []);
  const isOnlyOne = shownColumns(columns, grid.layout).length === 1;
  const content = html`<ul>
      ${ordered.map((column, place) => {
        const neighbours = [ordered[place - 1], ordered[place + 1]] as const;
        return columnItem(state, column, neighbours, isOnlyOne, act);
      })}
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
  const move = (target: Column | undefined): void => {
    if (target) act({ kind: 'columnMoved', field, target: target.field });
  };
  return html`<li>
    <vscode-checkbox
      label=${label}
      .checked=${isShown}
      ?disabled=${isShown && isOnlyOne}
      @change=${() => act({ kind: 'columnToggled', field })}
    ></vscode-checkbox>
    ${iconButton('up', texts.moveEarlier(label), () => move(earlier), !earlier)}
    ${iconButton('down', texts.moveLater(label), () => move(later), !later)}
  </li>`;
}
