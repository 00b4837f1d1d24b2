import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { CancelReport } from '../../account/cancelAll/cancelAll.ts';
import type { Receipt } from '../../account/cancelAll/receipts.ts';
import { environmentLabel } from '../../account/session/profile.ts';
import { Display } from '../../base/display.ts';
import type { FeatureContext } from '../feature/context.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { onDidChangeSetting, writeSetting } from '../settings/settings.ts';
import { settingValue } from '../settings/settingValues.ts';
import { confirm } from '../shared/confirm.ts';
import { t } from '../shared/translate.ts';
import { accountLabel, untrustedText, withoutIcons } from '../text/messageText.ts';
import type { DocumentSource } from '../webview/documentPanel.ts';
import type { OpenDocuments } from '../webview/documents.ts';
import { copyMarkdown } from '../webview/markdown.ts';
import { outcomeLook, outcomeText } from './outcomeText.ts';
import { receiptDocument, type ReceiptActions } from './receiptDocument.ts';
import type { OtherFiles, ReceiptFiles } from './receiptFiles.ts';
import { returnedOrdersGrid } from './returnedOrdersGrid.ts';

const typingKey = 'marginDesk.confirmByTyping';

type ReceiptPanelsOptions = Pick<
  FeatureContext,
  'display' | 'confirmRealValues' | 'documents' | 'choices'
> & { readonly receipts: ReceiptFiles };

/** The receipt panels of this window, one for each receipt: opened, or restored after a reload. */
export class ReceiptPanels {
  private readonly options: ReceiptPanelsOptions;
  private readonly open: OpenDocuments;
  /** The newest version of each receipt of a cancel-all of this window. */
  private readonly own = new Map<string, CancelReport>();
  /** Other receipts, as they were read from their files last. */
  private readonly stored = new Map<string, CancelReport>();
  /** The receipt that opened by itself, unless the user has asked for it since. */
  private unasked: string | undefined;

  constructor(options: ReceiptPanelsOptions) {
    this.options = options;
    this.open = options.documents.add({
      name: 'receipt',
      source: (id) => this.sourceOf(id),
      restored: (id) => this.restored(id),
    });
  }

  /** A newer version of a receipt of this window. */
  update(report: CancelReport): void {
    const { id } = report.receipt;
    this.own.set(id, report);
    this.open.get(id)?.update();
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

  /** Lists the receipts of all cancel-alls, newest first, and shows the one that is picked. */
  async pick(): Promise<void> {
    const { receipts } = this.options;
    const stored = await receipts.all();
    warnOfOtherFiles(receipts.folder, stored);
    if (stored.receipts.length === 0) {
      const none = t('No receipts yet. Each cancel-all that is sent stores one.');
      void vscode.window.showInformationMessage(none);
      return;
    }
    const picked = await pickReceipt(stored.receipts, this.options.display);
    if (picked) this.show(picked);
  }

  /** A receipt that is gone leaves no empty panel behind. */
  private async restored(id: string): Promise<string | undefined> {
    const receipt = await this.options.receipts.byId(id);
    if (receipt) this.keep(receipt);
    return receipt?.id;
  }

  private reveal(receipt: Receipt, preserveFocus: boolean): void {
    this.keep(receipt);
    this.open.get(receipt.id)?.update();
    this.open.show(receipt.id, preserveFocus);
  }

  private keep(receipt: Receipt): void {
    const { id } = receipt;
    if (!this.own.has(id)) this.stored.set(id, { receipt, isSaved: true, isActive: false });
  }

  private reportOf(id: string): CancelReport {
    const report = this.own.get(id) ?? this.stored.get(id);
    if (!report) throw new Error('There is no such receipt.');
    return report;
  }

  private sourceOf(id: string): DocumentSource {
    const { display, choices } = this.options;
    const receipt = (): Receipt => this.reportOf(id).receipt;
    const layout = choices.layout('returnedOrders');
    const actions = this.actionsOf(id);
    return {
      tab: () => ({
        title: t('Cancel-All · {0}', display.current.timeOfDay(receipt().sentAt)),
        environment: environmentLabel(receipt()),
      }),
      document: () => {
        const isOffered = receipt().environment === 'live' && !settingValue(typingKey);
        const offered = {
          ...actions,
          ...(isOffered && { typeName: () => writeSetting(typingKey, true) }),
        };
        return receiptDocument(this.reportOf(id), display.latest(), offered, layout.get());
      },
      changes: [(listener) => onDidChangeSetting([typingKey], () => listener(undefined))],
      grid: returnedOrdersGrid(receipt, layout),
    };
  }

  /** In privacy mode, the user confirms first that real figures leave the page. */
  private actionsOf(id: string): ReceiptActions {
    const { display, confirmRealValues } = this.options;
    const actions: ReceiptActions = {
      copy: async () => {
        if (!(await confirmRealValues())) return null;
        const unmasked = new Display({ ...display.current.settings, hidesMoney: false });
        return copyMarkdown(receiptDocument(this.reportOf(id), unmasked, actions));
      },
      save: async () => {
        if (await confirmRealValues()) await saveReceipt(this.reportOf(id).receipt);
      },
    };
    return actions;
  }
}

/** Asks for a file and writes the receipt as it is stored: every figure, no part of a key. */
async function saveReceipt(receipt: Receipt): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(os.homedir());
  const time = new Date(receipt.sentAt).toISOString().slice(0, 19).replaceAll(':', '-');
  const target = await vscode.window.showSaveDialog({
    title: t('Save Cancel-All Receipt'),
    defaultUri: vscode.Uri.joinPath(folder, `cancel-all-${time}Z.json`),
    filters: { JSON: ['json'] },
  });
  if (!target) return;
  const text = `${JSON.stringify(receipt, undefined, 2)}\n`;
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
}

