/** The index that a key moves to in a list that wraps around; −1 is before its first item. */
export function neighbour(key: string, index: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
    case 'ArrowRight':
      return (index + 1) % count;
    case 'ArrowUp':
    case 'ArrowLeft':
      return (Math.max(index, 0) - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

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
