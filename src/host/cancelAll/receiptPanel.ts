import os from 'node:os';
import * as v from 'valibot';
import * as vscode from 'vscode';
import type { CancelReport } from '../../account/cancelAll/cancelAll.ts';
import type { Receipt } from '../../account/cancelAll/receipts.ts';
import { environmentLabel } from '../../account/session/profile.ts';
import { Display } from '../../base/display.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { GridCommand } from '../../protocol/gridMessages.ts';
import type { ReceiptDocument, ReceiptEvents, ReceiptMethods } from '../../protocol/receipt.ts';
import type { Handlers, RpcServer } from '../../protocol/rpcServer.ts';
import { gridRequests } from '../webview/gridRequests.ts';
import { environmentIcon } from '../webview/tab.ts';
import type { TableChoices } from '../webview/tableChoices.ts';
import { serveDocumentPage, type DocumentPageOptions } from '../webview/webviewPage.ts';
import { receiptDocument } from './receiptDocument.ts';
import { receiptMarkdown } from './receiptMarkdown.ts';
import {
  returnedOrderColumns,
  returnedOrders,
  returnedOrdersGridTexts,
  returnedOrdersId,
} from './returnedOrdersGrid.ts';

export type ReceiptPanelOptions = DocumentPageOptions & {
  /** Asks whether figures that privacy hides may be copied or saved. */
  readonly confirmRealValues: () => Promise<boolean>;
  readonly choices: TableChoices;
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
    this.rpc = this.disposables.add(this.serve());
    this.disposables.add(panel);
    this.disposables.add(options.display.onDidChange(() => this.redraw()));
    this.updateTitle();
  }

  /** Shows a newer version of the same receipt. */
  update(report: CancelReport): void {
    this.report = report;
    this.redraw();
  }

  /** Has the page do something with the selected cells of its grid. */
  command(command: GridCommand): void {
    this.rpc.notify('grid/command', command);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private redraw(): void {
    this.rpc.notify('receipt/changed', this.describe());
    this.updateTitle();
  }

  private updateTitle(): void {
    const { sentAt } = this.report.receipt;
    const { extensionUri } = this.options;
    const time = this.options.display.current.timeOfDay(String(sentAt));
    this.panel.title = vscode.l10n.t('Cancel-All · {0}', time);
    this.panel.iconPath = environmentIcon(extensionUri, environmentLabel(this.report.receipt));
  }

  private serve(): RpcServer<ReceiptMethods, ReceiptEvents> {
    const texts = JSON.stringify(returnedOrdersGridTexts());
    const page = { name: 'receipt', data: { receipt: this.report.receipt.id, texts } } as const;
    const handlers: Handlers<ReceiptMethods> = {
      'receipt/open': { params: v.null(), run: this.describe },
      'receipt/copy': { params: v.null(), run: this.copy },
      'receipt/save': { params: v.null(), run: this.save },
      ...gridRequests({
        ...this.options,
        onCopied: (selection) => this.rpc.notify('grid/copied', selection),
        columns: returnedOrderColumns,
        records: (pageId) => this.ordersOf(pageId),
        layout: this.options.choices.layout('returnedOrders'),
      }),
    };
    return serveDocumentPage<ReceiptMethods, ReceiptEvents>(
      this.panel,
      page,
      handlers,
      this.options,
    );
  }

  private readonly describe = (): ReceiptDocument => {
    const { display, choices } = this.options;
    return receiptDocument(this.report, display.latest(), choices.layout('returnedOrders').get());
  };

  private ordersOf(pageId: number): readonly object[] | undefined {
    const { receipt } = this.report;
    return returnedOrdersId(receipt) === pageId ? returnedOrders(receipt) : undefined;
  }

  private readonly copy = async (): Promise<boolean> => {
    const { display, confirmRealValues } = this.options;
    if (!(await confirmRealValues())) return false;
    const unmasked = new Display({ ...display.current.settings, hidesMoney: false });
    const markdown = receiptMarkdown(receiptDocument(this.report, unmasked));
    await vscode.env.clipboard.writeText(markdown);
    return true;
  };

  private readonly save = async (): Promise<void> => {
    if (await this.options.confirmRealValues()) await saveReceipt(this.report.receipt);
  };
}

/** Asks for a file and writes the receipt as it is stored: every figure, no part of a key. */
async function saveReceipt(receipt: Receipt): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(os.homedir());
  const time = new Date(receipt.sentAt).toISOString().slice(0, 19).replaceAll(':', '-');
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save Cancel-All Receipt'),
    defaultUri: vscode.Uri.joinPath(folder, `cancel-all-${time}Z.json`),
    filters: { JSON: ['json'] },
  });
  if (!target) return;
  const text = `${JSON.stringify(receipt, undefined, 2)}\n`;
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
}
