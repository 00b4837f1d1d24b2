import type { Frame, FrameLocator, Page } from 'playwright-core';
import { eventually } from '../eventually.ts';

/** The document of the panel in front, to find things in; a hidden panel has none. */
export function webview(page: Page): FrameLocator {
  return page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
}

/** Waits until the panel in front has the focus, which a new panel takes only when its page has loaded. */
export async function webviewFocused(page: Page): Promise<void> {
  const frame = page.locator('iframe.webview.ready');
  await eventually('the focus in a panel', () =>
    frame.evaluate((element: Focusable) => element.ownerDocument.activeElement === element),
  );
}

/** What is needed of the page's element; its full type is unknown here. */
type Focusable = { readonly ownerDocument: { readonly activeElement: unknown } };

/** The same document as a `Frame`, to run scripts in. */
export async function webviewFrame(page: Page): Promise<Frame> {
  const body = await webview(page).locator('body').elementHandle();
  const frame = await body.ownerFrame();
  if (!frame) throw new Error('There is no webview in front.');
  return frame;
}
