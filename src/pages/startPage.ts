import { withAsciiMinus } from '../base/display.ts';

/**
 * Starts a page in the element that its HTML has for it. VS Code’s menu offers Cut, Copy and Paste only
 * in a field, and Copy for selected text: elsewhere they would do nothing.
 */
export function startPage(start: (root: HTMLElement) => void): void {
  const root = document.getElementById('app');
  if (!root) return;
  document.addEventListener('contextmenu', setMenuContext, { capture: true });
  document.addEventListener('copy', copySelectedText);
  start(root);
}

/** The conditions of `webview/context` in package.json; an element in the page may have others. */
function setMenuContext(event: Event): void {
  const selectedText = isInField(event) ? '' : textToCopy();
  document.body.dataset.vscodeContext = JSON.stringify({
    preventDefaultContextMenuItems: !isInField(event),
    ...(selectedText !== '' && { webviewSection: 'selectedText', selectedText }),
  });
}

function copySelectedText(event: ClipboardEvent): void {
  const text = textToCopy();
  if (event.defaultPrevented || isInField(event) || text === '') return;
  event.clipboardData?.setData('text/plain', text);
  event.preventDefault();
}

function textToCopy(): string {
  return withAsciiMinus(String(document.getSelection()));
}

/** A field may be inside of an element of its own. */
function isInField(event: Event): boolean {
  const [target] = event.composedPath();
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}
