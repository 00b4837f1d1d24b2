/** Moves the focus to the rows, from what was closed beside them. */
export function focusGrid(): void {
  document.querySelector<HTMLElement>('[role="grid"]')?.focus();
}

/** Puts the focus into an element when it appears: it is not in the page yet. */
export function focusOnce(element: Element | undefined): void {
  if (element instanceof HTMLElement) queueMicrotask(() => element.focus());
}

/** Moves the focus to the search, if it is open. */
export function focusFind(): boolean {
  const input = document.querySelector<HTMLInputElement>('.find input');
  input?.select();
  return input !== null;
}
