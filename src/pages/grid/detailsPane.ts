import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../base/cleanText.ts';
import { isTimestamp, isoTime } from '../../base/time.ts';
import type {
  RecordFields,
  RelatedRecords,
  RowDetails,
  SummaryItem,
} from '../../protocol/table.ts';
import { button, consumeEvent, iconButton } from '../controls/controls.ts';
import { cellText } from './cells.ts';
import { areSame, fieldsOf, type DetailsState } from './details.ts';
import { focusGrid } from './findBar.ts';
import { activeRow, type FieldChoice, type Grid, type GridDispatch } from './model.ts';

/** Every field of the active row's record, and the records that belong to it. Escape closes it. */
export function detailsPane(grid: Grid, act: GridDispatch): TemplateResult {
  const { texts } = grid;
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
      ${contentView(grid, act)}
    </div>
  </aside>`;
}

/**
 * Until the details of another row arrive, those before them stay, muted, and their buttons do nothing.
 * Details that are masked for other display settings are never shown.
 */
function contentView(grid: Grid, act: GridDispatch): TemplateResult | typeof nothing {
  const { display } = grid;
  const { details } = grid.state;
  const row = activeRow(grid);
  if (!row || details?.display !== display) return nothing;
  const isOfRow = areSame(details, { row, display });
  const { details: answer } = details;
  if (answer.kind === 'failed' && isOfRow) return failureView(answer.sentence);
  const fields = fieldsOf(details);
  if (!fields) return nothing;
  const isCurrent = isOfRow && answer.kind === 'loaded';
  const actIfCurrent: GridDispatch = (action) => {
    if (isCurrent) act(action);
  };
  return html`<div class="record" ?data-muted=${!isCurrent}>
    ${fieldList(fields, grid, (field) => actIfCurrent({ kind: 'fieldCopyRequested', field }))}
    ${fields.past.map((change) => html`<section class="related">${foundView(change, grid)}</section>`)}
    ${fields.related ? relatedView(fields.related, details, grid, actIfCurrent) : nothing}
  </div>`;
}

function failureView(sentence: string): TemplateResult {
  return html`<p role="alert">${cleanText(sentence, 500)}</p>`;
}

/** The button says what the request costs; it is sent only then. While it runs, the button keeps the focus. */
function relatedView(
  { label, found }: NonNullable<RowDetails['related']>,
  details: DetailsState,
  grid: Grid,
  act: GridDispatch,
): TemplateResult {
  const answer = details.related ?? (found && ({ kind: 'loaded', value: found } as const));
  const request = (): void => act({ kind: 'relatedRequested' });
  const copyOf =
    (related: number): Copy =>
    (field) =>
      act({ kind: 'fieldCopyRequested', field: { ...field, related } });
  return html`<section class="related">
    ${button(label, () => answer?.kind !== 'loading' && request(), { isSecondary: true })}
    ${answer?.kind === 'failed' ? failureView(answer.sentence) : nothing}
    ${
      answer?.kind === 'loaded'
        ? html`<div role="status">${foundView(answer.value, grid, copyOf)}</div>`
        : nothing
    }
  </section>`;
}

type Copy = (choice: FieldChoice) => void;

/** Records beside that of the row; with buttons to copy their fields if they can be copied. */
function foundView(
  { sentence, records }: RelatedRecords,
  grid: Grid,
  copyOf?: (index: number) => Copy,
): TemplateResult {
  return html`<p>${sentence}</p>
    ${records.map((record, index) => fieldList(record, grid, copyOf?.(index)))}`;
}

/** Every field of a record; with a button to copy each if `copy` is given. */
function fieldList({ fields, extra }: RecordFields, grid: Grid, copy?: Copy): TemplateResult {
  const { texts } = grid;
  return html`
    <dl class="fieldList">${fields.map((item) => fieldView(item, grid, copy))}</dl>
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

function fieldView(item: SummaryItem, { texts, display }: Grid, copy?: Copy): TemplateResult {
  const { label, field, kind, cell } = item;
  const copyAs = (text: string, as: FieldChoice['as']): CopyButton =>
    cell === null || !copy ? undefined : [text, () => copy({ field, isExtra: false, as })];
  if (kind !== 'time' || cell === null || !isTimestamp(cell))
    return line(label, cellText(cell, item, display), copyAs(texts.copyField(label), 'text'));
  return html`
    ${line(label, cleanText(display.time(cell)), undefined)}
    ${line(texts.timeAsIso, isoTime(cell), copyAs(texts.copyIso, 'iso'))}
    ${line(texts.timeAsEpoch, cell, copyAs(texts.copyEpoch, 'text'))}
  `;
}

/** The accessible name of a button and what it does. */
type CopyButton = readonly [label: string, run: () => void] | undefined;

function line(name: string, text: string, copy: CopyButton): TemplateResult {
  return html`<div>
    <dt>${name}</dt>
    <dd>
      <span>${text}</span>
      ${copy ? iconButton('copy', copy[0], copy[1]) : nothing}
    </dd>
  </div>`;
}
