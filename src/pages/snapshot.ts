import type { PageSnapshot } from '../protocol/messages.ts';

/** What may be in a snapshot. What is not named has no place in it: no script, link, frame or handler. */
const tags =
  /^(?:main|header|footer|nav|aside|section|article|div|p|span|strong|code|h[1-6]|ul|ol|li|dl|dt|dd|table|thead|tbody|tr|th|td|button|input|label|fieldset|legend|details|summary|slot|svg|g|defs|pattern|path|rect|circle|line|text|(?:margin|vscode)-[a-z]+)$/;
const attributes =
  /^(?:class|role|hidden|open|disabled|checked|secondary|type|placeholder|colspan|rowspan|part|name|slot|d|x|y|[xyc][12xy]|r|width|height|viewBox|preserveAspectRatio|transform|patternTransform|patternUnits|points|fill|text-anchor|aria-[a-z]+|data-(?!vscode)[a-z-]+)$/;

/** The first snapshot comes soon: a panel may be hidden again at once. */
const [firstMs, quietMs] = [30, 250];
/** How long what the HTML has of the page hides that its rows are loading. */
const longestKeptMs = 500;

/**
 * Sends the host what the page shows, once neither that nor the place it is scrolled to has changed for a
 * while. The host shows it when the panel comes back, until the page has drawn.
 */
export function keepSnapshot(root: HTMLElement, post: (snapshot: PageSnapshot) => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = firstMs;
  let isTouched = false;
  for (const type of ['pointerdown', 'keydown', 'wheel'])
    window.addEventListener(type, () => (isTouched = true), { capture: true, passive: true });
  const isBusy = (): boolean => root.querySelector('[data-busy]') !== null;
  const send = (): void => {
    if (isBusy()) return;
    waitMs = quietMs;
    post({ html: snapshotOf(root), isTouched });
  };
  const sendSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => requestIdleCallback(send, { timeout: quietMs }), waitMs);
  };
  const onDrawn = (): void => {
    if (isBusy()) setTimeout(showDrawn, longestKeptMs);
    else showDrawn();
    sendSoon();
  };
  new MutationObserver(onDrawn).observe(root, {
    ...{ childList: true, subtree: true, attributes: true, characterData: true },
  });
  document.addEventListener('scroll', sendSoon, { capture: true, passive: true });
}

/** The page has drawn: it goes on where it was scrolled to, in place of what its HTML had of it. */
function showDrawn(): void {
  const kept = document.getElementById('kept');
  if (!kept) return;
  const { scrollTop: top } = kept;
  kept.remove();
  window.scrollTo({ top });
}

/** The name of the class of each inline style: a policy forbids those. */
type Classes = Map<string, string>;

/** What an element shows, as HTML that runs and loads nothing: drawn before a script runs, in place of the element. */
function snapshotOf(root: HTMLElement): string {
  const classes: Classes = new Map();
  const body = document.createElement('body');
  const page = document.scrollingElement;
  body.append(...copyOf(root, classes), ...(page ? scrollTarget(page, classes) : []));
  body.prepend(styleOf([...classes].map(([style, name]) => `.${name}{${style}}`)));
  return body.innerHTML;
}

function copyOf(node: Node, classes: Classes): (Element | string)[] {
  if (node instanceof Text) return [node.data];
  if (!(node instanceof Element) || !tags.test(node.localName) || isPopover(node)) return [];
  const { localName, namespaceURI, shadowRoot } = node;
  // A custom element of another name stays as it is when the page defines its own.
  const name = localName.includes('-') ? `kept-${localName}` : localName;
  const copy = document.createElementNS(namespaceURI, name);
  copyAttributes(node, copy);
  const { style } = node as HTMLElement;
  if (style.cssText !== '') copy.classList.add(classOf(style.cssText, classes));
  if (shadowRoot) copy.append(shadowOf(shadowRoot, classes));
  const target = scrollTarget(node, classes);
  if (target.length > 0) copy.classList.add('keptScrolled');
  copy.append(...copiesOf(node, classes), ...target);
  return [copy];
}

function copiesOf(parent: Node, classes: Classes): (Element | string)[] {
  return [...parent.childNodes].flatMap((node) => copyOf(node, classes));
}

function copyAttributes(element: Element, copy: Element): void {
  for (const { name, value } of element.attributes)
    if (attributes.test(name)) copy.setAttribute(name, value);
  if (element instanceof HTMLInputElement) copy.setAttribute('value', element.value);
  // Patterns of charts are used by their id.
  if (element.localName === 'pattern') copy.id = element.id;
}

function shadowOf(root: ShadowRoot, classes: Classes): HTMLTemplateElement {
  const template = document.createElement('template');
  template.setAttribute('shadowrootmode', root.mode);
  const rules = root.adoptedStyleSheets.flatMap(({ cssRules }) => [...cssRules]);
  template.content.append(styleOf(rules.map(({ cssText }) => cssText)), ...copiesOf(root, classes));
  return template;
}

/** A box where the element is scrolled to, which the browser scrolls to at first. */
function scrollTarget(element: Element, classes: Classes): HTMLElement[] {
  const { scrollTop, scrollLeft, clientWidth, clientHeight } = element;
  if (scrollTop === 0 && scrollLeft === 0) return [];
  const place = `top:${scrollTop}px;left:${scrollLeft}px;`;
  const target = document.createElement('div');
  target.className = `keptScroll ${classOf(`${place}width:${clientWidth}px;height:${clientHeight}px;`, classes)}`;
  return [target];
}

function classOf(style: string, classes: Classes): string {
  const name = classes.get(style) ?? `kept${classes.size}`;
  classes.set(style, name);
  return name;
}

/** One that is closed, or that closes with the page. Some show their content in place unless they are open. */
function isPopover(element: Element): boolean {
  if (!element.hasAttribute('popover')) return false;
  return element.matches(':popover-open') || !element.checkVisibility();
}

/** Nothing in it ends its element. Its attribute has a quote: no text and no value looks like its tag. */
function styleOf(rules: readonly string[]): HTMLStyleElement {
  const style = document.createElement('style');
  style.media = 'all';
  style.textContent = rules.join('').replaceAll('<', String.raw`\3c `);
  return style;
}
