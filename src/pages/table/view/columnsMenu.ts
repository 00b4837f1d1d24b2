import '@vscode-elements/elements/dist/vscode-checkbox/index.js';
import { html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Column } from '../../../protocol/table.ts';
import { button, iconButton } from '../../controls/controls.ts';
import { popoverButton } from '../../controls/popover.ts';
import { isHidden, orderedColumns, shownColumns } from '../../grid/order.ts';
import type { Grid, GridDispatch } from '../../grid/model.ts';
import type { PageTexts } from '../state/pageTexts.ts';

/** The button “Columns” and its menu, which does by keyboard what dragging does by mouse. */
export function columnsMenu(grid: Grid, texts: PageTexts, act: GridDispatch): TemplateResult {
  const { columns, state } = grid;
  const ordered = orderedColumns(columns, state.layout).flatMap((index) => columns[index] ?? []);
  const content = html`<ul>
      ${repeat(
        ordered,
        ({ field }) => field,
        (column, place) =>
          columnItem(grid, column, [ordered[place - 1], ordered[place + 1]], texts, act),
      )}
    </ul>
    ${button(texts.resetColumns, () => act({ kind: 'layoutReset' }), { isSecondary: true })}`;
  return popoverButton({ id: 'columns', label: texts.columns, iconName: 'columns', content });
}

function columnItem(
  { columns, state: { layout } }: Grid,
  { field, label }: Column,
  [earlier, later]: readonly [Column | undefined, Column | undefined],
  texts: PageTexts,
  act: GridDispatch,
): TemplateResult {
  const isShown = !isHidden(layout, field);
  const isLast = isShown && shownColumns(columns, layout).length === 1;
  const moveButton = (name: 'up' | 'down', text: string, target?: Column): TemplateResult => {
    const move = ({ currentTarget }: Event): void => {
      if (target) act({ kind: 'columnMoved', field, target: target.field });
      if (currentTarget instanceof HTMLButtonElement) keepFocus(currentTarget);
    };
    return iconButton(name, text, move, { isDisabled: !target });
  };
  return html`<li>
    <vscode-checkbox
      label=${label}
      .checked=${isShown}
      ?disabled=${isLast}
      @change=${() => act({ kind: 'columnToggled', field })}
    ></vscode-checkbox>
    ${moveButton('up', texts.moveEarlier(label), earlier)}
    ${moveButton('down', texts.moveLater(label), later)}
  </li>`;
}

/** On the button that moved with its column, or on the one beside it if the column is the first or last now. */
function keepFocus(button: HTMLButtonElement): void {
  const other = button.parentElement?.querySelector<HTMLButtonElement>('button:enabled');
  (button.disabled ? other : button)?.focus();
}