type ReceiptItem = vscode.QuickPickItem & { readonly receipt: Receipt };

/** The list is redrawn when privacy mode changes while it is open. */
function pickReceipt(
  receipts: readonly Receipt[],
  display: DisplayState,
): Promise<Receipt | undefined> {
  const box = vscode.window.createQuickPick<ReceiptItem>();
  const draw = (now: Display): void => {
    box.items = receipts.map((receipt) => receiptItem(receipt, now));
  };
  const title = t('Cancel-All Receipts');
  Object.assign(box, { title, matchOnDescription: true, matchOnDetail: true });
  draw(display.latest());
  const following = display.onDidChange(() => draw(display.current));
  return new Promise((resolve) => {
    box.onDidAccept(() => {
      const [picked] = box.selectedItems;
      if (picked) end(picked.receipt);
    });
    box.onDidHide(() => end(undefined));
    box.show();
    function end(picked: Receipt | undefined): void {
      resolve(picked);
      following.dispose();
      box.dispose();
    }
  });
}

function receiptItem(receipt: Receipt, display: Display): ReceiptItem {
  const { profile: name, environment, sentAt } = receipt;
  const { icon, label } = outcomeLook(receipt);
  return {
    label: display.time(sentAt),
    description: `${accountLabel({ name, environment })} · ${label()}`,
    detail: withoutIcons(outcomeText(receipt, display)),
    iconPath: new vscode.ThemeIcon(icon),
    receipt,
  };
}

function warnOfOtherFiles(folder: string, { damaged, ofOtherVersion }: OtherFiles): void {
  const { showWarningMessage } = vscode.window;
  const paths = (names: readonly string[]): string =>
    untrustedText(names.map((name) => path.join(folder, name)).join(', '), 1000);
  if (damaged.length > 0)
    void showWarningMessage(
      t('Damaged receipts were set aside, not deleted: {0}.', paths(damaged)),
    );
  if (ofOtherVersion.length > 0)
    void showWarningMessage(
      t(
        'Another version of Margin Desk wrote these receipts. They stay as they are: {0}.',
        paths(ofOtherVersion),
      ),
    );
}

/** Deletes all receipts after a confirmation. */
export async function deleteReceipts(receipts: ReceiptFiles): Promise<void> {
  if (!(await confirmDeletion())) return;
  warnOfOtherFiles(receipts.folder, await receipts.deleteAll());
  void vscode.window.showInformationMessage(
    t('The receipts were deleted. Damaged ones, and those of other versions, remain.'),
  );
}

function confirmDeletion(): Promise<boolean> {
  const detail = t(
    'They are the only record on this machine of what each cancel-all sent, and what was locked before and after. Orders at the exchange are not affected.',
  );
  const question = t('Delete all cancel-all receipts?');
  return confirm(question, detail, t('Delete'), t('Keep Receipts'));
}
