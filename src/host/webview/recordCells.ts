import { mask, type Display } from '../../base/display.ts';
import type { JsonObject, JsonValue } from '../../base/exactJson.ts';
import { isoTime } from '../../base/time.ts';
import type { FieldCopy } from '../../protocol/gridMessages.ts';
import type { Cell, Column, RecordFields } from '../../protocol/table.ts';

export type CellRow = readonly Cell[];

/** A field of a record as the exchange wrote it; null if the record has no such value. */
export function cellOf(record: object, field: string): Cell {
  const value = Object.hasOwn(record, field)
    ? (record as Readonly<Record<string, unknown>>)[field]
    : undefined;
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? value : null;
}

/** The cells of a row as a page may have them. */
export function maskCells(cells: CellRow, columns: readonly Column[], display: Display): Cell[] {
  return cells.map((cell, index) => masked(cell, columns[index]?.field, display));
}

export function masked(cell: Cell, field: Column['field'] | undefined, display: Display): Cell {
  const isHidden = field === undefined ? display.settings.hidesMoney : display.hides(field);
  return cell !== null && isHidden ? mask : cell;
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
    const { field } = column;
    return { ...column, cell: masked(cellOf(record, field), field, display) };
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
