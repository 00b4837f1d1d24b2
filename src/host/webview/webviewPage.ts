import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Display } from '../../base/display.ts';
import { systemClock } from '../../base/time.ts';
import type { Events, Methods, RpcServer } from '../../base/rpc.ts';
import type { Handlers, Params } from '../../protocol/messages.ts';
import { pageServer } from './pageServer.ts';
import { t } from '../shared/translate.ts';
import { showErrorWithAction } from '../text/commandErrors.ts';
import { logRejection } from '../shared/log.ts';
import { loadPage, type LoadOptions, type OpeningSnapshots, type Snapshot } from './snapshot.ts';
import { toRpcFailure } from './requestFailure.ts';
import type { Services } from '../settings/services.ts';

export type PageOptions = Pick<Services, 'active' | 'display' | 'log' | 'confirmRealValues'> & {
  readonly extensionUri: vscode.Uri;
  readonly openings: OpeningSnapshots;
};

/** Loads a page and serves its requests. What makes one fail is shown as a message unless the page shows it. */
export function servePage<Served extends Methods, Sent extends Events>(
  panel: vscode.WebviewPanel,
  page: Page,
  params: Params<Served>,
  handlers: Handlers<Served>,
  { extensionUri, log, ...options }: PageOptions & Pick<LoadOptions, 'opening'>,
  onFailure?: (error: unknown) => void,
): RpcServer<Served, Sent> {
  const { webview } = panel;
  const { display } = options;
  const showFailure = (error: unknown): void => {
    log.failure(`the page ${page.name}`, error);
    logRejection(log, 'showing an error', showErrorWithAction(error, display.latest()));
  };
  const rpc = pageServer<Served, Sent>({
    port: {
      postMessage: (message) => void webview.postMessage(message),
      onMessage: (listener) => webview.onDidReceiveMessage(listener),
    },
    params,
    handlers,
    toFailure: (error) => {
      (onFailure ?? showFailure)(error);
      return toRpcFailure(error, systemClock.now(), display.current);
    },
  });
  webview.options = { enableScripts: true, localResourceRoots: [] };
  // A panel that VS Code restored has a title: its page asks for what it saved.
  const isNew = panel.title === '';
  loadPage(panel, {
    ...options,
    opening: () => (isNew ? options.opening() : undefined),
    loading: (stamp) => {
      if (isNew) rpc.expect(stamp, `${page.name}/open`);
    },
    outdated: () => rpc.forgetExpected(),
    html: (stamp, snapshot) =>
      webviewHtml(
        extensionUri,
        { ...page, data: { ...page.data, stamp } },
        snapshot && { ...snapshot, time: timeOf(snapshot, display.latest()) },
      ),
  });
  return rpc;
}

function timeOf({ at }: Snapshot, display: Display): string {
  return t('As of {0}.', display.recentTime(at, systemClock.now()));
}

/** A page of `src/pages`, and what its script finds in the `data-` attributes of its root. */
type Page = {
  readonly name: 'table' | 'document';
  readonly data: Readonly<Record<string, string>>;
};

const styles: Readonly<Record<Page['name'], readonly string[]>> = {
  table: ['page', 'grid', 'table'],
  document: ['page', 'grid', 'chart', 'document'],
};

/**
 * The HTML of a page with its styles and its script: what it would have to load delays what it shows. The
 * policy lets nothing else run or be loaded, nor connect, and its script writes no HTML but through lit's
 * templates. A snapshot is drawn first, and the script starts after that.
 */
export function webviewHtml(
  extensionUri: vscode.Uri,
  { name, data }: Page,
  snapshot?: ShownSnapshot,
): string {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `form-action 'none'`,
    `base-uri 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types lit-html`,
  ].join('; ');
  const css = styles[name].map((style) => fileText(extensionUri, 'media', `${style}.css`));
  const script = fileText(extensionUri, 'dist', 'pages', `${name}.js`);
  const attributes = Object.entries(data).map(([key, value]) => `data-${key}="${escaped(value)}"`);
  return `<!DOCTYPE html>
<html lang="${escaped(vscode.env.language)}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <style nonce="${nonce}">${withKeptElements(css.join(''))}</style>
    <title>Margin Desk</title>
  </head>
  <body>
    ${snapshot ? keptPart(snapshot, nonce) : ''}
    <main id="app" ${attributes.join(' ')}></main>
    <script nonce="${nonce}">${snapshot ? afterPaint(script) : script}</script>
  </body>
</html>`;
}

type ShownSnapshot = Pick<Snapshot, 'html' | 'isEarlier'> & { readonly time: string };

/** Its time is shown at once if it may be old, else if the page takes long. */
function keptPart({ html: kept, isEarlier, time }: ShownSnapshot, nonce: string): string {
  const html = kept.replaceAll('<style media="all">', `<style nonce="${nonce}">`);
  return `<div id="kept" inert aria-hidden="true">${html}<p class="keptAge" data-earlier="${isEarlier}">${escaped(time)}</p></div>`;
}

/** The rules of a custom element are those of what a snapshot has in its place, too. */
function withKeptElements(css: string): string {
  return css.replaceAll(/(?<=^|[\s,>(])(?:margin|vscode)-[a-z]+(?=[^;{}]*\{)/g, ':is($&, kept-$&)');
}

/** VS Code shows the document when it has loaded: the frame after that is painted. */
function afterPaint(script: string): string {
  return `addEventListener('load', () => requestAnimationFrame(() => setTimeout(() => {${script}
})));`;
}

/** Text as HTML, also as the value of an attribute in double quotes. */
function escaped(text: string): string {
  return text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function fileText(extensionUri: vscode.Uri, ...names: string[]): string {
  return readFileSync(vscode.Uri.joinPath(extensionUri, ...names).fsPath, 'utf8');
}
