import type { Frame, FrameLocator, Page } from 'playwright-core';

/** The document of the panel in front, to find things in; a hidden panel has none. */
export function webview(page: Page): FrameLocator {
  return page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
}

/** The same document as a `Frame`, to run scripts in. */
export async function webviewFrame(page: Page): Promise<Frame> {
  const body = await webview(page).locator('body').elementHandle();
  const frame = await body.ownerFrame();
  if (!frame) throw new Error('There is no webview in front.');
  return frame;
}
