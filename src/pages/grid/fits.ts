import { compactDecimals, fractionDigits, isNumberText, plain } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { headerText, isNumeric, isProfit, sharedZone, wordOf } from '../../protocol/cellRules.ts';
import type { Cell, Column } from '../../protocol/table.ts';
import { drawnFigure, mostGridDecimals } from '../figure.ts';
import { barWidth, gridCellText } from './cells.ts';
import type { GridOrder } from './order.ts';
import { shownSort, type Grid } from './model.ts';

type Row = readonly Cell[];

/** What the cells of a column need. */
export type ColumnFit = {
  /** In CSS pixels, with padding. */
  readonly width: number;
  /** What is drawn after the decimal point at most, by unit: shorter fractions are filled up, so that points align. */
  readonly fractions: ReadonlyMap<string, Fraction>;
  /** The column that names the unit; −1 if none does. */
  readonly unitColumn: number;
  /** The zone of its times; empty if each cell names its own. */
  readonly zone: string;
};

type Alignment = Pick<ColumnFit, 'fractions' | 'unitColumn'>;

/** How many digits of a number are drawn after its decimal point, and whether others are cut. */
type Fraction = { readonly digits: number; readonly isCut: boolean };

/** The width of a text in the grid's font, in CSS pixels. */
export type Measure = (text: string, isBold: boolean) => number;

/** Text beyond it is cut off and shown in a tooltip; a number never is. */
const maxTextWidth = 320;
const cellPadding = 18;
/** What the first column has more, at the edge of the grid. */
const edgePadding = 10;
/** For the icon of a link. */
const iconWidth = 18;
/** Of a header. A sorted one has an arrow in words of its own. */
const headerPadding = 18;

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
    const { width = 0, fractions: known } = before[index] ?? {};
    // Numbers of one asset or symbol are aligned: those of others may be of another size.
    const unitField = column.unitField ?? 'symbol';
    const unitColumn = columns.findIndex(({ field }) => field === unitField);
    const zone =
      column.kind === 'time'
        ? sharedZone(
            rows.map((row) => row[index] ?? null),
            display,
          )
        : '';
    const fractions = new Map(known);
    for (const row of isAligned(column) ? rows : []) {
      const unit = row[unitColumn] ?? '';
      fractions.set(unit, longer(fractions.get(unit), drawnFraction(row[index] ?? null, display)));
    }
    const fit = { fractions, unitColumn };
    const texts = widestRows(rows, index, column, fit).map((row) => {
      const text = gridCellText(row, index, columns, zone, display);
      if (column.kind === 'link') return '';
      const drawn = isAligned(column) ? drawnFigure(text, display, mostGridDecimals) : text;
      return drawn + fractionFill(row, index, column, fit, display);
    });
    const widest = Math.max(0, ...texts.map((text) => measure(text, false))) + cellPadding;
    const drawn = column.kind === 'link' ? iconWidth : column.scale ? barWidth : 0;
    const limited = isNumeric(column.kind) ? widest : Math.min(widest, maxTextWidth) + drawn;
    const header = measure(headerText(column, zone), true) + headerPadding;
    return { width: Math.ceil(Math.max(width, limited, header)), ...fit, zone };
  });
}
function isAligned({ kind }: Column): boolean {
  return kind === 'decimal' || kind === 'percent';
}

/** Of a masked figure and of text there is nothing. */
function drawnFraction(cell: Cell, display: Display): Fraction {
  if (cell === null || !isNumberText(cell)) return { digits: 0, isCut: false };
  const text = plain(cell);
  if (display.showsAllDigits) return { digits: fractionDigits(text), isCut: false };
  const digits = compactDecimals(text, mostGridDecimals);
  const cut = text.slice(text.length - fractionDigits(text) + digits);
  return { digits, isCut: fractionDigits(text) > digits && /[1-9]/.test(cut) };
}

function longer(one: Fraction = { digits: 0, isCut: false }, other: Fraction): Fraction {
  const isCut = one.isCut || other.isCut;
  return { digits: Math.max(one.digits, other.digits), isCut };
}

/**
 * The row of the longest cell: of numbers what stands before and after their points counts, as these align. A
 * gain is shown with a sign more. The length of a cell does not tell that of a word in its place.
 */
function widestRows(
  rows: readonly Row[],
  index: number,
  column: Column,
  { fractions, unitColumn }: Alignment,
): readonly Row[] {
  if (column.kind === 'distance') return rows;
  if (column.words) return wordRows(rows, index, column);
  const hasSigns = isProfit(column);
  const lengthOf = (row: Row): number => {
    const cell = row[index] ?? '';
    const sign = hasSigns && !cell.startsWith('-') ? 1 : 0;
    if (!isAligned(column) || !isNumberText(cell)) return cell.length + sign;
    const { digits = 0, isCut } = fractions.get(row[unitColumn] ?? '') ?? {};
    return plain(cell).search(/\.|$/) + sign + digits + (isCut ? 1 : 0);
  };
  const longest = rows.reduce<Row | undefined>(
    (best, row) => (best && lengthOf(best) >= lengthOf(row) ? best : row),
    undefined,
  );
  return longest ? [longest] : [];
}

/** One row of each word; each row of a word whose share depends on it. */
function wordRows(rows: readonly Row[], index: number, column: Column): readonly Row[] {
  const keyOf = (row: Row): unknown => {
    const cell = row[index] ?? null;
    return wordOf(cell, column)?.share ? row : cell;
  };
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}

/** Stands invisibly behind a number, so that its decimal point aligns; empty behind anything else. */
export function fractionFill(
  row: Row,
  index: number,
  column: Column,
  { fractions, unitColumn }: Alignment,
  display: Display,
): string {
  const cell = row[index] ?? null;
  if (!isAligned(column) || cell === null || !isNumberText(cell)) return '';
  const longest = fractions.get(row[unitColumn] ?? '');
  if (!longest) return '';
  const { digits, isCut } = drawnFraction(cell, display);
  const point = digits === 0 && longest.digits > 0 ? '.' : '';
  const zeros = '0'.repeat(Math.max(0, longest.digits - digits));
  return `${point}${zeros}${longest.isCut && !isCut ? '…' : ''}`;
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
    const atEdge = place === 0 ? Math.max(0, ...markWidths) + edgePadding : 0;
    return state.layout.widths[column.field] ?? Math.ceil(Math.max(fit.width, sorted) + atEdge);
  });
}

/** Whether a column is narrower than its cells need. */
export function isNarrowed(
  widths: readonly number[],
  order: GridOrder,
  fits: readonly ColumnFit[],
): boolean {
  return order.columns.some((index, place) => {
    const atEdge = place === 0 ? edgePadding : 0;
    return (widths[place] ?? 0) < (fits[index]?.width ?? 0) + atEdge;
  });
}
