import { l10n } from 'vscode';
import { isSame } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { Column, LedgerFigures, TablePage } from '../../protocol/table.ts';
import { maskCells, masked, type CellRow } from '../webview/recordCells.ts';
import type { ReadPage, StartAt } from './panelState.ts';

/** A page as it may leave the host, with what the account says beside its rows. */
export function shownPage(
  { id, readAt, rows: read, cells }: ReadPage,
  annotations: Pick<TablePage, 'marks' | 'summary' | 'notes'>,
  startAt: StartAt | undefined,
  columns: readonly Column[],
  display: Display,
): TablePage {
  const { records: _records, matchingRows: _count, stored, ...page } = read;
  const startRow = startRowOf(cells, columns, startAt);
  const missing = startRow === null ? startAt?.missing : undefined;
  const label = l10n.t('no longer listed');
  const unlisted = (stored?.unlisted ?? []).map((row) => ({ row, label }));
  const shown = {
    ...page,
    id,
    readAt,
    rows: cells,
    marks: [...unlisted, ...annotations.marks],
    summary: [...page.summary, ...annotations.summary],
    notes: [...page.notes, ...annotations.notes, ...(missing === undefined ? [] : [missing])],
    startRow,
    isStartMissing: startRow === null && startAt !== undefined,
  };
  return maskPage(shown, columns, display);
}

/** Replaces the figures that privacy hides: they never reach the page. */
function maskPage(page: TablePage, columns: readonly Column[], display: Display): TablePage {
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

function startRowOf(
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
