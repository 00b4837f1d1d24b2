import os from 'node:os';
import * as vscode from 'vscode';
import type { Receipt } from '../../account/cancelAll/receipts.ts';

/** Asks for a file and writes the receipt as it is stored: every figure, no part of a key. */
export async function saveReceipt(receipt: Receipt): Promise<void> {
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
