import { mask, type Display } from '../../base/display.ts';
import type { JsonObject, JsonValue } from '../../base/exactJson.ts';
import { isoTime } from '../../base/time.ts';
import type { FieldCopy } from '../../protocol/gridMessages.ts';
import type { Column, RecordFields } from '../../protocol/table.ts';
import { cellOf } from './tableDefinition.ts';

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
