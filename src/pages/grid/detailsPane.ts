import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../base/cleanText.ts';
import { isTimestamp, isoTime } from '../../base/time.ts';
import type { RelatedName } from '../../protocol/gridMessages.ts';
import type {
  RecordFields,
  RelatedRecords,
  RowDetails,
  SummaryItem,
} from '../../protocol/table.ts';
import { cellText } from './cells.ts';
import { focusGrid } from './focus.ts';
import { activeRow, gridPositions } from './positions.ts';
import type { GridAction, FieldChoice } from './state.ts';
import type { GridDispatch, GridPage } from '../table/state/pageState.ts';
import { consumeEvent, iconButton } from '../controls/controls.ts';
import { areSame, fieldsOf, type DetailsState } from './details.ts';
import { button } from '../controls/textButton.ts';

/** Every field of the active row's record, and the records that belong to it. Escape closes it. */
export function detailsPane(state: GridPage, dispatch: GridDispatch): TemplateResult {
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

/**
 * Until the details of another row arrive, those before them stay, muted, and their buttons do nothing.
 * Details that are masked for other display settings are never shown.
 */
function contentView(
  state: GridPage,
  act: (action: GridAction) => void,
): TemplateResult | typeof nothing {
  const { display, grid } = state;
  const positions = gridPositions(state);
  const row = positions && activeRow(positions);
  const { details } = grid;
  if (!row || details?.display !== display) return nothing;
  const isOfRow = areSame(details, { row, display });
  const { details: answer } = details;
  if (answer.kind === 'failed' && isOfRow)
    return html`<p role="alert">${cleanText(answer.sentence, 500)}</p>`;
  const fields = fieldsOf(details);
  if (!fields) return nothing;
  const isCurrent = isOfRow && answer.kind === 'loaded';
  const actIfCurrent = (action: GridAction): void => {
    if (isCurrent) act(action);
  };
  return html`<div class="record" ?data-muted=${!isCurrent}>
    ${fieldList(fields, state, (field) => actIfCurrent({ kind: 'fieldCopyRequested', field }))}
    ${fields.past.map((change) => html`<section class="related">${foundView(change, state)}</section>`)}
    ${fields.related.map((related) => relatedView(related, details, state, actIfCurrent))}
  </div>`;
}

/** The button says what the request costs; it is sent only then. While it runs, the button keeps the focus. */
function relatedView(
  { name, label, found }: RowDetails['related'][number],
  details: DetailsState,
  state: GridPage,
  act: (action: GridAction) => void,
): TemplateResult {
  const answer = details.related[name] ?? (found && ({ kind: 'loaded', value: found } as const));
  const request = (related: RelatedName): void => act({ kind: 'relatedRequested', name: related });
  return html`<section class="related">
    ${button(label, () => answer?.kind !== 'loading' && request(name), { isSecondary: true })}
    ${answer?.kind === 'failed' ? html`<p role="alert">${cleanText(answer.sentence, 500)}</p>` : nothing}
    ${
      answer?.kind === 'loaded'
        ? html`<div role="status">
            ${foundView(
              answer.value,
              state,
              (index) => (field) =>
                act({ kind: 'fieldCopyRequested', field: { ...field, related: { name, index } } }),
            )}
          </div>`
        : nothing
    }
  </section>`;
}

type Copy = (choice: FieldChoice) => void;

/** Records beside that of the row; with buttons to copy their fields if they can be copied. */
function foundView(
  { sentence, records }: RelatedRecords,
  state: GridPage,
  copyOf?: (index: number) => Copy,
): TemplateResult {
  return html`<p>${sentence}</p>
    ${records.map((record, index) => fieldList(record, state, copyOf?.(index)))}`;
}

/** Every field of a record; with a button to copy each if `copy` is given. */
function fieldList({ fields, extra }: RecordFields, state: GridPage, copy?: Copy): TemplateResult {
  const { texts } = state;
  return html`
    <dl class="fieldList">${fields.map((item) => fieldView(item, state, copy))}</dl>
    ${extra.length === 0 ? nothing : html`<h3>${texts.otherFields}</h3>`}
    <dl class="fieldList">
      ${extra.map(({ name, text }) => {
        const shownName = cleanText(name, 100);
        const label = texts.copyField(shownName);
        const choice: FieldChoice = { field: name, isExtra: true, as: 'text' };
        return line(shownName, cleanText(text, 2000), copy && [label, () => copy(choice)]);
      })}
    </dl>
  `;
}

function fieldView(item: SummaryItem, state: GridPage, copy?: Copy): TemplateResult {
  const { texts, display } = state;
  const { label, field, kind, cell } = item;
  const button = (text: string, as: FieldChoice['as']): Button =>
    cell === null || !copy ? undefined : [text, () => copy({ field, isExtra: false, as })];
  if (kind !== 'time' || cell === null || !isTimestamp(cell))
    return line(label, cellText(cell, item, display), button(texts.copyField(label), 'text'));
  return html`
    ${line(label, cleanText(display.time(cell)), undefined)}
    ${line(texts.timeAsIso, isoTime(cell), button(texts.copyIso, 'iso'))}
    ${line(texts.timeAsEpoch, cell, button(texts.copyEpoch, 'text'))}
  `;
}

/** The accessible name of a button and what it does. */
type Button = readonly [label: string, run: () => void] | undefined;

function line(name: string, text: string, button: Button): TemplateResult {
  return html`<div>
    <dt>${name}</dt>
    <dd>
      <span>${text}</span>
      ${button ? iconButton('copy', button[0], button[1]) : nothing}
    </dd>
  </div>`;
}
