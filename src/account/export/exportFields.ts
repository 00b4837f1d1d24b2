import type { FieldKind } from '../../api/fields.ts';
import { fieldsOf, type HistoryName } from '../../api/operations.ts';
import type { JsonObject } from '../../base/exactJson.ts';
import { isoTime } from '../../base/time.ts';

/** How a field is written. `number` and `time` are the text of a number, `time` of a timestamp. */
export type WrittenKind = 'text' | 'number' | 'flag' | 'time';

/** A record's fields in the order in which they are written, which is that of the API document. */
export type ExportFields = Readonly<Record<string, WrittenKind>>;

export type ExportRecord = Readonly<Record<string, string | boolean | null | JsonObject>> & {
  readonly extra: JsonObject;
};

const writtenKinds: Readonly<Record<FieldKind, WrittenKind>> = {
  word: 'text',
  reference: 'text',
  number: 'number',
  id: 'number',
  flag: 'flag',
  time: 'time',
};

export function exportFields(history: HistoryName): ExportFields {
  const fields = [...fieldsOf(history)];
  return Object.fromEntries(fields.map(([field, { kind }]) => [field, writtenKinds[kind]]));
}

/** The name of the field that repeats a time as ISO 8601 in UTC. */
export function utcFieldName(field: string): string {
  return `${field}Utc`;
}

/** A timestamp as ISO 8601 in UTC, with every digit of its fraction; null if it is not a timestamp. */
export function utcInstant(text: string): string | null {
  const instant = isoTime(text);
  return instant === text ? null : instant;
}
