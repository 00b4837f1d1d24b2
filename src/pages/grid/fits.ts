import { fractionDigits, isNumberText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { headerText, isNumeric, isProfit, sharedZone } from '../../protocol/cellRules.ts';
import type { Cell, Column } from '../../protocol/table.ts';
import { barWidth, gridCellText } from './cells.ts';
import type { GridOrder } from './order.ts';
import { shownSort, type Grid } from './model.ts';

/** What the cells of a column need. */
export type ColumnFit = {
  /** In CSS pixels, with padding. */
  readonly width: number;
  /** The most digits after the decimal point: shorter fractions are filled up, so that points align. */
  readonly fraction: number;
  /** The zone of its times; empty if each cell names its own. */
  readonly zone: string;
};

/** The width of a text in the grid's font, in CSS pixels. */
export type Measure = (text: string, isBold: boolean) => number;

/** Text beyond it is cut off and shown in a tooltip; a number never is. */
const maxTextWidth = 320;
const cellPadding = 28;
/** For the icon of a link. */
const iconWidth = 18;
/** For the arrow of a sorted column. */
const headerPadding = 40;

/**
 * At least as wide as before, so that columns stay in place from page to page. Only the longest text of
 * each column is measured.
 */
export function columnFits(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  display: Display,
  measure: Measure,
  before: readonly ColumnFit[],
): readonly ColumnFit[] {
  return columns.map((column, index) => {
    const { width = 0, fraction: least = 0 } = before[index] ?? {};
    const cells = rows.map((row) => row[index] ?? null);
    const zone = column.kind === 'time' ? sharedZone(cells, display) : '';
    const fraction = cells.reduce<number>(
      (most, cell) => Math.max(most, shownFraction(cell, column)),
      least,
    );
    const texts = widestCells(cells, column).map(
      (row) =>
        `${gridCellText(rows[row] ?? [], index, columns, zone, display)}${fractionFill(cells[row] ?? null, fraction)}`,
    );
    const widest = Math.max(0, ...texts.map((text) => measure(text, false))) + cellPadding;
    const drawn = column.kind === 'link' ? iconWidth : column.scale ? barWidth : 0;
    const limited = isNumeric(column.kind) ? widest : Math.min(widest, maxTextWidth) + drawn;
    const header = measure(headerText(column, zone), true) + headerPadding;
    return { width: Math.ceil(Math.max(width, limited, header)), fraction, zone };
  });
}

/**
 * The longest cell, and for numbers also the one with the longest integer part; a gain is shown with a sign
 * more. A distance is shown by a word that its length does not tell.
 */
function widestCells(cells: readonly Cell[], { kind, field }: Column): readonly number[] {
  if (kind === 'distance') return [...cells.keys()];
  const hasSigns = isProfit(field);
  const longest = (lengthOf: (cell: string) => number): number => {
    const length = (cell: string): number =>
      lengthOf(cell) + (hasSigns && !cell.startsWith('-') ? 1 : 0);
    return cells.reduce<number>(
      (best, cell, row) => (length(cell ?? '') > length(cells[best] ?? '') ? row : best),
      0,
    );
  };
  const byLength = longest((cell) => cell.length);
  return isNumeric(kind) ? [byLength, longest((cell) => cell.search(/[.eE]|$/))] : [byLength];
}

/** How many digits of the fraction the grid shows: a masked figure and text have none. */
function shownFraction(cell: Cell, { kind }: Column): number {
  if (cell === null || (kind !== 'decimal' && kind !== 'percent')) return 0;
  return isNumberText(cell) ? fractionDigits(cell) : 0;
}

/** Stands invisibly behind a number, so that its decimal point aligns; empty behind anything else. */
export function fractionFill(cell: Cell, fraction: number): string {
  if (cell === null || !isNumberText(cell) || fraction === 0) return '';
  const own = fractionDigits(cell);
  return `${own === 0 ? '.' : ''}${'0'.repeat(Math.max(0, fraction - own))}`;
}

/** Around the label of a marked row, in CSS pixels. */
const markPadding = 24;

/** The widths of the shown columns in CSS pixels: as the user set them, or what they need. */
export function shownWidths(
  measure: Measure,
  grid: Grid,
  order: GridOrder,
  fits: readonly ColumnFit[],
): readonly number[] {
  const { columns, page, state, sortedWord = '' } = grid;
  const sort = shownSort(grid);
  const sortedText = `↓ ${sortedWord}`;
  const marks = new Set(page.marks?.map(({ label }) => label));
  const markWidths = [...marks].map((label) => measure(label, false) + markPadding);
  return order.columns.map((index, place) => {
    const [column, fit] = [columns[index], fits[index]];
    if (!column || !fit) return 0;
    // A sorted header has an arrow and two words more.
    const headerWidth = (): number =>
      measure(headerText(column, fit.zone), true) + measure(sortedText, false) + headerPadding;
    const sorted = sort?.field === column.field ? headerWidth() : 0;
    const marked = place === 0 ? Math.max(0, ...markWidths) : 0;
    return state.layout.widths[column.field] ?? Math.ceil(Math.max(fit.width, sorted) + marked);
  });
}

/** Whether a column is narrower than its cells need. */
export function isNarrowed(
  widths: readonly number[],
  order: GridOrder,
  fits: readonly ColumnFit[],
): boolean {
  return order.columns.some((index, place) => (widths[place] ?? 0) < (fits[index]?.width ?? 0));
}
