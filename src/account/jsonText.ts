import { JsonNumber, type JsonValue } from '../exchange/json.ts';

/** JSON in which every number is what the wire had. */
export function jsonText(value: JsonValue): string {
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}:${jsonText(item)}`,
  );
  return `{${members.join(',')}}`;
}
