import * as vscode from 'vscode';
import { inBackground } from '../background.ts';
import type { Log } from '../log.ts';
import type { ReceiptFiles } from '../receipts/receiptFiles.ts';
import { tellSetAside } from './showReceipts.ts';

/** Deletes the receipts of every cancel-all, after a question. */
export async function deleteReceipts(receipts: ReceiptFiles, log: Log): Promise<void> {
  if (!(await confirmsDeletion())) return;
  const setAside = await receipts.deleteAll();
  if (setAside.length > 0) inBackground(log, 'telling of damaged receipts', tellSetAside(setAside));
  const told = vscode.window.showInformationMessage(
    vscode.l10n.t('The receipts were deleted. Damaged ones that were set aside stay.'),
  );
  inBackground(log, 'telling that receipts were deleted', told);
}

async function confirmsDeletion(): Promise<boolean> {
  const yes = { title: vscode.l10n.t('Delete') };
  const detail = vscode.l10n.t(
    'They are this machine’s only record of what each cancel-all found, sent and left. What the exchange knows of the orders stays there.',
  );
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('Delete the receipts of every cancel-all?'),
    { modal: true, detail },
    yes,
  );
  return chosen === yes;
}
