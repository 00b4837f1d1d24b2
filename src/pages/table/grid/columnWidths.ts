import type { TablePage } from '../../../protocol/table.ts';
import { shownRows, type OpenState } from '../state/pageState.ts';
import {
  columnFits,
  headerText,
  sortedHeaderWidth,
  type ColumnFit,
  type Measure,
} from './columnFits.ts';
import type { GridOrder } from './gridOrder.ts';

/** Around the label of a marked row, in CSS pixels. */
const markPadding = 24;

/** What the columns need for this page, at least what they needed before. */
export function fitColumns(
  measure: Measure,
  { description: { columns }, display }: OpenState,
  page: TablePage,
  before: readonly ColumnFit[],
): readonly ColumnFit[] {
  return columnFits(columns, page.rows, display, measure, before);
}

/** The widths of the shown columns in CSS pixels: as the user set them, or what they need. */
export function shownWidths(
  measure: Measure,
  { description: { columns }, grid, body, texts }: OpenState,
  order: GridOrder,
  fits: readonly ColumnFit[],
): readonly number[] {
  const marks = shownRows(body)?.page.marks ?? [];
  const markWidths = marks.map(({ label }) => measure(label, false) + markPadding);
  return order.columns.map((index, place) => {
    const [column, fit] = [columns[index], fits[index]];
    if (!column || !fit) return 0;
    const isSorted = grid.sort?.field === column.field;
    const header = headerText(column, fit.zone);
    const sorted = isSorted ? sortedHeaderWidth(measure, header, texts.thisPage) : 0;
    const marked = place === 0 ? Math.max(0, ...markWidths) : 0;
    return grid.layout.widths[column.field] ?? Math.ceil(Math.max(fit.width, sorted) + marked);
  });
}
