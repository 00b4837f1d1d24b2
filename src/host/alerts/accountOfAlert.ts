import * as vscode from 'vscode';
import type { AccountSession } from '../../account/session/accountSession.ts';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { commands } from '../shared/contributions.ts';
import { t } from '../shared/translate.ts';
import { accountLabel } from '../text/messageText.ts';

/** A notification outlives its account's session: its buttons must not show or change another account. */
export async function runForAccount(
  { state }: Pick<ActiveAccount, 'state'>,
  { profile, fingerprint }: Pick<AccountSession, 'profile' | 'fingerprint'>,
  run: () => unknown,
): Promise<void> {
  if (state.kind === 'open' && state.session.fingerprint === fingerprint) {
    await run();
    return;
  }
  const text = t('The account of this alert is no longer open: {0}.', accountLabel(profile));
  const change = { title: t('Switch Profile…') };
  const chosen = await vscode.window.showWarningMessage(text, change);
  if (chosen) await vscode.commands.executeCommand(commands.switchProfile);
}
