import type { JsonValue } from '../base/exactJson.ts';
import type { Phrase } from '../base/phrase.ts';

/** A record that is missing because it broke its type, or a field: where it stood, and what is wrong, in one sentence. */
export type BadRecord = {
  readonly path: string;
  readonly problem: Phrase;
  /** Only this field is missing: it is null in its record. */
  readonly isField?: true;
  /** The record as it came, of cancel-all only. */
  readonly record?: JsonValue;
};

/** A decoded answer, with the records and fields that had to be set aside. */
export type Decoded<Value> = { readonly value: Value; readonly badRecords: readonly BadRecord[] };

/** What broke its type in a field of an answer: the field itself, or a record or its field within. */
export function badRecordsIn(
  badRecords: readonly BadRecord[],
  field: string,
): readonly BadRecord[] {
  return badRecords.filter(({ path }) => path.startsWith(`$.${field}`));
}

/** The records that are missing as a whole. */
export function missingRecords(badRecords: readonly BadRecord[]): readonly BadRecord[] {
  return badRecords.filter(({ isField }) => !isField);
}
