import type { ReactiveElement } from 'lit';

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
