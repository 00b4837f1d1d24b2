import { mask, type Display } from '../../base/display.ts';
import type { Cell, Column, TablePage } from '../../protocol/table.ts';

/** A page as it may cross to the browser: a figure that privacy hides never does. */
export function maskedPage(
  page: TablePage,
  columns: readonly Column[],
  display: Display,
): TablePage {
  if (!display.settings.hidesMoney) return page;
  const masked = (cell: Cell, field: string): Cell =>
    cell !== null && display.hides(field) ? mask : cell;
  return {
    ...page,
    rows: page.rows.map((cells) =>
      cells.map((cell, index) => masked(cell, columns[index]?.field ?? '')),
    ),
    facts: page.facts.map((group) => ({
      ...group,
      facts: group.facts.map((fact) => ({ ...fact, cell: masked(fact.cell, fact.field) })),
    })),
  };
}
