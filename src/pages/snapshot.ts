/** What may be in a snapshot. What is not named has no place in it: no script, link, frame or handler. */
const tags =
  /^(?:main|header|footer|nav|section|article|div|p|span|strong|code|h[1-6]|ul|ol|li|dl|dt|dd|table|thead|tbody|tr|th|td|button|input|label|fieldset|legend|details|summary|slot|svg|g|defs|pattern|path|rect|circle|line|text|(?:margin|vscode)-[a-z]+)$/;
const attributes =
  /^(?:class|role|hidden|open|disabled|checked|secondary|type|placeholder|colspan|rowspan|part|name|slot|d|x|y|[xyc][12xy]|r|width|height|viewBox|preserveAspectRatio|transform|patternTransform|patternUnits|points|fill|text-anchor|aria-[a-z]+|data-(?!vscode)[a-z-]+)$/;
const emptyTags = new Set(['input']);
const quietMs = 250;
const observed = { childList: true, subtree: true, attributes: true, characterData: true };

/**
 * Sends the host what the page shows, once neither that nor the place it is scrolled to has changed for a
 * while. The host shows it when the panel comes back, until the page has drawn.
 */
export function keepSnapshot(root: HTMLElement, post: (html: string) => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const send = (): void => post(snapshotOf(root));
  const sendSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => requestIdleCallback(send, { timeout: quietMs }), quietMs);
  };
  const onDrawn = (): void => {
    replaceKept();
    sendSoon();
  };
  new MutationObserver(onDrawn).observe(root, observed);
  document.addEventListener('scroll', sendSoon, { capture: true, passive: true });
}

/** The page has drawn: it goes on where it was scrolled to, in place of what its HTML had of it. */
function replaceKept(): void {
  const kept = document.getElementById('kept');
  if (!kept) return;
  const { scrollTop: top } = kept;
  kept.remove();
  window.scrollTo({ top });
}

/**
 * What an element shows, as HTML that runs and loads nothing: drawn before a script runs, in place of the
 * element. A policy forbids inline styles, so they are rules of a `<style>` of its own.
 */
function snapshotOf(root: HTMLElement): string {
  const snapshot = new Snapshot();
  const page = document.scrollingElement;
  const html = snapshot.element(root) + (page ? snapshot.scrollTarget(page) : '');
  return `<style>${snapshot.rules}</style>${html}`;
}

class Snapshot {
  private readonly classes = new Map<string, string>();

  get rules(): string {
    return [...this.classes].map(([style, name]) => `.${name}{${asCss(style)}}`).join('');
  }

  element(element: Element): string {
    const { localName, shadowRoot } = element;
    if (!tags.test(localName) || isPopover(element)) return '';
    // A custom element of another name stays as it is when the page defines its own.
    const name = localName.includes('-') ? `kept-${localName}` : localName;
    const start = `<${name}${this.attributesOf(element)}>`;
    if (emptyTags.has(name)) return start;
    const shadow = shadowRoot ? this.shadow(shadowRoot) : '';
    return `${start}${shadow}${this.children(element)}${this.scrollTarget(element)}</${name}>`;
  }

  /** A box where the element is scrolled to, which the browser scrolls to at first. */
  scrollTarget({ scrollTop, scrollLeft, clientWidth, clientHeight }: Element): string {
    if (scrollTop === 0 && scrollLeft === 0) return '';
    const style = `position: absolute; visibility: hidden; scroll-initial-target: nearest; top: ${scrollTop}px; left: ${scrollLeft}px; width: ${clientWidth}px; height: ${clientHeight}px;`;
    return `<div class="${this.classOf(style)}"></div>`;
  }

  private children(parent: Element | ShadowRoot): string {
    return [...parent.childNodes].map((node) => this.node(node)).join('');
  }

  private node(node: Node): string {
    if (node instanceof Element) return this.element(node);
    return node instanceof Text ? escaped(node.data) : '';
  }

  private shadow(root: ShadowRoot): string {
    const rules = root.adoptedStyleSheets.flatMap(({ cssRules }) => [...cssRules]);
    const style = asCss(rules.map(({ cssText }) => cssText).join(''));
    return `<template shadowrootmode="open"><style>${style}</style>${this.children(root)}</template>`;
  }

  private attributesOf(element: Element): string {
    const shown = [...element.attributes].filter(({ name }) => attributes.test(name));
    const all = shown.map(({ name, value }): [string, string] => [name, value]);
    const style = this.styleOf(element);
    if (style !== '')
      all.push(['class', `${element.getAttribute('class') ?? ''} ${this.classOf(style)}`]);
    if (element instanceof HTMLInputElement) all.push(['value', element.value]);
    // Patterns of charts are used by their id.
    if (element.localName === 'pattern') all.push(['id', element.id]);
    return [...new Map(all)].map(([name, value]) => ` ${name}="${escaped(value)}"`).join('');
  }

  private styleOf(element: Element): string {
    const { style } = element as HTMLElement;
    const isScrolled = element.scrollTop !== 0 || element.scrollLeft !== 0;
    return `${style.cssText}${isScrolled ? ' position: relative;' : ''}`;
  }

  private classOf(style: string): string {
    const name = this.classes.get(style) ?? `kept${this.classes.size}`;
    this.classes.set(style, name);
    return name;
  }
}

/** One that is closed, or that closes with the page. Some show their content in place unless they are open. */
function isPopover(element: Element): boolean {
  if (!element.hasAttribute('popover')) return false;
  return element.matches(':popover-open') || !element.checkVisibility();
}

function escaped(text: string): string {
  return text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Nothing in it ends its element. */
function asCss(text: string): string {
  return text.replaceAll('<', String.raw`\3c `);
}
