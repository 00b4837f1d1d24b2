import type { Browser, BrowserContext } from 'playwright-core';
import { launchChromium } from '../chromium.ts';
import { moveClockOf } from '../dates/movedClock.ts';

type Size = { readonly width: number; readonly height: number };

/** Every window of this process is in this browser. */
let browser: Browser | undefined;

/** A context for one window of VS Code, which shows no animations. */
export async function newContext(viewport: Size): Promise<BrowserContext> {
  if (!browser?.isConnected()) browser = await launchChromium();
  const permissions = ['clipboard-read', 'clipboard-write'];
  const context = await browser.newContext({ permissions, viewport, reducedMotion: 'reduce' });
  await context.addInitScript(mintKeys);
  await moveClockOf(context);
  return context;
}

/** Closes the browser. Without this, the process does not end by itself. */
export async function closeBrowser(): Promise<void> {
  await browser?.close();
}

/**
 * Without a key from its server the window keeps secrets in memory only and forgets them on reload. A
 * route would serve one as well, but it switches the HTTP cache off, and a reload takes twice as long.
 */
function mintKeys(): void {
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    return new URL(url, 'http://window').pathname.endsWith('/mint-key')
      ? Promise.resolve(new Response(new Uint8Array(32).fill(7)))
      : fetch(input, init);
  };
}
