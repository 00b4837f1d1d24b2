import { nothing, type TemplateResult } from 'lit';
import { AsyncDirective, directive } from 'lit/async-directive.js';
import type { ChildPart } from 'lit/directive.js';

/** The content of a popover, drawn when it opens for the first time: most are never opened. */
class DrawWhenOpened extends AsyncDirective {
  private content: TemplateResult | typeof nothing = nothing;
  private popover: HTMLElement | undefined;
  private wasOpened = false;

  override render(content: TemplateResult): TemplateResult | typeof nothing {
    return this.wasOpened ? content : nothing;
  }

  override update({ parentNode }: ChildPart, [content]: [TemplateResult]): unknown {
    this.content = content;
    if (!this.popover) {
      this.popover = parentNode as HTMLElement;
      this.popover.addEventListener('beforetoggle', this.open, { once: true });
    }
    return this.render(content);
  }

  private readonly open = (): void => {
    this.wasOpened = true;
    this.setValue(this.content);
  };
}

export const drawWhenOpened = directive(DrawWhenOpened);
