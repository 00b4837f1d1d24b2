import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../base/cleanText.ts';
import { isTimestamp, isoTime } from '../../base/time.ts';
import { isNumeric } from '../../protocol/cellRules.ts';
import type { RecordFields, RelatedRecords, SummaryItem } from '../../protocol/table.ts';
import { button, consumeEvent, iconButton } from '../controls/controls.ts';
import { cellText } from './cells.ts';
import { focusGrid } from './findBar.ts';
import type { FieldChoice, Grid, GridDetails, GridDispatch } from './model.ts';

/** The details of the active row. Escape closes them. */
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

/** Until the details of another row arrive, those before them stay, muted, and their buttons do nothing. */
function contentView(grid: Grid, act: GridDispatch): TemplateResult | typeof nothing {
  const { details: answer } = grid;
  if (answer?.kind === 'failed') return failureView(answer.sentence);
  const isCurrent = answer?.kind === 'loaded';
  const details = isCurrent ? answer.value : answer?.earlier;
  if (!details) return nothing;
  const { sections = [], more } = details;
  const actIfCurrent: GridDispatch = (action) => {
    if (isCurrent) act(action);
  };
  return html`<div class="record" ?data-muted=${!isCurrent}>
    ${fieldList(details, grid, (field) => actIfCurrent({ kind: 'fieldCopyRequested', field }))}
    ${sections.map((section) => html`<section class="related">${sectionView(section, grid)}</section>`)}
    ${more ? moreView(more, grid, actIfCurrent) : nothing}
  </div>`;
}

function failureView(sentence: string): TemplateResult {
  return html`<p role="alert">${cleanText(sentence, 500)}</p>`;
}

/** The button says what the request costs; it is sent only then. While it runs, the button keeps the focus. */
function moreView(
  { label, answer }: NonNullable<GridDetails['more']>,
  grid: Grid,
  act: GridDispatch,
): TemplateResult {
  const request = (): void => act({ kind: 'moreRequested' });
  const copyOf =
    (related: number): Copy =>
    (field) =>
      act({ kind: 'fieldCopyRequested', field: { ...field, related } });
  return html`<section class="related">
    ${button(label, () => answer?.kind !== 'loading' && request(), { isSecondary: true })}
    ${answer?.kind === 'failed' ? failureView(answer.sentence) : nothing}
    ${
      answer?.kind === 'loaded'
        ? html`<div role="status">${sectionView(answer.value, grid, copyOf)}</div>`
        : nothing
    }
  </section>`;
}

type Copy = (choice: FieldChoice) => void;

/** Records beside that of the row; with buttons to copy their fields if they can be copied. */
function sectionView(
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
    return line(
      label,
      cellText(cell, item, display),
      copyAs(texts.copyField(label), 'text'),
      isNumeric(kind) || kind === 'distance',
    );
  return html`
    ${line(label, cleanText(display.time(cell)), undefined)}
    ${line(texts.timeAsIso, isoTime(cell), copyAs(texts.copyIso, 'iso'))}
    ${line(texts.timeAsEpoch, cell, copyAs(texts.copyEpoch, 'text'))}
  `;
}

/** The accessible name of a button and what it does. */
type CopyButton = readonly [label: string, run: () => void] | undefined;

function line(name: string, text: string, copy: CopyButton, isFigure = false): TemplateResult {
  return html`<div>
    <dt>${name}</dt>
    <dd>
      <span class=${isFigure ? 'figure' : nothing}>${text}</span>
      ${copy ? iconButton('copy', copy[0], copy[1]) : nothing}
    </dd>
  </div>`;
}
