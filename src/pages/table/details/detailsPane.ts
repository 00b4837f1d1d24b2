import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../../base/cleanText.ts';
import type { KinName } from '../../../protocol/gridMessages.ts';
import type { RowDetails } from '../../../protocol/table.ts';
import { focusGrid } from '../grid/gridFocus.ts';
import { activeRow, gridPositions } from '../grid/gridPositions.ts';
import type { GridAction } from '../grid/gridState.ts';
import type { Dispatch, OpenState } from '../state/pageState.ts';
import { button, consumeEvent } from '../view/controls.ts';
import { iconButton } from '../view/iconButton.ts';
import { areSame, type DetailsState } from './detailsState.ts';
import { fieldList } from './fieldList.ts';

/** Every field of the active row's record, and the records that belong to it. Escape closes it. */
export function detailsPane(state: OpenState, dispatch: Dispatch): TemplateResult {
  const { texts } = state;
  const act = (action: GridAction): void => dispatch({ kind: 'grid', action });
  const close = (): void => {
    act({ kind: 'detailsClosed' });
    focusGrid();
  };
  const onKeydown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    consumeEvent(event);
    close();
  };
  return html`<aside class="details" aria-label=${texts.details} @keydown=${onKeydown}>
    <header>
      <h2>${texts.details}</h2>
      ${iconButton('close', texts.close, close)}
    </header>
    <div class="detailsBody" tabindex="0" role="region" aria-label=${texts.details}>
      ${contentView(state, act)}
    </div>
  </aside>`;
}

/** Details of another row, or masked for other display settings, are never shown. */
function contentView(
  state: OpenState,
  act: (action: GridAction) => void,
): TemplateResult | typeof nothing {
  const { display, grid } = state;
  const positions = gridPositions(state);
  const row = positions && activeRow(positions);
  const { details } = grid;
  if (!row || !details || !areSame(details, { row, display })) return nothing;
  const answer = details.details;
  if (answer.kind === 'loading') return nothing;
  if (answer.kind === 'failed') return html`<p role="alert">${cleanText(answer.sentence, 500)}</p>`;
  return html`
    ${fieldList(answer.value, state, (field) => act({ kind: 'fieldCopyRequested', field }))}
    ${answer.value.kin.map((kin) => kinView(kin, details, state, act))}
  `;
}

/** The button says what the request costs; it is sent only then. While it runs, the button keeps the focus. */
function kinView(
  { name, label }: RowDetails['kin'][number],
  details: DetailsState,
  state: OpenState,
  act: (action: GridAction) => void,
): TemplateResult {
  const answer = details.kin[name];
  const request = (kin: KinName): void => act({ kind: 'kinRequested', name: kin });
  return html`<section class="kin">
    ${button(label, () => answer?.kind !== 'loading' && request(name), { isSecondary: true })}
    ${answer?.kind === 'failed' ? html`<p role="alert">${cleanText(answer.sentence, 500)}</p>` : nothing}
    ${
      answer?.kind === 'loaded'
        ? html`<p role="status">${answer.value.sentence}</p>
            ${answer.value.records.map((record) => fieldList(record, state))}`
        : nothing
    }
  </section>`;
}
