import type { CellSelection, GridView } from '../../protocol/gridMessages.ts';

/** A cell by its place among the shown rows and columns. Row −1 is the header. */
export type CellPosition = Readonly<GridView['active']>;

/** Ranges from where each began to where it ends, which may overlap. Without one, the active cell is selected. */
export type Selection = GridView['selection'];
type CellRange = Readonly<Selection[number]>;

/** Both ends are included. */
type Span = readonly [from: number, to: number];

const allColumns: Span = [0, Infinity];

function rowSpan({ anchor, end }: CellRange): Span {
  return [Math.max(0, Math.min(anchor.row, end.row)), Math.max(anchor.row, end.row)];
}

function columnSpan({ anchor, end, isRows }: CellRange): Span {
  if (isRows) return allColumns;
  return [Math.min(anchor.column, end.column), Math.max(anchor.column, end.column)];
}

/** The selected columns of a row. */
export function selectedSpans(selection: Selection, row: number): readonly Span[] {
  return selection.flatMap((range) => {
    const [from, to] = rowSpan(range);
    return row >= from && row <= to ? [columnSpan(range)] : [];
  });
}

export function isInSpans(spans: readonly Span[], column: number): boolean {
  return spans.some(([from, to]) => column >= from && column <= to);
}

/** Moves the end of the last range, or begins one at the active cell. */
export function extendSelection(
  selection: Selection,
  active: CellPosition,
  end: CellPosition,
): Selection {
  const last = selection.at(-1) ?? { anchor: active, end, isRows: false };
  return [...selection.slice(0, -1), { ...last, end }];
}

/** The rows of the last range, or else of the active cell, become whole rows. */
export function wholeRows(selection: Selection, active: CellPosition): Selection {
  const last = selection.at(-1) ?? { anchor: active, end: active };
  return [...selection.slice(0, -1), { ...last, isRows: true }];
}

/** The selected cells of a page, in the order in which they are shown. */
export function selectedCells(
  selection: Selection,
  active: CellPosition,
  order: { readonly columns: readonly number[]; readonly rows: readonly number[] },
  pageId: number,
): CellSelection {
  const ranges =
    selection.length > 0 ? selection : [{ anchor: active, end: active, isRows: false }];
  const columnsIn = columnsBySpans(order.columns);
  const rows = selectedRows(ranges, order.rows.length).flatMap((row) => {
    const columns = columnsIn(selectedSpans(ranges, row));
    const index = order.rows[row];
    return columns.length > 0 && index !== undefined ? [{ row: index, columns }] : [];
  });
  const used = new Set([...new Set(rows.map(({ columns }) => columns))].flat());
  const columns = order.columns.filter((column) => used.has(column));
  return { pageId, columns, rows, isRows: ranges.every(({ isRows }) => isRows) };
}

/** The columns that spans contain. The rows of a range share one list: there may be thousands. */
function columnsBySpans(columns: readonly number[]): (spans: readonly Span[]) => number[] {
  const known = new Map<string, number[]>();
  return (spans) => {
    const key = spans.join(' ');
    const inSpans = known.get(key) ?? columns.filter((_, column) => isInSpans(spans, column));
    known.set(key, inSpans);
    return inSpans;
  };
}

function selectedRows(selection: Selection, count: number): readonly number[] {
  const rows = new Set<number>();
  for (const range of selection) {
    const [from, to] = rowSpan(range);
    for (let row = from; row <= Math.min(to, count - 1); row += 1) rows.add(row);
  }
  return [...rows].sort((one, other) => one - other);
}

export function cellCount({ rows }: CellSelection): number {
  return rows.reduce((count, { columns }) => count + columns.length, 0);
}
