import * as v from 'valibot';
import type * as vscode from 'vscode';
import type { CancelReport } from '../../account/cancelAll/cancelAll.ts';
import type { Receipt } from '../../account/cancelAll/receipts.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { GridCommand } from '../../protocol/gridMessages.ts';
import { receiptStateSchema } from '../../protocol/receipt.ts';
import { panels } from '../shared/contributions.ts';
import { createPanel } from '../webview/webviewPage.ts';
import type { ReceiptFiles } from './receiptFiles.ts';
import { ReceiptPanel, type ReceiptPanelOptions } from './receiptPanel.ts';

type ReceiptPanelsOptions = ReceiptPanelOptions & { readonly receipts: ReceiptFiles };

/** The receipt panels of this window, one for each receipt: opened, or restored after a reload. */
export class ReceiptPanels implements Disposable, vscode.WebviewPanelSerializer {
  private readonly options: ReceiptPanelsOptions;
  private readonly open = new Map<string, ReceiptPanel>();
  /** The newest version of each receipt of a cancel-all of this window. */
  private readonly own = new Map<string, CancelReport>();
  /** The receipt that opened by itself, unless the user has asked for it since. */
  private unasked: string | undefined;

  constructor(options: ReceiptPanelsOptions) {
    this.options = options;
  }

  /** A newer version of a receipt of this window. */
  update(report: CancelReport): void {
    const { id } = report.receipt;
    this.own.set(id, report);
    this.open.get(id)?.update(report);
  }

  /** Passes a menu command to the receipt in front. */
  runInActive(command: GridCommand): void {
    for (const open of this.open.values()) if (open.panel.active) open.command(command);
  }

  /** Opens a receipt in its newest version, or reveals its open panel. */
  show(receipt: Receipt): void {
    if (this.unasked === receipt.id) this.unasked = undefined;
    this.reveal(receipt, false);
  }

  /**
   * Opens a receipt for which the user has not asked. It takes no focus, and the place of a stored one
   * before it: pressing again and again leaves one tab.
   */
  showUnasked(receipt: Receipt): void {
    const { unasked: previous } = this;
    this.unasked = receipt.id;
    this.reveal(receipt, true);
    if (previous === undefined || previous === receipt.id) return;
    if (this.own.get(previous)?.isSaved) this.open.get(previous)?.dispose();
  }

  /** After a reload. A receipt that is gone, or that has a panel again, leaves no empty panel behind. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, saved: unknown): Promise<void> {
    const state = v.safeParse(receiptStateSchema, saved);
    const id = state.success ? state.output.receipt : undefined;
    const receipt = id === undefined ? undefined : await this.options.receipts.byId(id);
    if (!receipt || this.open.has(receipt.id)) panel.dispose();
    else this.adopt(panel, receipt);
  }

  dispose(): void {
    for (const panel of this.open.values()) panel.dispose();
  }

  private reveal(receipt: Receipt, preserveFocus: boolean): void {
    const open = this.open.get(receipt.id);
    if (open) {
      open.update(this.newest(receipt));
      open.panel.reveal(undefined, preserveFocus);
    } else this.adopt(createPanel(panels.receipt, preserveFocus), receipt);
  }

  private newest(receipt: Receipt): CancelReport {
    return this.own.get(receipt.id) ?? { receipt, isSaved: true, isActive: false };
  }

  private adopt(panel: vscode.WebviewPanel, receipt: Receipt): void {
    const { id } = receipt;
    const own = new ReceiptPanel(panel, this.newest(receipt), this.options);
    this.open.set(id, own);
    panel.onDidDispose(() => {
      this.open.delete(id);
      own.dispose();
    });
  }
}
