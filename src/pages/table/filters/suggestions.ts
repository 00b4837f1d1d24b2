const maxSuggestions = 100;

/** The options that contain the text, those that start with it first. */
export function suggestionsFor(typed: string, options: readonly string[]): readonly string[] {
  const text = typed.trim().toLowerCase();
  const matching = options.filter((option) => option.toLowerCase().includes(text));
  const startsWithText = (option: string): boolean => option.toLowerCase().startsWith(text);
  return [
    ...matching.filter(startsWithText),
    ...matching.filter((option) => !startsWithText(option)),
  ].slice(0, maxSuggestions);
}

/** The index after an arrow key; wraps around. Before the first arrow key the index is −1. */
export function nextSuggestion(active: number, step: 1 | -1, count: number): number {
  return (Math.max(active, step > 0 ? -1 : 0) + step + count) % count;
}
