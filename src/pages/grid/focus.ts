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

/**
 * Moves the focus into the rows when they appear, when the panel gets the focus, or when what had the
 * focus is gone, such as the button of a banner. What was in the toolbar leaves it there.
 */
export class RowsFocus {
  private isAwaited = true;
  private last: Element | undefined;
  private toolbar: Element | null = null;

  constructor() {
    window.addEventListener('focus', () => void this.focusRows());
    document.addEventListener('focusin', ({ target }) => {
      if (!(target instanceof Element)) return;
      this.last = target;
      this.toolbar = target.closest('margin-toolbar');
    });
  }

  afterDraw(): void {
    if (this.last && isGone(this.last)) {
      this.isAwaited = true;
      this.last = undefined;
    }
    if (!this.isAwaited || !(this.toolbar ?? document.querySelector('margin-grid'))) return;
    this.isAwaited = false;
    void this.focusRows();
  }

  private async focusRows(): Promise<void> {
    const grid = document.querySelector<ReactiveElement>('margin-grid');
    await grid?.updateComplete;
    const { activeElement: active, body } = document;
    if (!document.hasFocus() || (active && active !== body && !isGone(active))) return;
    const tool = this.toolbar?.querySelector<HTMLElement>('[data-stop]');
    (tool ?? grid?.querySelector<HTMLElement>('[role=grid]'))?.focus();
  }
}

function isGone(element: Element): boolean {
  return !element.isConnected || element.matches(':disabled, [disabled]');
}
