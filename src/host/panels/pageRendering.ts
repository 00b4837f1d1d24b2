import { isSame } from '../../base/decimal.ts';
import { mask, type Display } from '../../base/display.ts';
import type { Cell, Column, TablePage } from '../../protocol/table.ts';
import { cellOf, type CellRow } from './tableDefinition.ts';

/** Names the row whose `field` has this text. */
export type StartAt = { readonly field: string; readonly text: string };

/** Replaces the figures that privacy hides: they never reach the page. */
export function maskPage(page: TablePage, columns: readonly Column[], display: Display): TablePage {
  if (!display.settings.hidesMoney) return page;
  const masked = (cell: Cell, field: Column['field'] | undefined): Cell =>
    cell !== null && (field === undefined || display.hides(field)) ? mask : cell;
  return {
    ...page,
    rows: page.rows.map((cells) => cells.map((cell, index) => masked(cell, columns[index]?.field))),
    summary: page.summary.map((group) => ({
      ...group,
      items: group.items.map((item) => ({ ...item, cell: masked(item.cell, item.field) })),
    })),
  };
}

export function startRowOf(
  rows: readonly CellRow[],
  columns: readonly Column[],
  startAt: StartAt | undefined,
): number | null {
  if (!startAt) return null;
  const column = columns.findIndex(({ field }) => field === startAt.field);
  const row = rows.findIndex((cells) => isSame(cells[column] ?? null, startAt.text));
  return row < 0 ? null : row;
}

/** The fields of a record in the order of the columns, as the exchange wrote them. */
export function cellsOf(item: object, columns: readonly Column[]): CellRow {
  return columns.map(({ field }) => cellOf(item, field));
}
