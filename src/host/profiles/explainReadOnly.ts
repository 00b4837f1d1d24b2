import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { commands } from '../shared/contributions.ts';
import { untrustedText } from '../text/messageText.ts';

/** Says what Margin Desk never does for a read-only profile, and offers to edit it. */
export async function explainReadOnly(active: ActiveAccount): Promise<void> {
  const { profile } = await active.session();
  if (!profile.readOnly) return;
  const { t } = vscode.l10n;
  const edit = t('Edit Profile');
  const chosen = await vscode.window.showInformationMessage(
    t(
      '“{0}” is a read-only profile: Margin Desk sends nothing but reads. To allow Cancel All Open Orders, edit its access.',
      untrustedText(profile.name),
    ),
    edit,
  );
  if (chosen === edit) await vscode.commands.executeCommand(commands.editProfile);
}
