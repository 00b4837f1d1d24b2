import * as vscode from 'vscode';
import { originOf } from '../../account/profile.ts';
import { eachInTurn } from '../profiles/eachInTurn.ts';
import { plainLabel } from '../profiles/pickProfile.ts';
import type { ProfileEnds } from '../profiles/profileDesk.ts';
import { findProfile } from '../profiles/profileSettings.ts';
import { quoted } from '../words.ts';

/** Deletes stored credentials and what is kept of exports with them, also those whose profile is gone. */
export async function clearCredentials(desk: ProfileEnds): Promise<void> {
  const names = await desk.store.names();
  if (names.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No credentials are stored.'));
    return;
  }
  const picked = await vscode.window.showQuickPick(names.map(itemFor), {
    title: vscode.l10n.t('Clear Credentials'),
    canPickMany: true,
    matchOnDescription: true,
  });
  if (!picked || picked.length === 0) return;
  const chosen = picked.map(({ name }) => name);
  if (await confirms(chosen)) await clear(desk, chosen);
}

function itemFor(name: string): vscode.QuickPickItem & { readonly name: string } {
  const entry = findProfile(name);
  const description =
    entry?.kind === 'good'
      ? originOf(entry.profile)
      : entry
        ? vscode.l10n.t('the profile cannot be used')
        : vscode.l10n.t('no profile has this name any more');
  return { name, label: plainLabel(name), description };
}

async function confirms(names: readonly string[]): Promise<boolean> {
  const clear = { title: vscode.l10n.t('Clear') };
  const detail = vscode.l10n.t('To use such a profile again you have to enter them again.');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('Clear the credentials of {0}?', joined(names)),
    { modal: true, detail },
    clear,
  );
  return chosen === clear;
}

/** The account of this window does not go on with a key that was cleared. */
async function clear(
  { accounts, store, partials }: ProfileEnds,
  names: readonly string[],
): Promise<void> {
  for (const name of names) await store.remove(name);
  await eachInTurn(names.map((name) => () => partials.removeOf(name)));
  void vscode.window.showInformationMessage(
    vscode.l10n.t('The credentials of {0} were cleared.', joined(names)),
  );
  const { wantedName } = accounts;
  if (wantedName !== undefined && names.includes(wantedName)) await accounts.close();
}

function joined(names: readonly string[]): string {
  return quoted(names.map((name) => `“${name}”`).join(', '), 300);
}
