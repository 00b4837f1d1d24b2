import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import type { Browser, Disposable, Page } from 'playwright-core';
import { page as pageBundle } from '../../build/bundles.ts';
import { tableTexts } from '../../src/host/tables/tables.ts';
import { localizedTexts } from '../../src/host/text/messageText.ts';
import type { Events, Methods, RpcServer } from '../../src/base/rpc.ts';
import {
  documentParams,
  type DocumentEvents,
  type DocumentMethods,
} from '../../src/protocol/document.ts';
import { type Handlers, type PageSnapshot, type Params } from '../../src/protocol/messages.ts';
import { pageServer } from '../../src/host/webview/pageServer.ts';
import {
  tableParams,
  type TableEvents,
  type TableMethods,
  type TableName,
} from '../../src/protocol/table.ts';
import { documentPhrases } from '../../src/protocol/texts.ts';
import { darkTheme } from './pageTheme.ts';

const root = path.join(import.meta.dirname, '../..');
const address = 'https://table.example/';

type InBrowser = {
  /** Made by `newTablePage`; one that was closed can be used again. */
  readonly page: Page;
  readonly size: { readonly width: number; readonly height: number };
};

export type TableInBrowserOptions = InBrowser & {
  readonly table: TableName;
  readonly handlers: Handlers<TableMethods>;
  /** Another page in its place; `tablePage` if it is not given. */
  readonly parts?: PageParts;
};

/** What a page is made of. */
export type PageParts = {
  readonly script: string;
  readonly style: string;
  readonly policy: string;
  /** A script that runs before the page. */
  readonly prelude?: string;
  /** The HTML in front of its root. */
  readonly kept?: string;
};

type PageInBrowser<Served extends Methods, Sent extends Events> = {
  readonly host: RpcServer<Served, Sent>;
  /** Errors of the page, also what its policy blocked. */
  readonly problems: readonly string[];
  /** What it showed, oldest first, for the host to show again. */
  readonly snapshots: readonly PageSnapshot[];
  readonly close: () => Promise<void>;
};
export type TableInBrowser = PageInBrowser<TableMethods, TableEvents>;
export type DocumentInBrowser = PageInBrowser<DocumentMethods, DocumentEvents>;

/** An empty page that may read and write the clipboard. */
export async function newTablePage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
  });
  return context.newPage();
}

/** The table page in a browser without VS Code, under its own content security policy. */
export async function openTableInBrowser({
  table,
  parts,
  ...options
}: TableInBrowserOptions): Promise<TableInBrowser> {
  return openInBrowser<TableMethods, TableEvents>({
    ...options,
    params: tableParams,
    parts: parts ?? (await (shippedTable ??= tablePage())),
    data: { table, scope: '', texts: JSON.stringify(tableTexts(table)) },
  });
}

/** The page of documents, with the handlers of a host that composes them. */
export async function openDocumentInBrowser(
  options: InBrowser & { readonly handlers: Handlers<DocumentMethods> },
): Promise<DocumentInBrowser> {
  const texts = localizedTexts(documentPhrases);
  return openInBrowser<DocumentMethods, DocumentEvents>({
    ...options,
    params: documentParams,
    parts: await (shippedDocument ??= documentPage()),
    data: { kind: 'test', key: '', grid: 'positions', texts: JSON.stringify(texts) },
  });
}

type OpenOptions<Served extends Methods> = InBrowser & {
  readonly parts: PageParts;
  readonly data: Readonly<Record<string, string>>;
  readonly params: Params<Served>;
  readonly handlers: Handlers<Served>;
};

async function openInBrowser<Served extends Methods, Sent extends Events>({
  page,
  size,
  ...options
}: OpenOptions<Served>): Promise<PageInBrowser<Served, Sent>> {
  const { parts, params, handlers } = options;
  const listeners: ((message: unknown) => void)[] = [];
  const snapshots: PageSnapshot[] = [];
  await page.setViewportSize(size);
  const installed = [
    await servePage(page, options),
    await page.exposeFunction('toHost', (message: { kind: string } & PageSnapshot) => {
      if (message.kind === 'snapshot') snapshots.push(message);
      for (const listener of listeners) listener(message);
    }),
    await page.addInitScript(`${vsCodeApi}\n${parts.prelude ?? ''}`),
  ];
  const host = pageServer<Served, Sent>({
    port: {
      postMessage: (message) =>
        void page.evaluate(`window.postMessage(${JSON.stringify(message)})`).catch(() => undefined),
      onMessage: (listener) => {
        listeners.push(listener);
        return { dispose: () => undefined };
      },
    },
    params,
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
  return { host, problems, snapshots, close };
}

/** Answers the page's address, and those of its script and its style sheet. */
function servePage(
  page: Page,
  { parts, data }: Pick<OpenOptions<Methods>, 'parts' | 'data'>,
): Promise<Disposable> {
  const { script, style } = parts;
  return page.route(`${address}**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/page.js')
      await route.fulfill({ body: script, contentType: 'text/javascript' });
    else if (pathname === '/page.css')
      await route.fulfill({ body: `${darkTheme}\n${style}`, contentType: 'text/css' });
    else await route.fulfill({ body: html(parts, data), contentType: 'text/html' });
  });
}

const vsCodeApi = `window.acquireVsCodeApi = () => ({
  postMessage: (message) => window.toHost(message),
  getState: () => undefined,
  setState: () => undefined,
});`;

let shippedTable: Promise<PageParts> | undefined;
let shippedDocument: Promise<PageParts> | undefined;

/** As `webviewHtml` serves it. */
export function tablePage(): Promise<PageParts> {
  return pageParts('src/pages/table/tablePage.ts', ['page', 'grid', 'table']);
}

function documentPage(): Promise<PageParts> {
  return pageParts('src/pages/document/page.ts', ['page', 'grid', 'chart', 'document']);
}

async function pageParts(entry: string, sheets: readonly string[]): Promise<PageParts> {
  const files = sheets.map((sheet) => readFile(path.join(root, `media/${sheet}.css`), 'utf8'));
  return {
    script: await pageScript(entry),
    style: (await Promise.all(files)).join('\n'),
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

function html({ policy, kept = '' }: PageParts, data: Readonly<Record<string, string>>): string {
  const quoted = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const attributes = Object.entries(data).map(([name, text]) => `data-${name}="${quoted(text)}"`);
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="page.css"><title>Margin Desk</title></head>
    <body class="vscode-dark">${kept}<main id="app" ${attributes.join(' ')}></main>
    <script nonce="x" src="page.js"></script></body></html>`;
}
