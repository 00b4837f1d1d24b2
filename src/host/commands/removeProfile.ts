import * as vscode from 'vscode';
import { eachInTurn } from '../profiles/eachInTurn.ts';
import { pickProfile } from '../profiles/pickProfile.ts';
import type { ProfileEnds } from '../profiles/profileDesk.ts';
import { removeWrittenProfile, replaceDefaultProfile } from '../profiles/profileSettings.ts';
import { quoted } from '../words.ts';

/** Deletes a profile's settings, its credentials and what is kept of its exports, and closes its account where it is open. */
export async function removeProfile(desk: ProfileEnds): Promise<void> {
  const title = vscode.l10n.t('Remove Profile');
  const entry = await pickProfile(title, desk.accounts.wantedName);
  if (!entry || !(await confirms(entry.name))) return;
  await remove(desk, entry.name);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('“{0}” and its credentials were removed.', quoted(entry.name)),
  );
}

/** Where the settings cannot be written, nothing changes. */
async function remove({ accounts, store, partials }: ProfileEnds, name: string): Promise<void> {
  await accounts.withoutReopening(async () => {
    await removeWrittenProfile(name);
    await eachInTurn([
      async () => {
        if (accounts.wantedName === name) await accounts.close();
      },
      () => store.remove(name),
      () => partials.removeOf(name),
      () => replaceDefaultProfile(name, undefined),
    ]);
  });
}

async function confirms(name: string): Promise<boolean> {
  const remove = { title: vscode.l10n.t('Remove') };
  const detail = vscode.l10n.t(
    'Its settings and its stored credentials are deleted. What is at the exchange stays: orders, positions and the key itself, which you can revoke there.',
  );
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('Remove the profile “{0}”?', quoted(name)),
    { modal: true, detail },
    remove,
  );
  return chosen === remove;
}
