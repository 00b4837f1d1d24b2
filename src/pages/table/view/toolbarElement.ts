import { consumeEvent } from '../../controls/controls.ts';
import { neighbour } from '../../controls/lists.ts';

/**
 * An ARIA toolbar of one line: one tab stop, and arrow keys between its visible tools; up and down in the
 * column that its filters are in while they have no room in the line.
 */
class Toolbar extends HTMLElement {
  private readonly contentObserver = new MutationObserver(() => {
    this.keepOneTabStop();
    this.layOut();
  });
  private readonly sizeObserver = new ResizeObserver(() => this.fold());

  connectedCallback(): void {
    this.addEventListener('keydown', this.onKeydown);
    this.addEventListener('focusin', this.onFocus);
    this.addEventListener('toggle', this.layOut, true);
    const changes = { childList: true, subtree: true, characterData: true };
    this.contentObserver.observe(this, changes);
    this.sizeObserver.observe(this);
  }

  /** The buttons and fields, without those in what they open. Folded filters are both. */
  private get tools(): (HTMLButtonElement | HTMLInputElement)[] {
    const all = this.querySelectorAll<HTMLButtonElement | HTMLInputElement>('button,input');
    return [...all].filter((tool) => !tool.closest('[popover]:not(.filterTools)'));
  }

  private get visibleTools(): HTMLElement[] {
    return this.tools.filter((tool) => tool.checkVisibility() && !tool.disabled);
  }

  /** A size that is observed again is reported once the browser has laid out the page. */
  private readonly layOut = (): void => {
    this.sizeObserver.unobserve(this);
    this.sizeObserver.observe(this);
  };

  /** Folds the filters unless all tools fit into the line. Filters that are open stay as they are. */
  private fold(): void {
    const line = this.querySelector('.tools');
    if (line && !this.querySelector('.filterTools:popover-open')) {
      this.removeAttribute('data-folded');
      this.toggleAttribute('data-folded', line.scrollWidth > line.clientWidth);
    }
    const { activeElement } = document;
    this.keepOneTabStop();
    if (this.contains(activeElement) && !activeElement?.checkVisibility())
      this.querySelector<HTMLElement>('[data-stop]')?.focus();
  }

  /** The tool that had the focus last, as long as it is visible. */
  private keepOneTabStop(current?: EventTarget | null): void {
    const { tools, visibleTools } = this;
    const isStop = (tool: HTMLElement): boolean => tool.dataset.stop !== undefined;
    const stop = current ?? visibleTools.find(isStop) ?? visibleTools[0];
    for (const tool of tools) {
      tool.toggleAttribute('data-stop', tool === stop);
      tool.tabIndex = tool === stop ? 0 : -1;
    }
  }

  private readonly onFocus = ({ target }: Event): void => {
    if (this.visibleTools.some((tool) => tool === target)) this.keepOneTabStop(target);
  };

  private readonly onKeydown = (event: KeyboardEvent): void => {
    const tools = this.visibleTools;
    const index = tools.findIndex((tool) => tool === event.target);
    const isVertical = event.key === 'ArrowUp' || event.key === 'ArrowDown';
    const isUnused = isVertical && !this.querySelector('.filterTools:popover-open');
    if (index < 0 || isUnused || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = neighbour(event.key, index, tools.length);
    if (next === undefined || movesInText(event)) return;
    consumeEvent(event);
    tools[next]?.focus();
  };
}

/** Left and right leave a text field only at the ends of its text. */
function movesInText({ key, shiftKey, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLInputElement)) return false;
  const { selectionStart, selectionEnd, value } = target;
  switch (key) {
    case 'ArrowLeft':
      return shiftKey || selectionEnd !== 0;
    case 'ArrowRight':
      return shiftKey || selectionStart !== value.length;
    default:
      return key === 'Home' || key === 'End';
  }
}

customElements.define('margin-toolbar', Toolbar);
