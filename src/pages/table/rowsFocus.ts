import type { ReactiveElement } from 'lit';

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
