const mostShown = 100;

/** The options that hold what was typed, those that begin with it first; at most a hundred. */
export function suggestionsFor(typed: string, options: readonly string[]): readonly string[] {
  const wanted = typed.trim().toLowerCase();
  const holding = options.filter((option) => option.toLowerCase().includes(wanted));
  const beginsWith = (option: string): boolean => option.toLowerCase().startsWith(wanted);
  return [...holding.filter(beginsWith), ...holding.filter((option) => !beginsWith(option))].slice(
    0,
    mostShown,
  );
}
