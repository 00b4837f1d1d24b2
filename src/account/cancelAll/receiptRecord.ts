import { isNumberText } from '../../base/decimal.ts';
import { isJsonObject, type JsonValue } from '../../base/exactJson.ts';
import type { RemoveSecrets } from '../../exchange/http/redactor.ts';
import type { CanceledOrder } from '../../exchange/records.ts';

/**
 * The fields of a record by the API's names, then what else the exchange sent: each as received, digit
 * for digit; null where it was null.
 */
export type ReceiptRecord = readonly (readonly [name: string, text: string | null])[];

/** Every field of a record. `scrub` runs on texts, never on numbers. */
export function receiptRecord(
  { extra, ...named }: CanceledOrder,
  scrub: RemoveSecrets,
): ReceiptRecord {
  const clean = (text: string): string => (isNumberText(text) ? text : scrub(text));
  const own = Object.entries(named).map(
    ([name, value]) => [name, value === null ? null : clean(value)] as const,
  );
  const others = Object.entries(extra).map(
    ([name, value]) => [scrub(name), extraText(value, scrub)] as const,
  );
  return [...own, ...others];
}

/** Every field of a record that broke its type; a value without fields becomes one field. */
export function unreadableReceiptRecord(record: JsonValue, scrub: RemoveSecrets): ReceiptRecord {
  if (!isJsonObject(record)) return [['record', extraText(record, scrub)]];
  return Object.entries(record).map(([name, value]) => [scrub(name), extraText(value, scrub)]);
}

/** The text of a field by its name, if the record has one. */
export function receiptField(record: ReceiptRecord, name: string): string | undefined {
  return record.find(([field]) => field === name)?.[1] ?? undefined;
}

function extraText(value: JsonValue, scrub: RemoveSecrets): string | null {
  if (value === null) return null;
  return typeof value === 'string' ? scrub(value) : JSON.stringify(scrubbed(value, scrub));
}

function scrubbed(value: JsonValue, scrub: RemoveSecrets): JsonValue {
  if (typeof value === 'string') return scrub(value);
  if (Array.isArray(value)) return value.map((item) => scrubbed(item, scrub));
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(
    ([name, field]) => [scrub(name), scrubbed(field, scrub)] as const,
  );
  return Object.fromEntries(fields);
}
