import * as vscode from 'vscode';
import { environmentLabel } from '../../account/session/profile.ts';
import { credentialFields, type CredentialField } from '../../exchange/auth/credentials.ts';
import { presetScheme, type AuthScheme, type SchemeName } from '../../exchange/auth/scheme.ts';
import { parseBaseUrl } from '../../exchange/http/baseUrl.ts';
import { multiStepInput, type Answers, type InputStep } from '../shared/multiStepInput.ts';
import { untrustedText } from '../text/messageText.ts';
import { credentialSteps, storeCredentials } from './credentials.ts';
import { openProfile, type ProfileContext } from './openProfile.ts';
import { parseProfile, proposeName } from './parseProfile.ts';
import { fieldStep, profileFields, type ProfileFieldName } from './profileFields.ts';
import { chosenScheme } from './profileSchema.ts';
import {
  openProfileSettings,
  profileEntries,
  writeProfile,
  type RawProfile,
} from './profileSettings.ts';
import { testProfile } from './testConnection.ts';
import { t } from '../shared/translate.ts';

type Field = ProfileFieldName | CredentialField;

/**
 * Asks for a profile and its credentials, writes both, opens the account and tests the connection. A
 * custom scheme is first written in settings.json. Cancelling leaves nothing behind.
 */
export async function addProfile(context: ProfileContext): Promise<void> {
  const answers = await multiStepInput(stepsAfter);
  if (!answers) return;
  const { name = '' } = answers;
  await writeNewProfile(name, answers, context);
  if (chosenScheme(answers.scheme) === 'custom') {
    await openProfileSettings(name);
    if (!(await askToOpen(name, answers))) return;
  }
  if (await openProfile(context, name)) await testProfile(context, name);
}

function stepsAfter(answers: Answers<Field>): readonly InputStep<Field>[] {
  const title = t('Add Profile');
  const scheme = chosenScheme(answers.scheme);
  const fields = profileFields();
  // In the order of the steps.
  const proposals: Readonly<Record<ProfileFieldName, string | undefined>> = {
    baseUrl: undefined,
    scheme,
    name: proposedName(answers.baseUrl),
    environment: 'live',
    readOnly: undefined,
  };
  return namesOf(proposals).flatMap((name): readonly InputStep<Field>[] => {
    const step = fieldStep(name, title, fields[name], proposals[name]);
    return name === 'scheme' ? [step, ...credentialSteps(schemeToAskFor(scheme), title)] : [step];
  });
}

function namesOf(fields: Readonly<Record<ProfileFieldName, unknown>>): readonly ProfileFieldName[] {
  return Object.keys(fields) as readonly ProfileFieldName[];
}

/** A custom scheme asks for its credentials when it is opened. */
function schemeToAskFor(scheme: SchemeName): AuthScheme {
  return presetScheme(scheme === 'custom' ? 'none' : scheme);
}

function proposedName(baseUrl: string | undefined): string {
  if (baseUrl === undefined) return '';
  const taken = profileEntries().map((entry) => entry.name);
  return proposeName(parseBaseUrl(baseUrl), taken);
}

/** Writes the profile and stores its credentials. */
async function writeNewProfile(
  name: string,
  answers: Answers<Field>,
  { connection }: ProfileContext,
): Promise<void> {
  const profile = profileOf(answers);
  await writeProfile(name, profile);
  const fields = credentialFields(schemeToAskFor(chosenScheme(answers.scheme)));
  const credentials = Object.fromEntries(fields.map((field) => [field, answers[field] ?? '']));
  if (fields.length > 0)
    await storeCredentials(parseProfile(name, profile), credentials, connection.credentialStore);
}

function profileOf(answers: Answers<Field>): RawProfile {
  const fields = profileFields();
  return Object.fromEntries(
    namesOf(fields).flatMap((name) => Object.entries(fields[name].settings(answers[name]))),
  );
}

async function askToOpen(name: string, { environment }: Answers<Field>): Promise<boolean> {
  const open = t('Open Account');
  const message = t(
    '“{0}” was added as a {1} account. Define its authentication in settings.json under auth.custom and save the file. Then open the account to enter its credentials.',
    untrustedText(name),
    environmentLabel({ environment: environment === 'test' ? 'test' : 'live' }),
  );
  return (await vscode.window.showInformationMessage(message, open)) === open;
}
