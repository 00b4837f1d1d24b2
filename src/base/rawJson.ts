type RawJson = { rawJSON(text: string): object };

/** What `JSON.stringify` writes as this number, digit for digit. `text` is a number as JSON has them. */
export function rawNumber(text: string): object {
  // Node 22 and later have it; TypeScript's library does not know it yet.
  return (JSON as unknown as RawJson).rawJSON(text);
}
