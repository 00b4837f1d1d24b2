import * as vscode from 'vscode';
import type { Profile } from '../../account/session/profile.ts';
import type { Display } from '../../base/display.ts';
import { UserFacingError } from '../../base/errors.ts';
import { ledgerHistoryNames, type LedgerHistory } from '../../ledger/ledger.ts';
import type { LedgerError } from '../../ledger/ledgerError.ts';
import {
  defaultHistories,
  type DownloadPlan,
  type DownloadRequest,
} from '../../ledger/sync/downloadPlan.ts';
import { confirm } from '../shared/confirm.ts';
import { ledgerErrorText } from '../text/failureText.ts';
import { accountLabel } from '../text/messageText.ts';
import { costText, ledgerHistoryLabel } from './ledgerText.ts';

/** The questions of a ledger. Each resolves to undefined or false when the user cancels. */

/** The page takes the focus back when a dialog before the question closes: the question stays open. */
const ignoreFocusOut = true;

/** Asked once for each profile. */
export function askForLedger(profile: Profile): Promise<boolean> {
  const { t } = vscode.l10n;
  const detail = t(
    'The ledger is a file in VS Code’s storage on this machine. It has the orders, trades, liquidation auctions and transactions that you download, and the balances and positions of each change. It is plain text at rest: any program of your user can read it. API keys are not in it. Delete it with “Margin Desk: Delete Ledger…”.',
  );
  const question = t('Keep the history of {0} on this machine?', accountLabel(profile));
  return confirm(question, detail, t('Keep History'));
}

/**
 * Asked after other credentials were set for a profile with a ledger: as a notification, which can wait, if
 * it is not `modal`.
 */
export async function askSameAccount(
  profile: Profile,
  modal: boolean,
): Promise<'same' | 'other' | undefined> {
  const { t } = vscode.l10n;
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

type Period = DownloadRequest['period'];

/** A download that was begun can be resumed instead. */
export async function askPeriod(isBegun: boolean): Promise<Period | 'resume' | undefined> {
  const { t } = vscode.l10n;
  const resume = { period: 'resume', label: t('Resume the Paused Download') } as const;
  const items: readonly (vscode.QuickPickItem & { readonly period: Period | 'resume' })[] = [
    ...(isBegun ? [resume] : []),
    { period: 'days90', label: t('90 Days') },
    { period: 'year', label: t('1 Year') },
    { period: 'everything', label: t('Everything') },
  ];
  const title = t('Download History');
  const placeHolder = t('Periods that are complete in the ledger are not read again');
  return (await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut }))?.period;
}

/** Each history with its cost; lots are the exchange's, and not selected. */
export async function askHistories(
  { costs }: DownloadPlan,
  display: Display,
): Promise<readonly LedgerHistory[] | undefined> {
  const items = ledgerHistoryNames.map((history) => ({
    history,
    label: ledgerHistoryLabel(history),
    description: costText(costs.get(history), display),
    picked: defaultHistories.includes(history),
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Download History'),
    placeHolder: vscode.l10n.t('Minimum cost of each history'),
    canPickMany: true,
    ignoreFocusOut,
  });
  return picked && picked.length > 0 ? picked.map(({ history }) => history) : undefined;
}

/** Says what a download costs before it starts. */
export function confirmDownload(
  profile: Profile,
  { cost }: DownloadPlan,
  display: Display,
): Promise<boolean> {
  const { t } = vscode.l10n;
  const detail = t(
    'It takes at least {0}. Full pages take more. Other requests go first. You can pause it; it continues when the account is open, also after a reload.',
    costText(cost, display),
  );
  const question = t('Download the history of {0}?', accountLabel(profile));
  return confirm(question, detail, t('Download'));
}

export function confirmDeletion(profile: Profile): Promise<boolean> {
  const { t } = vscode.l10n;
  const detail = t(
    'Rows that the exchange no longer lists are lost with it. “Margin Desk: Back Up Ledger…” keeps a copy.',
  );
  const question = t('Delete the local ledger of {0}?', accountLabel(profile));
  return confirm(question, detail, t('Delete'));
}

export function confirmRestore(profile: Profile): Promise<boolean> {
  const { t } = vscode.l10n;
  const detail = t(
    'The present ledger of this account is deleted. A damaged file that was set aside stays.',
  );
  const question = t('Replace the ledger of {0} with the backup?', accountLabel(profile));
  return confirm(question, detail, t('Replace'));
}

/** The exchange cannot say whose ledger it is. */
export function confirmUncompared(profile: Profile): Promise<boolean> {
  const { t } = vscode.l10n;
  const detail = t(
    'The exchange lists none of its newest rows, so they cannot be compared. It may have dropped them, or the ledger may be of another account.',
  );
  const question = t('Is this ledger of {0}?', accountLabel(profile));
  return confirm(question, detail, t('Show This Ledger'));
}

/** New rows and figures are not stored, and the user can put that right. */
export function showNotCurrent(profile: Profile, problem: LedgerError): void {
  const { t } = vscode.l10n;
  const text = t('The ledger of {0} is not kept current.', accountLabel(profile));
  void vscode.window.showWarningMessage(`${text} ${ledgerErrorText(problem)}`);
}

export function otherAccountError(): UserFacingError {
  return new UserFacingError(
    vscode.l10n.t(
      'The exchange does not list the newest rows of the ledger for these credentials: it belongs to another account and is not shown.',
    ),
  );
}
