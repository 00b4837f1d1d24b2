import type { ReactiveElement } from 'lit';

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

/** Moves the focus into the rows when they appear, or when the panel gets the focus, if nothing in the page has it. */
export class RowsFocus {
  private haveRowsAppeared = false;

  constructor() {
    window.addEventListener('focus', () => void this.focusRows());
  }

  afterDraw(): void {
    if (this.haveRowsAppeared || !document.querySelector('margin-grid')) return;
    this.haveRowsAppeared = true;
    void this.focusRows();
  }

  private async focusRows(): Promise<void> {
    const grid = document.querySelector<ReactiveElement>('margin-grid');
    await grid?.updateComplete;
    if (document.hasFocus() && document.activeElement === document.body)
      grid?.querySelector<HTMLElement>('[role=grid]')?.focus();
  }
}
