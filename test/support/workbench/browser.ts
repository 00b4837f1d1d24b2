import { createServer } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../chromium.ts';

type Size = { readonly width: number; readonly height: number };

/** A window of Chromium, and the port of the VS Code in it. */
export type BrowserWindow = { readonly page: Page; readonly port: number };

/** Every window of this process is in this browser. */
let browser: Browser | undefined;

/** The windows that their VS Code has left. */
let idle: BrowserWindow[] = [];

/** A window has its port before a server listens there. */
const givenPorts = new Set<number>();

/**
 * A window that shows no animations. VS Code opens in half of the time where another one was before at
 * the same address: its scripts are compiled.
 */
export async function openWindow(viewport: Size): Promise<BrowserWindow> {
  if (!browser?.isConnected()) {
    browser = await launchChromium();
    idle = [];
  }
  const window = idle.pop() ?? (await newWindow(browser));
  await window.page.setViewportSize(viewport);
  return window;
}

/** Leaves a window to the next VS Code, without what this one stored in it. */
export async function leaveWindow(window: BrowserWindow): Promise<void> {
  const { page, port } = window;
  await page.goto('about:blank');
  const session = await page.context().newCDPSession(page);
  const origin = `http://127.0.0.1:${port}`;
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await session.detach();
  idle.push(window);
}

async function newWindow(inBrowser: Browser): Promise<BrowserWindow> {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const context = await inBrowser.newContext({ permissions, reducedMotion: 'reduce' });
  await context.addInitScript(mintKeys);
  return { page: await context.newPage(), port: await freePort() };
}

/**
 * A port below those that a system gives away by itself: nobody takes it between two servers. Mocha's
 * processes run side by side: each has ten of its own.
 */
async function freePort(): Promise<number> {
  const first = 20_000 + (process.pid % 1000) * 10;
  for (let port = first; port < first + 10; port += 1) {
    if (givenPorts.has(port)) continue;
    givenPorts.add(port);
    if (await isFree(port)) return port;
  }
  throw new Error(`No port from ${first} on is free.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
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
