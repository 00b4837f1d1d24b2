/** What a value of the receipt's data is called where it is no text: an icon, a colour, a state. */
const notTexts = new Set(['icon', 'tone', 'state']);

/** Every text in the data of a receipt page. */
export function receiptTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    notTexts.has(key) ? [] : receiptTexts(one),
  );
}
