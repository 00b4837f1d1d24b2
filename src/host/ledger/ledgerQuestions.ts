import * as vscode from 'vscode';
import type { Profile } from '../../account/session/profile.ts';
import { UserFacingError } from '../../base/errors.ts';
import type { LedgerError } from '../../ledger/ledgerError.ts';
import { confirm } from '../shared/confirm.ts';
import { t } from '../shared/translate.ts';
import { ledgerErrorText } from '../text/failureText.ts';
import { accountLabel } from '../text/messageText.ts';

/** The questions of a ledger. Each resolves to undefined or false when the user cancels. */

/**
 * Asked after other credentials were set for a profile with a ledger: as a notification, which can wait, if
 * it is not `modal`.
 */
export async function askSameAccount(
  profile: Profile,
  modal: boolean,
): Promise<'same' | 'other' | undefined> {
  const [same, other] = [t('Same Account'), t('Another Account')];
  const question = t(
    'The credentials of {0} changed. Is it the same account?',
    accountLabel(profile),
  );
  const detail = t(
    'If it is, the newest rows of its ledger are compared with the exchange, and this ledger is continued. If not, a new ledger starts; the other one is shown again with its credentials.',
  );
  const [text, options] = modal ? [question, { modal, detail }] : [`${question} ${detail}`, {}];
  const chosen = await vscode.window.showWarningMessage(text, options, same, other);
  if (chosen === same) return 'same';
  return chosen === other ? 'other' : undefined;
}

/** What a ledger is, and how to be rid of it. */
export function ledgerFileText(): string {
  return t(
    'The ledger is a file in VS Code’s storage on this machine. It has the orders, trades, liquidation auctions and transactions that you download, and the balances and positions of each change. It is plain text at rest: any program of your user can read it. API keys are not in it. Delete it with “Margin Desk: Delete Ledger…”.',
  );
}

export function confirmDeletion(profile: Profile): Promise<boolean> {
  const detail = t(
    'Rows that the exchange no longer lists are lost with it. “Margin Desk: Back Up Ledger…” keeps a copy.',
  );
  const question = t('Delete the local ledger of {0}?', accountLabel(profile));
  return confirm(question, detail, t('Delete'));
}

/** Of an account that may have no ledger. */
export function confirmRestore(profile: Profile, hasLedger: boolean): Promise<boolean> {
  const account = accountLabel(profile);
  if (!hasLedger)
    return confirm(
      t('Keep the history of {0} on this machine?', account),
      ledgerFileText(),
      t('Keep History'),
    );
  const detail = t(
    'The present ledger of this account is deleted. A damaged file that was set aside stays.',
  );
  return confirm(t('Replace the ledger of {0} with the backup?', account), detail, t('Replace'));
}

/** The exchange cannot say whose ledger it is. */
export function confirmUncompared(profile: Profile): Promise<boolean> {
  const detail = t(
    'The exchange lists none of its newest rows, so they cannot be compared. It may have dropped them, or the ledger may be of another account.',
  );
  const question = t('Is this ledger of {0}?', accountLabel(profile));
  return confirm(question, detail, t('Show This Ledger'));
}

/** New rows and figures are not stored, and the user can put that right. */
export function showNotCurrent(profile: Profile, problem: LedgerError): void {
  const text = t('The ledger of {0} is not kept current.', accountLabel(profile));
  void vscode.window.showWarningMessage(`${text} ${ledgerErrorText(problem)}`);
}

export function otherAccountError(): UserFacingError {
  return new UserFacingError(
    t(
      'The exchange does not list the newest rows of the ledger for these credentials: it belongs to another account and is not shown.',
    ),
  );
}
