import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../base/cleanText.ts';
import { isTimestamp, isoTime } from '../../base/time.ts';
import { fullFigure, isNumeric } from '../../protocol/cellRules.ts';
import type {
  Cell,
  Column,
  RecordFields,
  RelatedRecords,
  SummaryItem,
} from '../../protocol/table.ts';
import { button, consumeEvent, iconButton } from '../controls/controls.ts';
import { figureView, mostGridDecimals, textWithFigures } from '../figure.ts';
import { cellText, gridCellText, hasNoPrice } from './cells.ts';
import { selectionSums } from './figures.ts';
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
  const copy: Copy = (field) =>
    act({ kind: 'fieldCopyRequested', field: { ...field, related: 0 } });
  return html`<section class="related">
    ${button(label, () => answer?.kind !== 'loading' && request(), { isSecondary: true })}
    ${answer?.kind === 'failed' ? failureView(answer.sentence) : nothing}
    ${
      answer?.kind === 'loaded'
        ? html`<div role="status">${sectionView(answer.value, grid, copy)}</div>`
        : nothing
    }
  </section>`;
}

type Copy = (choice: FieldChoice) => void;

/** Records beside that of the row: one with buttons to copy its fields if `copy` is given, several as a table. */
function sectionView(
  { sentence, records }: RelatedRecords,
  grid: Grid,
  copy?: Copy,
): TemplateResult {
  const [first, second] = records;
  return html`<p>${sentence}</p>
    ${second ? recordTable(records, grid) : first && fieldList(first, grid, copy)}`;
}

/** A line for each record, first what they do not all say alike, and the sums of each unit. */
function recordTable(records: readonly RecordFields[], { display, texts }: Grid): TemplateResult {
  const names = [...new Set(records.flatMap(({ extra }) => extra.map(({ name }) => name)))];
  const others = names.map((name): Column => {
    return { field: name as Column['field'], label: cleanText(name, 100), kind: 'text' };
  });
  const columns = [...(records[0]?.fields ?? []), ...others];
  const rows = records.map(({ fields, extra }) => [
    ...fields.map(({ cell }) => cell),
    ...names.map((name) => extra.find((one) => one.name === name)?.text ?? null),
  ]);
  const isAlike = (place: number): boolean =>
    columns[place]?.kind !== 'decimal' && rows.every((row) => row[place] === rows[0]?.[place]);
  const places = [...columns.keys()].sort(
    (one, two) => Number(isAlike(one)) - Number(isAlike(two)),
  );
  const all = { columns: places, rows: rows.map((_row, row) => ({ row, columns: places })) };
  const sums = selectionSums(all, columns, rows, display).map(({ column, unit, lacking, sum }) => {
    const text = `${column.label} ${cleanText(unit, 40)} ${fullFigure(sum, column, display)}`;
    return html`<p>${textWithFigures(texts.lacking(text, lacking), display)}</p>`;
  });
  const cellView = (row: readonly Cell[], place: number): TemplateResult => {
    const text = gridCellText(row, place, columns, '', display);
    const isFigure = columns[place]?.kind === 'decimal';
    return html`<td>${isFigure ? figureView(text, display, mostGridDecimals) : text}</td>`;
  };
  // oxfmt-ignore
  return html`<div class="recordScroll" tabindex="0" role="group" aria-label=${texts.rows(rows.length)}><table class="records">
      <tr>${places.map((place) => html`<th scope="col">${columns[place]?.label}</th>`)}</tr>
      ${rows.map((row) => html`<tr>${places.map((place) => cellView(row, place))}</tr>`)}
    </table></div>
    ${sums}`;
}

/** Every field of a record; with a button to copy each if `copy` is given. */
function fieldList({ fields, extra }: RecordFields, grid: Grid, copy?: Copy): TemplateResult {
  const { texts } = grid;
  const cells = fields.map(({ cell }) => cell);
  // A price that does not exist is shown as the grid shows it.
  const shown = fields.map((item, index) =>
    hasNoPrice(cells, index, fields) ? { ...item, cell: null } : item,
  );
  return html`
    <dl class="fieldList">${shown.map((item) => fieldView(item, grid, copy))}</dl>
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
