import { JsonNumber, type JsonValue } from '../exchange/json.ts';

/** JSON in which every number is what the wire had; `scrub` goes over texts and names. */
export function jsonText(value: JsonValue, scrub: (text: string) => string = same): string {
  if (value instanceof JsonNumber) return value.text;
  if (typeof value === 'string') return JSON.stringify(scrub(value));
  if (Array.isArray(value)) return `[${value.map((item) => jsonText(item, scrub)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, item]) =>
    member(scrub(name), jsonText(item, scrub)),
  );
  return `{${members.join(',')}}`;
}

/** A name and its value, which is JSON already. */
export function member(name: string, json: string): string {
  return `${JSON.stringify(name)}:${json}`;
}

function same(text: string): string {
  return text;
}
