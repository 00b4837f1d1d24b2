import * as vscode from 'vscode';
import { originOf } from '../../account/session/profile.ts';
import { escapeInvisible } from '../../base/cleanText.ts';
import { confirm } from '../shared/confirm.ts';
import { untrustedText } from '../text/messageText.ts';
import type { ProfileContext } from './openProfile.ts';
import {
  pickProfile,
  quickPickLabel,
  deleteProfileSetting,
  replaceDefaultProfile,
  findProfile,
  runSequentially,
} from './profileSettings.ts';

/** Deletes a profile, its credentials, its ledgers and the rows of its unfinished exports, and closes its account. */
export async function removeProfile(context: ProfileContext): Promise<void> {
  const title = vscode.l10n.t('Remove Profile');
  const entry = await pickProfile(title, context.connection.profileName);
  if (!entry) return;
  const hasLedger = context.ledgers.links.of(entry.name).length > 0;
  if (!(await confirmRemoval(entry.name, hasLedger))) return;
  await removeEverywhere(context, entry.name);
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      '“{0}” and its credentials were removed.',
      untrustedText(escapeInvisible(entry.name)),
    ),
  );
}

/** Changes nothing if the settings cannot be written. */
async function removeEverywhere(
  { connection, credentialStore, partialExports, ledgers }: ProfileContext,
  name: string,
): Promise<void> {
  await connection.withoutReopening(async () => {
    await deleteProfileSetting(name);
    await runSequentially([
      async () => {
        if (connection.profileName === name) await connection.close();
      },
      () => credentialStore.remove(name),
      () => partialExports.removeOfProfile(name),
      () => ledgers.removeOfProfile(name),
      () => replaceDefaultProfile(name, undefined),
    ]);
  });
}

function confirmRemoval(name: string, hasLedger: boolean): Promise<boolean> {
  const detail = hasLedger
    ? vscode.l10n.t(
        'Its settings, stored credentials and local ledger are deleted. Orders, positions and the API key stay at the exchange. You can revoke the key there.',
      )
    : vscode.l10n.t(
        'Its settings and stored credentials are deleted. Orders, positions and the API key stay at the exchange. You can revoke the key there.',
      );
  const question = vscode.l10n.t('Remove the profile “{0}”?', untrustedText(escapeInvisible(name)));
  return confirm(question, detail, vscode.l10n.t('Remove'));
}

/** Deletes stored credentials and the rows of their unfinished exports, also for profiles that no longer exist. */
export async function clearCredentials(context: ProfileContext): Promise<void> {
  const names = await context.credentialStore.names();
  if (names.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No credentials are stored.'));
    return;
  }
  const picked = await vscode.window.showQuickPick(names.map(storedCredentialItem), {
    title: vscode.l10n.t('Clear Credentials'),
    canPickMany: true,
    matchOnDescription: true,
  });
  if (!picked || picked.length === 0) return;
  const chosen = picked.map(({ name }) => name);
  if (await confirmClearing(chosen)) await clear(context, chosen);
}

function storedCredentialItem(name: string): vscode.QuickPickItem & { readonly name: string } {
  const entry = findProfile(name);
  const description =
    entry?.kind === 'good'
      ? originOf(entry.profile)
      : entry
        ? vscode.l10n.t('the profile is invalid')
        : vscode.l10n.t('the profile no longer exists');
  return { name, label: quickPickLabel(escapeInvisible(name)), description };
}

function confirmClearing(names: readonly string[]): Promise<boolean> {
  const detail = vscode.l10n.t(
    'To use these profiles again, you must enter their credentials again.',
  );
  const question = vscode.l10n.t('Clear the credentials of {0}?', quotedNames(names));
  return confirm(question, detail, vscode.l10n.t('Clear'));
}

/** Also closes the open account if its credentials were cleared. */
async function clear(
  { connection, credentialStore, partialExports }: ProfileContext,
  names: readonly string[],
): Promise<void> {
  for (const name of names) await credentialStore.remove(name);
  await runSequentially(names.map((name) => () => partialExports.removeOfProfile(name)));
  void vscode.window.showInformationMessage(
    vscode.l10n.t('The credentials of {0} were cleared.', quotedNames(names)),
  );
  const { profileName } = connection;
  if (profileName !== undefined && names.includes(profileName)) await connection.close();
}

function quotedNames(names: readonly string[]): string {
  return untrustedText(names.map((name) => `“${escapeInvisible(name)}”`).join(', '), 300);
}
