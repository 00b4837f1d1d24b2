import { isNumberText } from '../../base/decimal.ts';
import { isJsonObject, type JsonValue } from '../../base/exactJson.ts';
import type { RemoveSecrets } from '../../exchange/http/redactor.ts';
import type { CanceledOrder } from '../../exchange/records.ts';

/**
 * The fields of a record by the API's names, then what else the exchange sent: each as received, digit
 * for digit; null if it was null.
 */
export type ReceiptRecord = readonly (readonly [name: string, text: string | null])[];

/** Every field of a record. `redact` runs on texts, never on numbers. */
export function receiptRecord(
  { extra, ...named }: CanceledOrder,
  redact: RemoveSecrets,
): ReceiptRecord {
  const clean = (text: string): string => (isNumberText(text) ? text : redact(text));
  const own = Object.entries(named).map(
    ([name, value]) => [name, value === null ? null : clean(value)] as const,
  );
  const others = Object.entries(extra).map(
    ([name, value]) => [redact(name), extraText(value, redact)] as const,
  );
  return [...own, ...others];
}

/** Every field of a record that broke its type; a value without fields becomes one field. */
export function unreadableReceiptRecord(record: JsonValue, redact: RemoveSecrets): ReceiptRecord {
  if (!isJsonObject(record)) return [['record', extraText(record, redact)]];
  return Object.entries(record).map(([name, value]) => [redact(name), extraText(value, redact)]);
}

/** The text of a field by its name, if the record has one. */
export function receiptField(record: ReceiptRecord, name: string): string | undefined {
  return record.find(([field]) => field === name)?.[1] ?? undefined;
}

function extraText(value: JsonValue, redact: RemoveSecrets): string | null {
  if (value === null) return null;
  return typeof value === 'string' ? redact(value) : JSON.stringify(redacted(value, redact));
}

function redacted(value: JsonValue, redact: RemoveSecrets): JsonValue {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redacted(item, redact));
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(
    ([name, field]) => [redact(name), redacted(field, redact)] as const,
  );
  return Object.fromEntries(fields);
}
