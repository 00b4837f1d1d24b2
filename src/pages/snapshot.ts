/** What may be in a snapshot. What is not named has no place in it: no script, link, frame or handler. */
const tags =
  /^(?:main|header|footer|nav|section|article|div|p|span|strong|code|h[1-6]|ul|ol|li|dl|dt|dd|table|thead|tbody|tr|th|td|button|input|label|fieldset|legend|details|summary|slot|svg|g|defs|pattern|path|rect|circle|line|text|(?:margin|vscode)-[a-z]+)$/;
const attributes =
  /^(?:class|role|hidden|open|disabled|checked|secondary|type|placeholder|colspan|rowspan|part|name|slot|d|x|y|[xyc][12xy]|r|width|height|viewBox|preserveAspectRatio|transform|patternTransform|patternUnits|points|fill|text-anchor|aria-[a-z]+|data-(?!vscode)[a-z-]+)$/;

type Attribute = readonly [name: string, value: string];
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
  return snapshot.style + html;
}

class Snapshot {
  private readonly classes = new Map<string, string>();

  get style(): string {
    return styleOf([...this.classes].map(([style, name]) => `.${name}{${style}}`).join(''));
  }

  element(element: Element): string {
    const { localName, shadowRoot } = element;
    if (!tags.test(localName) || isPopover(element)) return '';
    // A custom element of another name stays as it is when the page defines its own.
    const name = localName.includes('-') ? `kept-${localName}` : localName;
    const shadow = shadowRoot ? this.shadow(shadowRoot) : '';
    const content = shadow + this.children(element) + this.scrollTarget(element);
    return htmlOf(name, this.attributesOf(element), content);
  }

  /** A box where the element is scrolled to, which the browser scrolls to at first. */
  scrollTarget(element: Element): string {
    if (!isScrolled(element)) return '';
    const { scrollTop, scrollLeft, clientWidth, clientHeight } = element;
    const place = `top:${scrollTop}px;left:${scrollLeft}px;`;
    const size = `width:${clientWidth}px;height:${clientHeight}px;`;
    return htmlOf('div', [['class', `keptScroll ${this.classOf(place + size)}`]], '');
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
    const style = styleOf(rules.map(({ cssText }) => cssText).join(''));
    return htmlOf('template', [['shadowrootmode', root.mode]], style + this.children(root));
  }

  private attributesOf(element: Element): readonly Attribute[] {
    const shown = [...element.attributes].filter(({ name }) => attributes.test(name));
    const all = shown.map(({ name, value }): Attribute => [name, value]);
    const classes = [element.getAttribute('class') ?? ''];
    const { style } = element as HTMLElement;
    if (style.cssText !== '') classes.push(this.classOf(style.cssText));
    if (isScrolled(element)) classes.push('keptScrolled');
    if (classes.length > 1) all.push(['class', classes.join(' ')]);
    if (element instanceof HTMLInputElement) all.push(['value', element.value]);
    // Patterns of charts are used by their id.
    if (element.localName === 'pattern') all.push(['id', element.id]);
    return all;
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

function isScrolled({ scrollTop, scrollLeft }: Element): boolean {
  return scrollTop !== 0 || scrollLeft !== 0;
}

/** The last of attributes of the same name counts. */
function htmlOf(name: string, all: readonly Attribute[], content: string): string {
  const texts = [...new Map(all)].map(([attribute, value]) => ` ${attribute}="${escaped(value)}"`);
  const start = `<${name}${texts.join('')}>`;
  return name === 'input' ? start : `${start}${content}</${name}>`;
}

/** Nothing in it ends its element. */
function styleOf(css: string): string {
  return htmlOf('style', [], css.replaceAll('<', String.raw`\3c `));
}

function escaped(text: string): string {
  return text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
