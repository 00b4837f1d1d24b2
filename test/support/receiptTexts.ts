/** What a value of a document is called if it is not shown as text. */
const notTexts = new Set(['kind', 'key', 'display', 'icon', 'tone', 'state', 'action']);

/** Every text in the document of a page. */
export function receiptTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    notTexts.has(key) ? [] : receiptTexts(one),
  );
}
