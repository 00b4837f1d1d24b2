import { isSame } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { Column, LedgerFigures, TablePage } from '../../protocol/table.ts';
import { maskCells, masked, type CellRow } from '../webview/recordCells.ts';

/** Names the first row that has these texts, by field; `missing` is what to say if no row has them. */
export type StartAt = {
  readonly fields: Readonly<Record<string, string>>;
  readonly missing?: string;
};

/** Replaces the figures that privacy hides: they never reach the page. */
export function maskPage(page: TablePage, columns: readonly Column[], display: Display): TablePage {
  if (!display.settings.hidesMoney) return page;
  return {
    ...page,
    rows: page.rows.map((cells) => maskCells(cells, columns, display)),
    summary: page.summary.map((group) => ({
      ...group,
      items: group.items.map((item) => ({ ...item, cell: masked(item.cell, item.field, display) })),
    })),
    ...(page.ledger ? { ledger: withoutHidden(page.ledger, display) } : {}),
  };
}

function withoutHidden(figures: LedgerFigures, display: Display): LedgerFigures {
  return { ...figures, sums: figures.sums.filter(({ field }) => !display.hides(field)) };
}

export function startRowOf(
  rows: readonly CellRow[],
  columns: readonly Column[],
  startAt: StartAt | undefined,
): number | null {
  if (!startAt) return null;
  const wanted = Object.entries(startAt.fields).map(([name, text]) => {
    return { column: columns.findIndex(({ field }) => field === name), text };
  });
  const row = rows.findIndex((cells) =>
    wanted.every(({ column, text }) => isSame(cells[column] ?? null, text)),
  );
  return row < 0 ? null : row;
}
