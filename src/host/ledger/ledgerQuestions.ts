import * as vscode from 'vscode';
import type { Profile } from '../../account/session/profile.ts';
import type { Display } from '../../base/display.ts';
import { UserFacingError } from '../../base/errors.ts';
import type { LedgerSummary } from '../../ledger/coverage/ledgerSummary.ts';
import type { LedgerError } from '../../ledger/ledgerError.ts';
import { confirm } from '../shared/confirm.ts';
import { t } from '../shared/translate.ts';
import { ledgerErrorText } from '../text/failureText.ts';
import { accountLabel } from '../text/messageText.ts';
import { rowCountText } from '../text/progressText.ts';

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

/** On LIVE, Enter keeps it. Without a summary, the ledger cannot be read. */
export function confirmDeletion(
  profile: Profile,
  summary: LedgerSummary | undefined,
  display: Display,
): Promise<boolean> {
  const detail = [
    ...(summary ? [contentText(summary, display)] : []),
    t('Rows that the exchange no longer lists are lost with it.'),
    t('To keep a copy, run “Margin Desk: Back Up Ledger…” first.'),
  ].join('\n');
  return confirm(
    t('Delete the ledger of {0}?', accountLabel(profile)),
    detail,
    t('Delete Ledger'),
    t('Keep Ledger'),
    profile.environment === 'live',
  );
}

/** How many rows a ledger has, and of which period. */
function contentText({ histories, period }: LedgerSummary, display: Display): string {
  const rows = histories.reduce((sum, history) => sum + history.rows, 0);
  const [from, to] = [period.from, period.to].map((time) => display.timeToSecond(time));
  const count = rowCountText(rows, display);
  return rows === 0
    ? t('It has no rows.')
    : t('It has {0}, from {1} to {2}.', count, from ?? '', to ?? '');
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
