import type { Browser, BrowserContext } from 'playwright-core';
import { moveClockOf } from '../dates/movedClock.ts';

type Size = { readonly width: number; readonly height: number };

/** What a window of VS Code runs in. */
export async function newContext(browser: Browser, viewport: Size): Promise<BrowserContext> {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const context = await browser.newContext({ permissions, viewport });
  await context.addInitScript(mintKeys);
  await moveClockOf(context);
  return context;
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
