/** What a value of a page's document is called if it is no text: an icon, a colour, a state, an action. */
const notTexts = new Set(['icon', 'tone', 'state', 'action']);

/** Every text in the document of a page. */
export function receiptTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    notTexts.has(key) ? [] : receiptTexts(one),
  );
}
