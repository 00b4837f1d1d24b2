import { isNumberText } from '../base/decimal.ts';
import type { Scrub } from '../exchange/auth/scrub.ts';
import { isJsonObject, type JsonValue } from '../exchange/json.ts';
import type { CanceledOrder, Order } from '../exchange/records.ts';

/**
 * A record's fields by the interface's names, then what else the exchange sent: each as the wire wrote
 * it, digit for digit; null where it was null.
 */
export type FieldTexts = readonly (readonly [name: string, text: string | null])[];

/** Every field of a record; `scrub` goes over the texts, and lets numbers be. */
export function fieldTexts({ extra, ...named }: Order | CanceledOrder, scrub: Scrub): FieldTexts {
  const clean = (text: string): string => (isNumberText(text) ? text : scrub(text));
  const own = Object.entries(named).map(
    ([name, value]) => [name, value === null ? null : clean(value)] as const,
  );
  const others = Object.entries(extra).map(
    ([name, value]) => [scrub(name), extraText(value, scrub)] as const,
  );
  return [...own, ...others];
}

/** Every field of a record that broke its type; what has no fields stands as one. */
export function rawFieldTexts(record: JsonValue, scrub: Scrub): FieldTexts {
  if (!isJsonObject(record)) return [['record', extraText(record, scrub)]];
  return Object.entries(record).map(([name, value]) => [scrub(name), extraText(value, scrub)]);
}

/** The text of a field by its name, if the record has one. */
export function fieldOf(record: FieldTexts, name: string): string | undefined {
  return record.find(([field]) => field === name)?.[1] ?? undefined;
}

function extraText(value: JsonValue, scrub: Scrub): string | null {
  if (value === null) return null;
  return typeof value === 'string' ? scrub(value) : JSON.stringify(scrubbed(value, scrub));
}

function scrubbed(value: JsonValue, scrub: Scrub): JsonValue {
  if (typeof value === 'string') return scrub(value);
  if (Array.isArray(value)) return value.map((item) => scrubbed(item, scrub));
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(
    ([name, field]) => [scrub(name), scrubbed(field, scrub)] as const,
  );
  return Object.fromEntries(fields);
}
