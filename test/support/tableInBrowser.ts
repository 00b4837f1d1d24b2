import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import type { Browser, Disposable, Page } from 'playwright-core';
import { page as pageBundle } from '../../build/bundles.ts';
import { tableTexts } from '../../src/host/tables/tables.ts';
import type { RpcServer } from '../../src/base/rpc.ts';
import { pageServer, type Handlers } from '../../src/protocol/messages.ts';
import {
  tableParams,
  type TableEvents,
  type TableMethods,
  type TableName,
} from '../../src/protocol/table.ts';
import { themes, type ThemeName } from './pageThemes.ts';

const root = path.join(import.meta.dirname, '../..');
const address = 'https://table.example/';

export type TableInBrowserOptions = {
  /** Made by `newTablePage`; one that was closed can be used again. */
  readonly page: Page;
  readonly table: TableName;
  readonly handlers: Handlers<TableMethods>;
  readonly size: { readonly width: number; readonly height: number };
  readonly theme?: ThemeName;
  /** Another page in its place; `tablePage` if it is not given. */
  readonly parts?: PageParts;
};

/** What the table page is made of. */
export type PageParts = {
  readonly script: string;
  readonly style: string;
  readonly policy: string;
  /** A script that runs before the page. */
  readonly prelude?: string;
};

export type TableInBrowser = {
  readonly host: RpcServer<TableMethods, TableEvents>;
  /** Errors of the page, also what its policy blocked. */
  readonly problems: readonly string[];
  readonly close: () => Promise<void>;
};

/** An empty page that may read and write the clipboard. */
export async function newTablePage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
  });
  return context.newPage();
}

/** The table page in a browser without VS Code, under its own content security policy. */
export async function openTableInBrowser(options: TableInBrowserOptions): Promise<TableInBrowser> {
  const { page, table, handlers, size, theme = 'dark' } = options;
  const parts = options.parts ?? (await (shippedPage ??= tablePage()));
  const listeners: ((message: unknown) => void)[] = [];
  await page.setViewportSize(size);
  const installed = [
    await servePage(page, table, parts, theme),
    await page.exposeFunction('toHost', (message: unknown) => {
      for (const listener of listeners) listener(message);
    }),
    await page.addInitScript(`${vsCodeApi}\n${parts.prelude ?? ''}`),
  ];
  const host = pageServer<TableMethods, TableEvents>({
    port: {
      postMessage: (message) =>
        void page.evaluate(`window.postMessage(${JSON.stringify(message)})`).catch(() => undefined),
      onMessage: (listener) => {
        listeners.push(listener);
        return { dispose: () => undefined };
      },
    },
    params: tableParams,
    handlers,
    toFailure: (error) => ({ kind: 'test', sentence: String(error) }),
  });
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.goto(address);
  const close = async (): Promise<void> => {
    host.dispose();
    await page.goto('about:blank');
    page.removeAllListeners('console').removeAllListeners('pageerror');
    for (const one of installed) await one.dispose();
  };
  return { host, problems, close };
}

/** Answers the page's address, and those of its script and its style sheet. */
function servePage(
  page: Page,
  table: TableName,
  { script, style, policy }: PageParts,
  theme: ThemeName,
): Promise<Disposable> {
  const { css, bodyClass } = themes[theme];
  return page.route(`${address}**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/table.js')
      await route.fulfill({ body: script, contentType: 'text/javascript' });
    else if (pathname === '/table.css')
      await route.fulfill({ body: `${css}\n${style}`, contentType: 'text/css' });
    else await route.fulfill({ body: html(table, policy, bodyClass), contentType: 'text/html' });
  });
}

const vsCodeApi = `window.acquireVsCodeApi = () => ({
  postMessage: (message) => window.toHost(message),
  getState: () => undefined,
  setState: () => undefined,
});`;

let shippedPage: Promise<PageParts> | undefined;

/** As `webviewHtml` serves it. */
export async function tablePage(): Promise<PageParts> {
  const sheets = ['media/page.css', 'media/grid.css', 'media/table.css'].map((file) =>
    readFile(path.join(root, file), 'utf8'),
  );
  return {
    script: await pageScript('src/pages/table/tablePage.ts'),
    style: (await Promise.all(sheets)).join('\n'),
    policy:
      "default-src 'none'; script-src 'nonce-x'; style-src 'self'; form-action 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types lit-html",
  };
}

/** The script of a page, as it is packaged. */
export async function pageScript(entry: string): Promise<string> {
  const { outputFiles } = await build({
    ...pageBundle,
    entryPoints: [path.join(root, entry)],
    write: false,
    minify: true,
  });
  return outputFiles[0]?.text ?? '';
}

function html(table: TableName, policy: string, bodyClass: string): string {
  const texts = JSON.stringify(tableTexts(table))
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;');
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="table.css"><title>Margin Desk</title></head>
    <body class="${bodyClass}"><main id="app" data-table="${table}" data-scope="" data-texts="${texts}"></main>
    <script nonce="x" src="table.js"></script></body></html>`;
}
