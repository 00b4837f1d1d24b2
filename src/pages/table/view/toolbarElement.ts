import { ReactiveElement } from 'lit';
import { consumeEvent } from './controls.ts';
import { neighbour } from './popoverMenu.ts';

/** An ARIA toolbar: one tab stop, and arrow keys between its visible buttons; up and down in the column of a narrow page. */
class Toolbar extends ReactiveElement {
  private readonly contentObserver = new MutationObserver(() => this.keepOneTabStop());
  private readonly sizeObserver = new ResizeObserver(() => this.keepOneTabStop());

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener('keydown', this.onKeydown);
    this.addEventListener('focusin', this.onFocus);
    this.contentObserver.observe(this, { childList: true, subtree: true });
    this.sizeObserver.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.contentObserver.disconnect();
    this.sizeObserver.disconnect();
  }

  protected override createRenderRoot(): this {
    return this;
  }

  /** The buttons, without those in what they open. The filters of a narrow page are both. */
  private get tools(): HTMLButtonElement[] {
    return [...this.querySelectorAll('button')].filter(
      (button) => !button.closest('[popover]:not(.filterTools)'),
    );
  }

  private get visibleTools(): HTMLButtonElement[] {
    return this.tools.filter((tool) => tool.checkVisibility() && !tool.disabled);
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
    if (next === undefined) return;
    consumeEvent(event);
    tools[next]?.focus();
  };
}

customElements.define('margin-toolbar', Toolbar);
