import * as v from 'valibot';
import * as vscode from 'vscode';
import type { CancelReport } from '../../account/cancelAll/cancelAll.ts';
import { Display } from '../../base/display.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { systemClock } from '../../base/time.ts';
import type { ReceiptEvents, ReceiptMethods } from '../../protocol/receipt.ts';
import { RpcServer } from '../../protocol/rpcServer.ts';
import { showErrorWithAction } from '../commandErrors.ts';
import { logRejection, type Log } from '../log.ts';
import { toRpcFailure } from '../panels/tableRequests.ts';
import { pageRoots, webviewHtml } from '../panels/webviewHtml.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { receiptDocument } from './receiptDocument.ts';
import { saveReceipt } from './receiptFileDialog.ts';
import { receiptMarkdown } from './receiptMarkdown.ts';

export type ReceiptPanelOptions = {
  readonly extensionUri: vscode.Uri;
  readonly display: DisplayState;
  /** Asks whether figures that privacy hides may be copied or saved. */
  readonly confirmRealValues: () => Promise<boolean>;
  readonly log: Log;
};

/** The host's end of one receipt page. */
export class ReceiptPanel implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly options: ReceiptPanelOptions;
  readonly panel: vscode.WebviewPanel;
  private readonly rpc: RpcServer<ReceiptMethods, ReceiptEvents>;
  private report: CancelReport;

  constructor(panel: vscode.WebviewPanel, report: CancelReport, options: ReceiptPanelOptions) {
    this.panel = panel;
    this.report = report;
    this.options = options;
    const { extensionUri, display } = options;
    const { webview } = panel;
    this.rpc = this.disposables.add(this.createRpcServer(webview));
    this.disposables.add(panel);
    this.disposables.add(display.onDidChange(() => this.redraw()));
    this.updateTitle();
    webview.options = { enableScripts: true, localResourceRoots: pageRoots(extensionUri) };
    const data = { receipt: report.receipt.id };
    webview.html = webviewHtml(webview, extensionUri, { name: 'receipt', data });
  }

  /** Shows a newer version of the same receipt. */
  update(report: CancelReport): void {
    this.report = report;
    this.redraw();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private redraw(): void {
    const document = receiptDocument(this.report, this.options.display.latest());
    this.rpc.notify('receipt/changed', document);
    this.updateTitle();
  }

  private updateTitle(): void {
    const { sentAt } = this.report.receipt;
    const time = this.options.display.current.timeOfDay(String(sentAt));
    this.panel.title = vscode.l10n.t('Cancel-All · {0}', time);
  }

  private createRpcServer(webview: vscode.Webview): RpcServer<ReceiptMethods, ReceiptEvents> {
    const { log, display } = this.options;
    return new RpcServer<ReceiptMethods, ReceiptEvents>({
      port: {
        postMessage: (message) => void webview.postMessage(message),
        onMessage: (listener) => webview.onDidReceiveMessage(listener),
      },
      handlers: {
        'receipt/open': { params: v.null(), run: this.describe },
        'receipt/copy': { params: v.null(), run: this.copy },
        'receipt/save': { params: v.null(), run: this.save },
      },
      toFailure: (error) => {
        log.failure('a receipt page', error);
        const message = showErrorWithAction(error, display.latest());
        logRejection(log, 'showing an error', message);
        return toRpcFailure(error, systemClock.now(), display.current);
      },
    });
  }

  private readonly describe = () => receiptDocument(this.report, this.options.display.latest());

  private readonly copy = async (): Promise<boolean> => {
    const { display, confirmRealValues } = this.options;
    if (!(await confirmRealValues())) return false;
    const unmasked = new Display({ ...display.current.settings, hidesMoney: false });
    const markdown = receiptMarkdown(receiptDocument(this.report, unmasked));
    await vscode.env.clipboard.writeText(markdown);
    return true;
  };

  private readonly save = async (): Promise<null> => {
    if (await this.options.confirmRealValues()) await saveReceipt(this.report.receipt);
    return null;
  };
}
