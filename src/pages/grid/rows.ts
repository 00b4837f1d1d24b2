import { html, nothing, svg, type TemplateResult } from 'lit';
import { unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { gainOrLoss, headerText, isNumeric, wordOf } from '../../protocol/cellRules.ts';
import type { Cell, Column } from '../../protocol/table.ts';
import { figureView, mostGridDecimals } from '../figure.ts';
import { isInSpans, selectedSpans, type CellPosition, type Selection } from './selection.ts';
import { shownSort, type Grid } from './model.ts';
import { fractionFill, type ColumnFit } from './fits.ts';
import { distanceBar, gridCellText, isLink } from './cells.ts';
import type { GridOrder, Sort } from './order.ts';

/** In CSS pixels. */
export const rowHeight = 24;
/** With the line below it. */
export const headHeight = 25;

/** The id of a cell's element. */
export function cellId({ row, column }: CellPosition): string {
  return row < 0 ? `head-${column}` : `cell-${row}-${column}`;
}

type RowsLook = Required<Pick<Grid, 'columns' | 'page' | 'display' | 'rowsBefore'>> & {
  readonly order: GridOrder;
  readonly fits: readonly ColumnFit[];
  readonly selection: Selection;
  /** The ids of the cells that contain what is searched. */
  readonly matches: ReadonlySet<string>;
  readonly hiddenWord: string;
};

/**
 * The rows by their places, each where it belongs in the height of all rows. The policy of the page allows
 * no `style` attribute, but a style that is set as a property.
 */
export function rowsView(look: RowsLook, places: readonly number[]): TemplateResult {
  const height = look.order.rows.length * rowHeight;
  const labels = new Map(look.page.marks?.map(({ row, label }) => [row, label]));
  return html`<div role="rowgroup" class="rows" .style=${`block-size: ${height}px`}>
    ${places.map((place) => rowView(look, place, labels))}
  </div>`;
}

function rowView(
  look: RowsLook,
  place: number,
  labels: ReadonlyMap<number, string>,
): TemplateResult {
  const { page, order, rowsBefore, selection } = look;
  const index = order.rows[place] ?? 0;
  const cells = page.rows[index] ?? [];
  const mark = labels.get(index);
  const spans = selectedSpans(selection, place);
  const columns = order.columns.map((column, at) => {
    const cellMark = at === 0 ? mark : undefined;
    return cellView(
      look,
      cells,
      column,
      { row: place, column: at },
      isInSpans(spans, at),
      cellMark,
    );
  });
  return html`<div
    role="row"
    aria-rowindex=${rowsBefore + place + 2}
    aria-current=${index === page.startRow ? 'true' : nothing}
    class="row ${mark === undefined ? '' : 'marked'} ${groupClasses(look, place)}"
    .style=${`inset-block-start: ${place * rowHeight}px`}
  >
    ${columns}
  </div>`;
}

/** The fills of one order that stand one below the other have a line beside them. */
function groupClasses({ columns, page, order }: RowsLook, place: number): string {
  const at = columns.findIndex(({ field }) => field === 'orderId');
  if (at < 0 || columns.every(({ field }) => field !== 'tradeId')) return '';
  const orderAt = (row: number): Cell => page.rows[order.rows[row] ?? -1]?.[at] ?? null;
  const own = orderAt(place);
  const [isAfter, isBefore] = [own === orderAt(place - 1), own === orderAt(place + 1)];
  if (own === null || !(isAfter || isBefore)) return '';
  return `grouped ${isAfter ? '' : 'groupStart'} ${isBefore ? '' : 'groupEnd'}`;
}

/** Has as few bindings as possible, because every scroll draws hundreds of cells. */
function cellView(
  { columns, fits, display, hiddenWord, matches }: RowsLook,
  cells: readonly Cell[],
  index: number,
  position: CellPosition,
  isSelected: boolean,
  mark: string | undefined,
): TemplateResult | typeof nothing {
  const [cell, column, fit] = [cells[index] ?? null, columns[index], fits[index]];
  if (!column) return nothing;
  const id = cellId(position);
  const text = gridCellText(cells, index, columns, fit?.zone ?? '', display);
  const isHidden = cell !== null && display.hides(column.field);
  const fill = fit && text !== unknownText ? fractionFill(cells, index, column, fit, display) : '';
  const classes = `${isNumeric(column.kind) ? 'numeric' : ''} ${cell === null ? 'unknown' : (gainOrLoss(cell, column) ?? wordOf(cell, column)?.tone ?? '')} ${matches.has(id) ? 'match' : ''}`;
  const content = contentView(column, cell, text, display);
  // oxfmt-ignore
  return html`<div role="gridcell" id=${id} aria-colindex=${position.column + 1} aria-selected=${isSelected ? 'true' : nothing} aria-label=${isHidden ? hiddenWord : nothing} class="cell ${classes}" data-fill=${fill === '' ? nothing : fill}>${
    mark === undefined ? content : html`<span class="mark">${mark}</span> ${content}`
  }</div>`;
}

function contentView(
  { kind, scale }: Column,
  cell: Cell,
  text: string,
  display: Display,
): TemplateResult | string {
  if (kind === 'decimal' || kind === 'percent') return figureView(text, display, mostGridDecimals);
  // A button: the grid handles its click and Enter, and the host opens it.
  if (kind === 'link' && isLink(cell))
    return html`<button class="link" type="button" tabindex="-1" aria-label=${text}>
      ${linkIcon}
    </button>`;
  return cell !== null && scale ? html`${distanceBar(cell, scale)}${text}` : text;
}

const linkIcon = svg`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M6.5 3H3v10h10V9.5M9 3h4v4M13 3 7.5 8.5"/></svg>`;

/** The places of the rows that are drawn: from the first up to but without the last. */
export type RowWindow = { readonly from: number; readonly to: number };

/** How many rows are drawn beyond the visible ones, and by how many at once the window moves. */
const [beyond, step] = [4, 4];

/** Moves in steps, so that most scroll events draw nothing. */
export function rowWindow(scrollTop: number, height: number): RowWindow {
  const first = Math.floor(scrollTop / rowHeight / step) * step;
  const visible = Math.ceil(height / rowHeight / step) * step;
  return { from: Math.max(0, first - beyond), to: first + visible + step + beyond };
}

/** The drawn places; the active row always, because assistive technology reads it by its element. */
export function drawnPlaces(
  { from, to }: RowWindow,
  rows: number,
  active: number,
): readonly number[] {
  const end = Math.min(to, rows);
  const places = Array.from({ length: Math.max(0, end - from) }, (_, index) => from + index);
  if (active < 0 || active >= rows) return places;
  if (active < from) return [active, ...places];
  return active >= end ? [...places, active] : places;
}

/** The header row. A sorted column says whether all rows are sorted, or only those of this page. */
export function headView(grid: Grid, order: GridOrder, fits: readonly ColumnFit[]): TemplateResult {
  const { columns, sortedWord = '' } = grid;
  const sort = shownSort(grid);
  return html`<div role="rowgroup" class="head">
    <div role="row" class="row" aria-rowindex="1">
      ${order.columns.map((index, column) => {
        const shown = columns[index];
        const direction = sort && sort.field === shown?.field ? sort : null;
        return shown
          ? headerCell(shown, column, fits[index]?.zone ?? '', direction, sortedWord)
          : nothing;
      })}
    </div>
  </div>`;
}

function headerCell(
  column: Column,
  place: number,
  zone: string,
  sort: Sort | null,
  sorted: string,
): TemplateResult {
  const direction = sort?.isDescending ? 'descending' : 'ascending';
  return html`<div
    role="columnheader"
    id=${cellId({ row: -1, column: place })}
    aria-colindex=${place + 1}
    aria-sort=${sort ? direction : nothing}
    class="cell ${isNumeric(column.kind) ? 'numeric' : ''}"
    title=${[headerText(column, zone), column.detail].filter(Boolean).join(' · ')}
  >
    <span class="label">${headerText(column, zone)}</span>${
      sort ? html` <span class="sorted">${sort.isDescending ? '↓' : '↑'} ${sorted}</span>` : nothing
    }<span class="grip"></span>
  </div>`;
}
