import * as vscode from 'vscode';
import { environmentLabel, type Profile } from '../../account/session/profile.ts';
import { UserFacingError } from '../../base/errors.ts';
import { parseBaseUrl } from '../../exchange/http/baseUrl.ts';
import { multiStepInput } from '../multiStepInput.ts';
import { untrustedText } from '../text/messageText.ts';
import { authToWrite } from './authSchema.ts';
import type { CredentialStore } from './credentialStore.ts';
import type { ProfileContext } from './openProfile.ts';
import { nameProblem, newNameProblem } from './profileName.ts';
import {
  quickPickLabel,
  chosenScheme,
  schemeStep,
  baseUrlStep,
  pickProfile,
} from './profileQuestions.ts';
import {
  findProfile,
  replaceDefaultProfile,
  writeProfile,
  rawProfile,
  openProfileSettings,
  type RawProfile,
} from './profileSettings.ts';
import { runSequentially } from './runSequentially.ts';

/** Renames a profile, its credentials and the open account. Changes nothing if the settings cannot be written. */
async function renameProfile(context: ProfileContext, { name: from }: Profile): Promise<void> {
  const question = {
    name: 'name',
    title: vscode.l10n.t('Edit Profile: Name'),
    prompt: vscode.l10n.t('The credentials are kept.'),
    value: from,
    validate: (text: string) => renameProblem(text, from),
  };
  const { name: to } = (await multiStepInput(() => [question])) ?? {};
  if (to !== undefined && to !== from) await applyRename(context, from, to);
}

async function applyRename(
  { connection, credentialStore }: ProfileContext,
  from: string,
  to: string,
): Promise<void> {
  await connection.withoutReopening(async () => {
    await writeProfile(to, rawProfile(from) ?? {}, from);
    await runSequentially([
      () => moveCredentials(credentialStore, from, to),
      () => replaceDefaultProfile(from, to),
      async () => {
        if (connection.profileName === from) await connection.open(to);
      },
    ]);
  });
}

async function moveCredentials(store: CredentialStore, from: string, to: string): Promise<void> {
  if (await store.rename(from, to)) return;
  const message = vscode.l10n.t(
    'The credentials of “{0}” could not be moved to “{1}”. Enter them again with “Margin Desk: Set Credentials”.',
    untrustedText(from),
    untrustedText(to),
  );
  throw new UserFacingError(message, { suggestedAction: 'setCredentials' });
}

function renameProblem(name: string, currentName: string): string | undefined {
  if (name === currentName) return nameProblem(name);
  if (findProfile(name)) return vscode.l10n.t('Another profile has this name. Choose another.');
  return newNameProblem(name);
}

/** A field that can be edited with an input. */
export type EditableField = {
  readonly label: string;
  readonly currentValue: (profile: Profile) => string;
  readonly edit: (context: ProfileContext, profile: Profile) => Promise<void>;
};

export function editableFields(): readonly EditableField[] {
  const name: EditableField = {
    label: vscode.l10n.t('Name'),
    currentValue: (profile) => quickPickLabel(profile.name),
    edit: renameProfile,
  };
  const baseUrl: EditableField = {
    label: vscode.l10n.t('Base URL'),
    currentValue: (profile) => quickPickLabel(profile.baseUrl),
    edit: (_context, profile) => changeBaseUrl(profile),
  };
  return [name, baseUrl, environmentField(), readOnlyField(), schemeField()];
}

function environmentField(): EditableField {
  return {
    label: vscode.l10n.t('Environment'),
    currentValue: environmentLabel,
    edit: async (_context, profile) => {
      const environment = await pickValue(vscode.l10n.t('Environment'), [
        ['live', vscode.l10n.t('real money')],
        ['test', vscode.l10n.t('test system of an exchange')],
      ]);
      if (environment !== undefined) await changeProfile(profile, { environment });
    },
  };
}

function readOnlyField(): EditableField {
  return {
    label: vscode.l10n.t('Read-only'),
    currentValue: ({ readOnly }) => String(readOnly),
    edit: async (_context, profile) => {
      const chosen = await pickValue(vscode.l10n.t('Read-only'), [
        ['true', vscode.l10n.t('orders cannot be cancelled')],
        ['false', vscode.l10n.t('orders can be cancelled')],
      ]);
      if (chosen !== undefined) await changeProfile(profile, { readOnly: chosen === 'true' });
    },
  };
}

function schemeField(): EditableField {
  return {
    label: vscode.l10n.t('Scheme'),
    currentValue: ({ auth }) => auth.scheme,
    edit: (_context, profile) => changeScheme(profile),
  };
}

async function changeScheme(profile: Profile): Promise<void> {
  const question = schemeStep(vscode.l10n.t('Edit Profile'), profile.auth.scheme);
  const answers = await multiStepInput(() => [question]);
  if (!answers) return;
  const scheme = chosenScheme(answers.scheme);
  const current = rawProfile(profile.name)?.auth;
  await changeProfile(profile, { auth: authToWrite(scheme, current) });
  if (scheme === 'custom') await openProfileSettings(profile.name);
}

async function changeBaseUrl(profile: Profile): Promise<void> {
  const question = baseUrlStep(vscode.l10n.t('Edit Profile'), profile.baseUrl);
  const { baseUrl } = (await multiStepInput(() => [question])) ?? {};
  if (baseUrl !== undefined) await changeProfile(profile, { baseUrl: parseBaseUrl(baseUrl) });
}

async function changeProfile({ name }: Profile, fields: RawProfile): Promise<void> {
  await writeProfile(name, { ...rawProfile(name), ...fields });
}

async function pickValue(
  title: string,
  choices: readonly (readonly [value: string, meaning: string])[],
): Promise<string | undefined> {
  const items = choices.map(([label, description]) => ({ label, description }));
  return (await vscode.window.showQuickPick(items, { title }))?.label;
}

/**
 * Changes one field of a profile: common ones with an input, all others in settings.json. An invalid
 * profile opens there at once.
 */
export async function editProfile(context: ProfileContext): Promise<void> {
  const title = vscode.l10n.t('Edit Profile');
  const entry = await pickProfile(title, context.connection.profileName);
  if (!entry) return;
  if (entry.kind === 'bad') return openProfileSettings(entry.name);
  const field = await pickField(entry.profile);
  if (field === 'file') return openProfileSettings(entry.name);
  await field?.edit(context, entry.profile);
}

async function pickField(profile: Profile): Promise<EditableField | 'file' | undefined> {
  const fields = editableFields().map((field) => ({
    label: field.label,
    description: field.currentValue(profile),
    field,
  }));
  const file = { label: vscode.l10n.t('Edit in settings.json…'), field: 'file' as const };
  const picked = await vscode.window.showQuickPick([...fields, file], {
    title: vscode.l10n.t('Edit Profile'),
  });
  return picked?.field;
}
