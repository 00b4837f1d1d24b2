import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { originOf, type Profile } from '../../account/session/profile.ts';
import { escapeInvisible } from '../../base/cleanText.ts';
import { runSequentially, UserFacingError } from '../../base/errors.ts';
import { confirm } from '../shared/confirm.ts';
import { commands } from '../shared/contributions.ts';
import { multiStepInput } from '../shared/multiStepInput.ts';
import { untrustedText } from '../text/messageText.ts';
import type { CredentialStore } from './credentialStore.ts';
import { type ProfileContext, replaceCredentials } from './openProfile.ts';
import { fieldStep, fieldText, profileFields, type ProfileFieldName } from './profileFields.ts';
import {
  pickProfile,
  quickPickLabel,
  replaceDefaultProfile,
  writeProfile,
  rawProfile,
  openProfileSettings,
  deleteProfileSetting,
  findProfile,
  profileEntries,
} from './profileSettings.ts';
import { t } from '../shared/translate.ts';

/** Renames a profile, its credentials and the open account. Changes nothing if the settings cannot be written. */
async function rename(
  { connection, reports, profileLedgers }: ProfileContext,
  from: string,
  to: string,
): Promise<void> {
  if (to === from) return;
  await connection.withoutReopening(async () => {
    await writeProfile(to, rawProfile(from) ?? {}, from);
    reports.rename(from, to);
    await runSequentially([
      () => moveCredentials(connection.credentialStore, from, to),
      () => profileLedgers.links.rename(from, to),
      () => replaceDefaultProfile(from, to),
      async () => {
        if (connection.profileName === from) await connection.open(to);
      },
    ]);
  });
}

async function moveCredentials(store: CredentialStore, from: string, to: string): Promise<void> {
  if (await store.rename(from, to)) return;
  const message = t(
    'The credentials of “{0}” could not be moved to “{1}”. Enter them again with “Margin Desk: Edit Profile…”.',
    untrustedText(from),
    untrustedText(to),
  );
  throw new UserFacingError(message, { suggestedAction: 'setCredentials' });
}

/** What can be edited of a profile: a field with its current value, or a further question. */
type ProfileEdit = vscode.QuickPickItem & { readonly edit: () => Promise<void> };

function fieldEdits(context: ProfileContext, profile: Profile, title: string): ProfileEdit[] {
  const fields = profileFields(profile.name);
  return (Object.keys(fields) as ProfileFieldName[]).map((name) => ({
    label: fields[name].label,
    description: quickPickLabel(fieldText(fields[name], profile)),
    edit: async () => {
      const step = fieldStep(name, title, fields[name], fields[name].valueOf(profile));
      const answer = (await multiStepInput(() => [step]))?.[name];
      if (answer !== undefined) await change(context, profile.name, name, answer);
    },
  }));
}

async function change(
  context: ProfileContext,
  name: string,
  field: ProfileFieldName,
  answer: string,
): Promise<void> {
  if (field === 'name') return rename(context, name, answer);
  const written = rawProfile(name) ?? {};
  await writeProfile(name, { ...written, ...profileFields()[field].settings(answer, written) });
  if (field === 'scheme' && answer === 'custom') await openProfileSettings(name);
}

/**
 * Changes one field of a profile: common ones with an input, all others in settings.json. An invalid
 * profile opens there at once. Without a profile, credentials that profiles left behind can be cleared.
 */
export async function editProfile(context: ProfileContext): Promise<void> {
  const title = t('Edit Profile');
  const { connection } = context;
  if (profileEntries().length === 0 && (await connection.credentialStore.names()).length > 0)
    return clearCredentials(context);
  const entry = await pickProfile(title, connection.profileName);
  if (!entry) return;
  if (entry.kind === 'bad') return openProfileSettings(entry.name);
  const { profile } = entry;
  const fields: readonly ProfileEdit[] = [
    ...fieldEdits(context, profile, title),
    { label: t('Set Credentials…'), edit: () => replaceCredentials(context, profile) },
    { label: t('Clear Credentials…'), edit: () => clearCredentials(context) },
    { label: t('Edit in settings.json…'), edit: () => openProfileSettings(profile.name) },
  ];
  await (await vscode.window.showQuickPick(fields, { title }))?.edit();
}

