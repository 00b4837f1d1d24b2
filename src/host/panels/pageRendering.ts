import { isSame } from '../../base/decimal.ts';
import { mask, type Display } from '../../base/display.ts';
import type { JsonObject, JsonValue } from '../../base/exactJson.ts';
import { isoTime } from '../../base/time.ts';
import type { FieldCopy } from '../../protocol/gridMessages.ts';
import type { Cell, Column, LedgerFigures, TablePage, RecordFields } from '../../protocol/table.ts';
import { cellOf, type CellRow } from './tableDefinition.ts';

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

/** The cells of a row as a page may have them. */
export function maskCells(cells: CellRow, columns: readonly Column[], display: Display): Cell[] {
  return cells.map((cell, index) => masked(cell, columns[index]?.field, display));
}

function masked(cell: Cell, field: Column['field'] | undefined, display: Display): Cell {
  const isHidden = field === undefined ? display.settings.hidesMoney : display.hides(field);
  return cell !== null && isHidden ? mask : cell;
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

/** The fields of a record in the order of the columns, as the exchange wrote them. */
export function cellsOf(item: object, columns: readonly Pick<Column, 'field'>[]): Cell[] {
  return columns.map(({ field }) => cellOf(item, field));
}

/** Every field of a record, masked: those of the table's columns, then what else the exchange sent. */
export function recordFields(
  record: object,
  columns: readonly Column[],
  display: Display,
): RecordFields {
  const fields = columns.map((column) => {
    const cell = cellOf(record, column.field);
    return { ...column, cell: cell !== null && display.hides(column.field) ? mask : cell };
  });
  const extra = Object.entries(extraOf(record)).map(([name, value]) => ({
    name,
    text: display.serverText(extraText(value)),
  }));
  return { fields, extra };
}

/** The unmasked text of one field; undefined if the record has no such field. */
export function copiedField(record: object, { field, isExtra, as }: FieldCopy): string | undefined {
  if (isExtra) {
    const extra = extraOf(record);
    return Object.hasOwn(extra, field) ? extraText(extra[field] ?? null) : undefined;
  }
  const cell = cellOf(record, field) ?? undefined;
  return cell !== undefined && as === 'iso' ? isoTime(cell) : cell;
}

function extraOf(record: object): JsonObject {
  return 'extra' in record ? (record.extra as JsonObject) : {};
}

/** Text without its quotes, anything else as JSON with every digit. */
function extraText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
