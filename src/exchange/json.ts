/** A JSON number as its source text, whatever its size: tells `1.10` apart from the string `"1.10"`. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): string {
    return this.text;
  }
}

/** A JSON value whose numbers are still the text of the wire. */
export type JsonValue = null | boolean | string | JsonNumber | JsonValue[] | JsonObject;
export type JsonObject = { readonly [key: string]: JsonValue };

type SourceReviver = (key: string, value: unknown, context?: { source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver: SourceReviver) => JsonValue;

/** Parses JSON without touching a digit. Throws a SyntaxError on what is no JSON or nested too deep. */
export function parseJson(text: string): JsonValue {
  try {
    return parse(text, (_key, value, context) =>
      typeof value === 'number' ? exactNumber(context?.source) : value,
    );
  } catch (error) {
    if (error instanceof RangeError) throw new SyntaxError('nested too deep', { cause: error });
    throw error;
  }
}

function exactNumber(source: string | undefined): JsonNumber {
  if (source === undefined) throw new Error('This Node does not give the source text of numbers.');
  return new JsonNumber(source);
}
