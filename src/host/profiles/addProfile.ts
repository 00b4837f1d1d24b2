import * as vscode from 'vscode';
import { environmentLabel } from '../../account/session/profile.ts';
import {
  presetScheme,
  type AuthScheme,
  type CredentialField,
  type SchemeName,
  schemeNames,
} from '../../exchange/auth/scheme.ts';
import { credentialFields } from '../../exchange/auth/signingSpec.ts';
import { parseBaseUrl } from '../../exchange/http/baseUrl.ts';
import { multiStepInput, type Answers, type InputStep } from '../shared/multiStepInput.ts';
import { untrustedText } from '../text/messageText.ts';
import { authToWrite, chosenScheme, authenticationTexts } from './authSchema.ts';
import { credentialStep, storeCredentials } from './credentials.ts';
import { openProfile, type ProfileContext } from './openProfile.ts';
import {
  baseUrlProblem,
  parseProfile,
  proposeName,
  nameProblem,
  newNameProblem,
} from './parseProfile.ts';
import {
  openProfileSettings,
  profileEntries,
  writeProfile,
  findProfile,
} from './profileSettings.ts';
import { testProfile } from './testConnection.ts';

type ProfileField = 'baseUrl' | 'scheme' | 'name' | 'environment' | 'readOnly';
type Field = ProfileField | CredentialField;

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
  const title = vscode.l10n.t('Add Profile');
  const scheme = chosenScheme(answers.scheme);
  const auth = schemeToAskFor(scheme);
  return [
    baseUrlStep(title),
    authenticationStep(title, scheme),
    ...credentialFields(auth).map((field) => credentialStep(field, title, auth)),
    nameStep(title, vscode.l10n.t('The name of the profile'), proposedName(answers.baseUrl)),
    environmentStep(title, 'live'),
    accessStep(title),
  ];
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
  { credentialStore }: ProfileContext,
): Promise<void> {
  const { baseUrl = '', environment, readOnly } = answers;
  const scheme = chosenScheme(answers.scheme);
  const profile = {
    baseUrl: parseBaseUrl(baseUrl),
    environment,
    readOnly: readOnly !== 'false',
    auth: authToWrite(scheme),
  };
  await writeProfile(name, profile);
  const fields = credentialFields(schemeToAskFor(scheme));
  const credentials = Object.fromEntries(fields.map((field) => [field, answers[field] ?? '']));
  if (fields.length > 0)
    await storeCredentials(parseProfile(name, profile), credentials, credentialStore);
}

async function askToOpen(name: string, { environment }: Answers<Field>): Promise<boolean> {
  const open = vscode.l10n.t('Open Account');
  const message = vscode.l10n.t(
    '“{0}” was added as a {1} account. Define its authentication in settings.json under auth.custom and save the file. Then open the account to enter its credentials.',
    untrustedText(name),
    environmentLabel({ environment: environment === 'test' ? 'test' : 'live' }),
  );
  return (await vscode.window.showInformationMessage(message, open)) === open;
}

/* The steps that ask for one field of a profile. */

export function baseUrlStep(title: string, value = ''): InputStep<'baseUrl'> {
  return {
    name: 'baseUrl',
    title: vscode.l10n.t('{0}: Base URL', title),
    prompt: vscode.l10n.t('API base URL, without /api/v1'),
    placeholder: 'https://host/prefix',
    value,
    validate: baseUrlProblem,
  };
}

/** `value` is a scheme. */
export function authenticationStep(title: string, value: SchemeName): InputStep<'scheme'> {
  return {
    name: 'scheme',
    title: vscode.l10n.t('{0}: Authentication', title),
    placeholder: vscode.l10n.t('Authentication method (see the API documentation of the exchange)'),
    value,
    items: schemeNames.map((scheme) => ({ value: scheme, ...authenticationTexts(scheme) })),
  };
}

/** `currentName` is the name of an existing profile, which may stay. */
export function nameStep(
  title: string,
  prompt: string,
  value: string,
  currentName?: string,
): InputStep<'name'> {
  return {
    name: 'name',
    title: vscode.l10n.t('{0}: Name', title),
    prompt,
    value,
    validate: (name) => chosenNameProblem(name, currentName),
  };
}

function chosenNameProblem(name: string, currentName: string | undefined): string | undefined {
  if (name === currentName) return nameProblem(name);
  if (findProfile(name)) return vscode.l10n.t('Another profile has this name. Choose another.');
  return newNameProblem(name);
}

/** `value` is an environment of the settings. */
export function environmentStep(title: string, value: string): InputStep<'environment'> {
  return {
    name: 'environment',
    title: vscode.l10n.t('{0}: Environment', title),
    placeholder: vscode.l10n.t('Is there real money in this account?'),
    value,
    items: [
      {
        value: 'live',
        label: environmentLabel({ environment: 'live' }),
        description: vscode.l10n.t('real money'),
      },
      {
        value: 'test',
        label: environmentLabel({ environment: 'test' }),
        description: vscode.l10n.t('test system of an exchange'),
      },
    ],
  };
}

export function accessLabel(readOnly: boolean): string {
  return readOnly ? vscode.l10n.t('Read-only') : vscode.l10n.t('Allow Cancel All Orders');
}

/** Asks whether orders can be cancelled. Nothing is preselected without a `value`, `true` for read-only. */
export function accessStep(title: string, value?: string): InputStep<'readOnly'> {
  return {
    name: 'readOnly',
    title: vscode.l10n.t('{0}: Access', title),
    placeholder: vscode.l10n.t('What may Margin Desk do with this account?'),
    ...(value === undefined ? {} : { value }),
    items: [
      {
        value: 'true',
        label: accessLabel(true),
        detail: vscode.l10n.t('Nothing is ever changed: orders cannot be cancelled.'),
      },
      {
        value: 'false',
        label: accessLabel(false),
        detail: vscode.l10n.t('You can cancel all open orders, after a confirmation each time.'),
      },
    ],
  };
}
