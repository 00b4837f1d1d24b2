import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { systemClock } from '../../base/time.ts';
import type { Events, Methods } from '../../protocol/messages.ts';
import { RpcServer, type Handlers } from '../../protocol/rpcServer.ts';
import { showErrorWithAction } from '../text/commandErrors.ts';
import { logRejection, type Log } from '../shared/log.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { toRpcFailure } from './requestFailure.ts';

export type DocumentPageOptions = {
  readonly extensionUri: vscode.Uri;
  readonly display: DisplayState;
  readonly log: Log;
};

/** Opens an empty panel in the column of the active editor. */
export function createPanel(viewType: string, preserveFocus = false): vscode.WebviewPanel {
  const viewColumn = vscode.window.activeTextEditor?.viewColumn ?? vscode.ViewColumn.Active;
  return vscode.window.createWebviewPanel(viewType, '', { viewColumn, preserveFocus });
}

/** Loads a page and serves its requests. `onFailure` gets what made a request fail. */
export function servePage<Served extends Methods, Sent extends Events>(
  webview: vscode.Webview,
  page: Page,
  handlers: Handlers<Served>,
  { extensionUri, display }: DocumentPageOptions,
  onFailure: (error: unknown) => void,
): RpcServer<Served, Sent> {
  const rpc = new RpcServer<Served, Sent>({
    port: {
      postMessage: (message) => void webview.postMessage(message),
      onMessage: (listener) => webview.onDidReceiveMessage(listener),
    },
    handlers,
    toFailure: (error) => {
      onFailure(error);
      return toRpcFailure(error, systemClock.now(), display.current);
    },
  });
  webview.options = { enableScripts: true, localResourceRoots: pageRoots(extensionUri) };
  webview.html = webviewHtml(webview, extensionUri, page);
  return rpc;
}

/**
 * Serves a page that draws a document, such as a receipt. A request that fails is shown as a message,
 * because the page only draws.
 */
export function serveDocumentPage<Served extends Methods, Sent extends Events>(
  webview: vscode.Webview,
  page: Page,
  handlers: Handlers<Served>,
  options: DocumentPageOptions,
): RpcServer<Served, Sent> {
  const { display, log } = options;
  return servePage(webview, page, handlers, options, (error) => {
    log.failure(`the page ${page.name}`, error);
    logRejection(log, 'showing an error', showErrorWithAction(error, display.latest()));
  });
}

/** A page of `src/pages`, and what its script finds in the `data-` attributes of its root. */
type Page = {
  readonly name: 'table' | 'document';
  readonly data: Readonly<Record<string, string>>;
};

const styles: Readonly<Record<Page['name'], readonly string[]>> = {
  table: ['page', 'grid', 'table'],
  document: ['page', 'document', 'grid', 'documentGrid', 'chart'],
};

/**
 * The HTML of a page: its styles, one script, nothing else. The policy lets nothing run, load or
 * connect beyond them, and its scripts write no HTML but through lit's templates.
 */
export function webviewHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  { name, data }: Page,
): string {
  const nonce = randomBytes(16).toString('base64');
  const uri = (...path: string[]): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString();
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `form-action 'none'`,
    `base-uri 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types lit-html`,
  ].join('; ');
  const links = styles[name].map(
    (style) => `<link rel="stylesheet" href="${uri('media', `${style}.css`)}">`,
  );
  const attributes = Object.entries(data).map(
    ([key, value]) => `data-${key}="${attribute(value)}"`,
  );
  return `<!DOCTYPE html>
<html lang="${attribute(vscode.env.language)}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    ${links.join('\n    ')}
    <title>Margin Desk</title>
  </head>
  <body>
    <main id="app" ${attributes.join(' ')}></main>
    <script nonce="${nonce}" src="${uri('dist', 'pages', `${name}.js`)}"></script>
  </body>
</html>`;
}

/** Text as the value of an attribute in double quotes. */
function attribute(text: string): string {
  return text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** What a page may load from. */
function pageRoots(extensionUri: vscode.Uri): vscode.Uri[] {
  return [
    vscode.Uri.joinPath(extensionUri, 'dist', 'pages'),
    vscode.Uri.joinPath(extensionUri, 'media'),
  ];
}
