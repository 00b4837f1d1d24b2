import * as vscode from 'vscode';
import type { Receipt } from '../../account/receipts.ts';
import type { Display } from '../../base/display.ts';
import { inBackground } from '../background.ts';
import type { DisplayState } from '../displayState.ts';
import type { Documents } from '../documents.ts';
import type { Log } from '../log.ts';
import type { ReceiptFiles } from '../receipts/receiptFiles.ts';
import { quoted, whose } from '../words.ts';
import { outcomeName, outcomeWords } from './outcomeWords.ts';
import { showReceipt } from './receiptText.ts';

export type ReceiptDesk = {
  readonly receipts: ReceiptFiles;
  readonly display: DisplayState;
  readonly documents: Documents;
  readonly log: Log;
};

/** Offers the receipts of every cancel-all, newest first, and shows the one that is picked. */
export async function showReceipts({
  receipts,
  display,
  documents,
  log,
}: ReceiptDesk): Promise<void> {
  const kept = await receipts.all();
  if (kept.setAside.length > 0)
    inBackground(log, 'telling of damaged receipts', tellSetAside(kept.setAside));
  if (kept.receipts.length === 0) {
    const none = vscode.l10n.t('There is no receipt: none is kept before a cancel-all is sent.');
    inBackground(log, 'telling of no receipts', vscode.window.showInformationMessage(none));
    return;
  }
  const picked = await pickReceipt(kept.receipts, display);
  if (picked) await showReceipt(picked, documents);
}

type Item = vscode.QuickPickItem & { readonly receipt: Receipt };

/** A list that follows the display while it is open, so that privacy leaves no figure in it. */
function pickReceipt(
  receipts: readonly Receipt[],
  display: DisplayState,
): Promise<Receipt | undefined> {
  const box = vscode.window.createQuickPick<Item>();
  const draw = (now: Display): void => {
    box.items = receipts.map((receipt) => item(receipt, now));
  };
  const title = vscode.l10n.t('Receipts of Cancel All');
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

function item(receipt: Receipt, display: Display): Item {
  const { profile: name, environment, outcome, sentAt } = receipt;
  return {
    label: display.time(String(sentAt)),
    description: `${whose({ name, environment })} · ${outcomeName(outcome)}`,
    detail: withoutIcons(outcomeWords(receipt, display)),
    receipt,
  };
}

/** A list draws `$(name)` as an icon: a server's word is to draw none. */
function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$ (');
}

/** Names the receipts that could not be read. */
export function tellSetAside(names: readonly string[]): Thenable<unknown> {
  return vscode.window.showWarningMessage(
    vscode.l10n.t(
      'Damaged receipts were set aside, not deleted: {0}.',
      quoted(names.join(', '), 500),
    ),
  );
}
