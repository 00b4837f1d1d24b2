import * as vscode from 'vscode';
import { environmentLabel, type Profile } from '../../account/session/profile.ts';
import { UserFacingError } from '../../base/errors.ts';
import { parseBaseUrl } from '../../exchange/http/baseUrl.ts';
import { multiStepInput, type InputStep } from '../multiStepInput.ts';
import { untrustedText } from '../text/messageText.ts';
import { authenticationTexts } from './authenticationTexts.ts';
import { authToWrite, chosenScheme } from './authSchema.ts';
import type { CredentialStore } from './credentialStore.ts';
import type { ProfileContext } from './openProfile.ts';
import { pickProfile, quickPickLabel } from './profileQuestions.ts';
import {
  replaceDefaultProfile,
  writeProfile,
  rawProfile,
  openProfileSettings,
  type RawProfile,
  runSequentially,
} from './profileSettings.ts';
import {
  accessLabel,
  accessStep,
  authenticationStep,
  baseUrlStep,
  environmentStep,
  nameStep,
} from './profileSteps.ts';

async function applyRename(
  { connection, credentialStore, reports, ledgerLinks }: ProfileContext,
  from: string,
  to: string,
): Promise<void> {
  await connection.withoutReopening(async () => {
    await writeProfile(to, rawProfile(from) ?? {}, from);
    reports.rename(from, to);
    await runSequentially([
      () => moveCredentials(credentialStore, from, to),
      () => ledgerLinks.rename(from, to),
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

/** A field that can be edited with an input. */
type EditableField = {
  readonly label: string;
  readonly currentValue: (profile: Profile) => string;
  readonly step: (profile: Profile, title: string) => InputStep;
  readonly apply: (context: ProfileContext, profile: Profile, answer: string) => Promise<void>;
};

function editableFields(): readonly EditableField[] {
  return [nameField(), baseUrlField(), environmentField(), accessField(), authenticationField()];
}

/** Renames a profile, its credentials and the open account. Changes nothing if the settings cannot be written. */
function nameField(): EditableField {
  return {
    label: vscode.l10n.t('Name'),
    currentValue: (profile) => quickPickLabel(profile.name),
    step: ({ name }, title) =>
      nameStep(title, vscode.l10n.t('The credentials are kept.'), name, name),
    apply: async (context, { name: from }, to) => {
      if (to !== from) await applyRename(context, from, to);
    },
  };
}

function baseUrlField(): EditableField {
  return {
    label: vscode.l10n.t('Base URL'),
    currentValue: (profile) => quickPickLabel(profile.baseUrl),
    step: ({ baseUrl }, title) => baseUrlStep(title, baseUrl),
    apply: (_context, profile, baseUrl) =>
      changeProfile(profile, { baseUrl: parseBaseUrl(baseUrl) }),
  };
}

function environmentField(): EditableField {
  return {
    label: vscode.l10n.t('Environment'),
    currentValue: environmentLabel,
    step: ({ environment }, title) => environmentStep(title, environment),
    apply: (_context, profile, environment) => changeProfile(profile, { environment }),
  };
}

function accessField(): EditableField {
  return {
    label: vscode.l10n.t('Access'),
    currentValue: ({ readOnly }) => accessLabel(readOnly),
    step: ({ readOnly }, title) => accessStep(title, String(readOnly)),
    apply: (_context, profile, readOnly) =>
      changeProfile(profile, { readOnly: readOnly === 'true' }),
  };
}

function authenticationField(): EditableField {
  return {
    label: vscode.l10n.t('Authentication'),
    currentValue: ({ auth }) => authenticationTexts(auth.scheme).label,
    step: ({ auth }, title) => authenticationStep(title, auth.scheme),
    apply: async (_context, profile, answer) => {
      const scheme = chosenScheme(answer);
      const current = rawProfile(profile.name)?.auth;
      await changeProfile(profile, { auth: authToWrite(scheme, current) });
      if (scheme === 'custom') await openProfileSettings(profile.name);
    },
  };
}

async function changeProfile({ name }: Profile, fields: RawProfile): Promise<void> {
  await writeProfile(name, { ...rawProfile(name), ...fields });
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
  if (field) await editField(context, entry.profile, field);
}

async function editField(
  context: ProfileContext,
  profile: Profile,
  { step, apply }: EditableField,
): Promise<void> {
  const question = step(profile, vscode.l10n.t('Edit Profile'));
  const answers = await multiStepInput(() => [question]);
  const answer = answers?.[question.name];
  if (answer !== undefined) await apply(context, profile, answer);
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
