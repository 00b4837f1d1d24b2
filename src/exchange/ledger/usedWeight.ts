/** Names under which exchanges say how much weight was used, by everybody, within the minute. */
const names = [
  'x-mbx-used-weight-1m',
  'x-mbx-used-weight',
  'x-used-weight-1m',
  'x-used-weight',
  'x-ratelimit-used',
  'ratelimit-used',
] as const;

/** The used weight that an answer's headers tell; undefined where they tell none. */
export function usedWeight(headers: { get(name: string): string | null }): number | undefined {
  const told = names.map((name) => headers.get(name) ?? '');
  const value = told.find((text) => /^\d{1,9}$/.test(text));
  return value === undefined ? undefined : Number(value);
}
