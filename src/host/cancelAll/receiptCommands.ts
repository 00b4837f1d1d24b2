import * as vscode from 'vscode';
import type { Receipt } from '../../account/cancelAll/receipts.ts';
import type { Display } from '../../base/display.ts';
import { confirm } from '../shared/confirm.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { accountLabel, untrustedText, withoutIcons } from '../text/messageText.ts';
import { outcomeLook, outcomeText } from './outcomeText.ts';
import type { ReceiptFiles } from './receiptFiles.ts';
import type { ReceiptPanels } from './receiptPanels.ts';

type ShowReceiptsOptions = {
  readonly receipts: ReceiptFiles;
  readonly display: DisplayState;
  readonly receiptPanels: ReceiptPanels;
};

/** Lists the receipts of all cancel-alls, newest first, and shows the one that is picked. */
export async function showReceipts({
  receipts,
  display,
  receiptPanels,
}: ShowReceiptsOptions): Promise<void> {
  const stored = await receipts.all();
  warnOfDamagedReceipts(stored.damagedFiles);
  if (stored.receipts.length === 0) {
    const none = vscode.l10n.t('No receipts yet. Each cancel-all that is sent stores one.');
    void vscode.window.showInformationMessage(none);
    return;
  }
  const picked = await pickReceipt(stored.receipts, display);
  if (picked) receiptPanels.show(picked);
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
  const title = vscode.l10n.t('Cancel-All Receipts');
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
    label: display.time(String(sentAt)),
    description: `${accountLabel({ name, environment })} · ${label()}`,
    detail: withoutIcons(outcomeText(receipt, display)),
    iconPath: new vscode.ThemeIcon(icon),
    receipt,
  };
}

function warnOfDamagedReceipts(names: readonly string[]): void {
  if (names.length === 0) return;
  void vscode.window.showWarningMessage(
    vscode.l10n.t(
      'Damaged receipts were set aside, not deleted: {0}.',
      untrustedText(names.join(', '), 500),
    ),
  );
}

/** Deletes all receipts after a confirmation. */
export async function deleteReceipts(receipts: ReceiptFiles): Promise<void> {
  if (!(await confirmDeletion())) return;
  warnOfDamagedReceipts(await receipts.deleteAll());
  void vscode.window.showInformationMessage(
    vscode.l10n.t('The receipts were deleted. Damaged receipts that were set aside remain.'),
  );
}

function confirmDeletion(): Promise<boolean> {
  const { t } = vscode.l10n;
  const detail = t(
    'They are the only record on this machine of what each cancel-all sent, and what was locked before and after. Orders at the exchange are not affected.',
  );
  const question = t('Delete all cancel-all receipts?');
  return confirm(question, detail, t('Delete'), t('Keep Receipts'));
}
