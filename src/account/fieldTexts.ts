import { JsonNumber, type JsonValue } from '../exchange/json.ts';
import type { CanceledOrder, Order } from '../exchange/records.ts';

/**
 * A record's fields by the interface's names, then what else the exchange sent: each as the wire wrote
 * it, digit for digit; null where it was null.
 */
export type FieldTexts = readonly (readonly [name: string, text: string | null])[];

/** Every field of a record; `scrub` goes over the texts, and lets numbers be. */
export function fieldTexts(
  { extra, ...named }: Order | CanceledOrder,
  scrub: (text: string) => string,
): FieldTexts {
  const clean = (text: string): string => (isFigure(text) ? text : scrub(text));
  const own = Object.entries(named).map(
    ([name, value]) => [name, value === null ? null : clean(value)] as const,
  );
  const others = Object.entries(extra).map(
    ([name, value]) => [scrub(name), extraText(value, scrub)] as const,
  );
  return [...own, ...others];
}

/** The text of a field by its name, if the record has one. */
export function fieldOf(record: FieldTexts, name: string): string | undefined {
  return record.find(([field]) => field === name)?.[1] ?? undefined;
}

function isFigure(text: string): boolean {
  return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text);
}

function extraText(value: JsonValue, scrub: (text: string) => string): string | null {
  if (value === null) return null;
  if (typeof value === 'string') return scrub(value);
  try {
    return exactJson(value, scrub);
  } catch (error) {
    if (error instanceof RangeError) return 'nested too deep';
    throw error;
  }
}

/** JSON again, with the digits of the wire. */
function exactJson(value: JsonValue, scrub: (text: string) => string): string {
  if (value instanceof JsonNumber) return value.text;
  if (typeof value === 'string') return JSON.stringify(scrub(value));
  if (Array.isArray(value)) return `[${value.map((item) => exactJson(item, scrub)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).map(
    ([name, field]) => `${JSON.stringify(scrub(name))}:${exactJson(field, scrub)}`,
  );
  return `{${fields.join(',')}}`;
}
