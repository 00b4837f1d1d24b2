import type { Frame } from 'playwright-core';

/**
 * What cannot be read on the page in front, as it is drawn now: figures on two lines, figures that end at an edge
 * without `…`, figures without their last digits and without a mark, and columns without a header in sight.
 */
export async function unreadableIn(frame: Frame): Promise<string[]> {
  return frame.evaluate<string[]>(`(${String(findUnreadable)})()`);
}

/** Runs in the page. */
function findUnreadable(): string[] {
  const figure = /(?<![\d-])[+−]?\d[\d.,'’]*\d…?|(?<![\d-])\d…?/gu;
  const found = new Set<string>();
  const isDrawn = (element: Element): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    getComputedStyle(element).fontSize !== '0px' &&
    element.closest('[popover], .spoken, svg title') === null;
  const name = (element: Element): string => {
    const text = element.textContent.trim().replaceAll(/\s+/g, ' ').slice(0, 60);
    return `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}"> ${text}`;
  };

  /** By the edges of a box that hides what is outside of it, unless one can scroll to it. What is all outside is absent. */
  const isCutBy = (box: Element, { left, right, top }: DOMRect): boolean => {
    const { overflowX, textOverflow } = getComputedStyle(box);
    if (overflowX === 'visible' || overflowX === 'auto' || overflowX === 'scroll') return false;
    const edges = box.getBoundingClientRect();
    if (top >= edges.bottom) return false;
    return textOverflow !== 'ellipsis' && (right > edges.right + 1 || left < edges.left - 1);
  };

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const data = node.nodeValue ?? '';
    if (!element || !/\d/.test(data) || !isDrawn(element)) continue;
    for (const { 0: text, index } of data.matchAll(figure)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + text.length);
      const boxes = [...range.getClientRects()].filter(({ width }) => width > 0);
      if (new Set(boxes.map(({ top }) => Math.round(top))).size > 1)
        found.add(`on two lines: ${text} in ${name(element)}`);
      const whole = range.getBoundingClientRect();
      for (let box: Element | null = element; box; box = box.parentElement) {
        const { overflowX } = getComputedStyle(box);
        if (overflowX === 'auto' || overflowX === 'scroll') break;
        if (isCutBy(box, whole)) found.add(`cut at an edge: ${text} in ${name(element)}`);
      }
    }
  }

  for (const element of document.querySelectorAll<HTMLElement>('.figure')) {
    const rest = element.querySelector(':scope > .rest')?.textContent ?? '';
    const mark = getComputedStyle(element, '::after').content;
    if (isDrawn(element) && /[1-9]/.test(rest) && !mark.includes('…'))
      found.add(`without a mark: ${name(element)}`);
  }

  for (const grid of document.querySelectorAll('margin-grid [role="grid"]')) {
    const edges = grid.getBoundingClientRect();
    const headers = [...grid.querySelectorAll('[role="columnheader"]')];
    const textBox = (cell: Element): DOMRect => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getBoundingClientRect();
    };
    const left = Math.max(edges.left, 0);
    const right = Math.min(edges.right, innerWidth);
    const shown = ({ left: from, right: to }: DOMRect): number =>
      Math.min(to, right) - Math.max(from, left);
    for (const cell of grid.querySelectorAll('[role="gridcell"]')) {
      const text = textBox(cell);
      if (text.width < 4 || shown(text) < text.width - 1) continue;
      const column = cell.getAttribute('aria-colindex');
      const header = headers.find((each) => each.getAttribute('aria-colindex') === column);
      if (!header || shown(textBox(header)) < 8)
        found.add(`without a header in sight: column ${column ?? '?'}, ${name(cell)}`);
    }
  }
  return [...found];
}

/** Of the first grid, the columns that are not there, or whose header or a cell ends outside of it. */
export function columnsNotWhole(frame: Frame, names: readonly string[]): Promise<string[]> {
  return frame.evaluate(findColumnsNotWhole, names);
}

/** Runs in the page. */
function findColumnsNotWhole(names: readonly string[]): string[] {
  const grid = document.querySelector('[role="grid"]');
  const { left, right } = grid?.getBoundingClientRect() ?? { left: 0, right: 0 };
  const isWhole = (cell: Element): boolean => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    const text = range.getBoundingClientRect();
    return text.left >= left && text.right <= Math.min(right, innerWidth);
  };
  return names.filter((name) => {
    const headers = [...(grid?.querySelectorAll('[role="columnheader"]') ?? [])];
    const header = headers.find(({ textContent }) => textContent.trim().startsWith(name));
    const column = header?.getAttribute('aria-colindex') ?? '';
    const cells = grid?.querySelectorAll(`[role="gridcell"][aria-colindex="${column}"]`) ?? [];
    return !header || ![header, ...cells].every(isWhole);
  });
}