/** Says what Margin Desk never does for a read-only profile, and offers to edit it. */
export async function explainReadOnly(active: ActiveAccount): Promise<void> {
  const { profile } = await active.session();
  if (!profile.readOnly) return;
  const edit = t('Edit Profile…');
  const chosen = await vscode.window.showInformationMessage(
    t(
      '“{0}” is a read-only profile: Margin Desk sends nothing but reads. To allow Cancel All Open Orders, edit its access.',
      untrustedText(profile.name),
    ),
    edit,
  );
  if (chosen === edit) await vscode.commands.executeCommand(commands.editProfile);
}

/** Deletes a profile, its credentials, its ledgers and the rows of its unfinished exports, and closes its account. */
export async function removeProfile(context: ProfileContext): Promise<void> {
  const title = t('Remove Profile');
  const entry = await pickProfile(title, context.connection.profileName);
  if (!entry) return;
  const hasLedger = context.profileLedgers.links.of(entry.name).length > 0;
  if (!(await confirmRemoval(entry.name, hasLedger))) return;
  await removeEverywhere(context, entry.name);
  void vscode.window.showInformationMessage(
    t('“{0}” and its credentials were removed.', untrustedText(escapeInvisible(entry.name))),
  );
}

/** Changes nothing if the settings cannot be written. */
async function removeEverywhere(
  { connection, exports, profileLedgers }: ProfileContext,
  name: string,
): Promise<void> {
  await connection.withoutReopening(async () => {
    await deleteProfileSetting(name);
    await runSequentially([
      async () => {
        if (connection.profileName === name) await connection.close();
      },
      () => connection.credentialStore.remove(name),
      () => exports.removeOfProfile(name),
      () => profileLedgers.removeOfProfile(name),
      () => replaceDefaultProfile(name, undefined),
    ]);
  });
}

function confirmRemoval(name: string, hasLedger: boolean): Promise<boolean> {
  const detail = hasLedger
    ? t(
        'Its settings, stored credentials and local ledger are deleted. Orders, positions and the API key stay at the exchange. You can revoke the key there.',
      )
    : t(
        'Its settings and stored credentials are deleted. Orders, positions and the API key stay at the exchange. You can revoke the key there.',
      );
  const question = t('Remove the profile “{0}”?', untrustedText(escapeInvisible(name)));
  return confirm(question, detail, t('Remove'));
}

/** Deletes stored credentials and the rows of their unfinished exports, also for profiles that no longer exist. */
async function clearCredentials(context: ProfileContext): Promise<void> {
  const names = await context.connection.credentialStore.names();
  if (names.length === 0) {
    void vscode.window.showInformationMessage(t('No credentials are stored.'));
    return;
  }
  const picked = await vscode.window.showQuickPick(names.map(storedCredentialItem), {
    title: t('Clear Credentials'),
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
        ? t('the profile is invalid')
        : t('the profile no longer exists');
  return { name, label: quickPickLabel(escapeInvisible(name)), description };
}

function confirmClearing(names: readonly string[]): Promise<boolean> {
  const detail = t('To use these profiles again, you must enter their credentials again.');
  const question = t('Clear the credentials of {0}?', quotedNames(names));
  return confirm(question, detail, t('Clear'));
}

/** Also closes the open account if its credentials were cleared. */
async function clear(
  { connection, exports }: ProfileContext,
  names: readonly string[],
): Promise<void> {
  for (const name of names) await connection.credentialStore.remove(name);
  await runSequentially(names.map((name) => () => exports.removeOfProfile(name)));
  void vscode.window.showInformationMessage(
    t('The credentials of {0} were cleared.', quotedNames(names)),
  );
  const { profileName } = connection;
  if (profileName !== undefined && names.includes(profileName)) await connection.close();
}

function quotedNames(names: readonly string[]): string {
  return untrustedText(names.map((name) => `“${escapeInvisible(name)}”`).join(', '), 300);
}
