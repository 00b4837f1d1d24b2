import type * as vscode from 'vscode';
import { systemClock } from '../../base/time.ts';
import type { Events, Methods } from '../../protocol/messages.ts';
import { RpcServer, type Handlers } from '../../protocol/rpcServer.ts';
import { showErrorWithAction } from '../commandErrors.ts';
import { logRejection, type Log } from '../log.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { toRpcFailure } from './tableRequests.ts';
import { pageRoots, webviewHtml, type Page } from './webviewHtml.ts';

export type DocumentPageOptions = {
  readonly extensionUri: vscode.Uri;
  readonly display: DisplayState;
  readonly log: Log;
};

/**
 * Loads a page that draws a document, such as a receipt, and serves its requests. A request that fails
 * is shown as a message, because the page only draws.
 */
export function serveDocumentPage<Served extends Methods, Sent extends Events>(
  webview: vscode.Webview,
  page: Page,
  handlers: Handlers<Served>,
  { extensionUri, display, log }: DocumentPageOptions,
): RpcServer<Served, Sent> {
  const rpc = new RpcServer<Served, Sent>({
    port: {
      postMessage: (message) => void webview.postMessage(message),
      onMessage: (listener) => webview.onDidReceiveMessage(listener),
    },
    handlers,
    toFailure: (error) => {
      log.failure(`the page ${page.name}`, error);
      const message = showErrorWithAction(error, display.latest());
      logRejection(log, 'showing an error', message);
      return toRpcFailure(error, systemClock.now(), display.current);
    },
  });
  webview.options = { enableScripts: true, localResourceRoots: pageRoots(extensionUri) };
  webview.html = webviewHtml(webview, extensionUri, page);
  return rpc;
}
