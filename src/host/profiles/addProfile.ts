import * as vscode from 'vscode';
import type { CredentialField } from '../../exchange/auth/scheme.ts';
import { credentialFields } from '../../exchange/auth/signingSpec.ts';
import { maxProbeWeight } from '../../exchange/conventions/probeSession.ts';
import { parseBaseUrl } from '../../exchange/http/baseUrl.ts';
import { commands } from '../contributions.ts';
import { multiStepInput, type Answers, type InputStep } from '../multiStepInput.ts';
import { untrustedText } from '../text/messageText.ts';
import type { VirtualDocuments } from '../virtualDocuments.ts';
import { defaultScheme, authToWrite } from './authSchema.ts';
import { credentialStep, storeCredentials } from './enterCredentials.ts';
import { openProfile, type ProfileContext } from './openProfile.ts';
import { parseProfile } from './parseProfile.ts';
import { proposeName } from './profileName.ts';
import { chosenScheme, schemeStep, baseUrlStep } from './profileQuestions.ts';
import { openProfileSettings, profileEntries, writeProfile } from './profileSettings.ts';
import { testProfile } from './testConnection.ts';

type Field = 'baseUrl' | 'scheme' | CredentialField;

/**
 * Asks for the base URL, the scheme and its credentials, then writes a profile named after the host and
 * opens it. A custom scheme is first written in settings.json. Cancelling leaves nothing behind.
 */
export async function addProfile(
  context: ProfileContext,
  documents: VirtualDocuments,
): Promise<void> {
  const answers = await multiStepInput(stepsAfter);
  if (!answers) return;
  const name = await writeNewProfile(answers, context);
  if (chosenScheme(answers.scheme) === 'custom') {
    await openProfileSettings(name);
    if (!(await askToOpen(name))) return;
  }
  if (await openProfile(context, name)) await offerToTest(name, context, documents);
}

function stepsAfter(answers: Answers<Field>): readonly InputStep<Field>[] {
  const title = vscode.l10n.t('Add Profile');
  const scheme = chosenScheme(answers.scheme);
  const auth = defaultScheme(scheme);
  const fields = scheme === 'custom' ? [] : credentialFields(auth);
  return [
    baseUrlStep(title),
    schemeStep(title, scheme),
    ...fields.map((field) => credentialStep(field, title, auth)),
  ];
}

/** Writes the profile, stores its credentials and returns its name. */
async function writeNewProfile(
  answers: Answers<Field>,
  { credentialStore }: ProfileContext,
): Promise<string> {
  const { baseUrl: url = '', scheme, ...credentials } = answers;
  const baseUrl = parseBaseUrl(url);
  const taken = profileEntries().map((entry) => entry.name);
  const name = proposeName(baseUrl, taken);
  const profile = { baseUrl, environment: 'live', auth: authToWrite(chosenScheme(scheme)) };
  await writeProfile(name, profile);
  if (Object.keys(credentials).length > 0)
    await storeCredentials(parseProfile(name, profile), credentials, credentialStore);
  return name;
}

async function askToOpen(name: string): Promise<boolean> {
  const open = vscode.l10n.t('Open Account');
  const message = vscode.l10n.t(
    '“{0}” was added as a LIVE account. Define its authentication in settings.json under auth.custom and save the file. Then open the account to enter its credentials.',
    untrustedText(name),
  );
  return (await vscode.window.showInformationMessage(message, open)) === open;
}

async function offerToTest(
  name: string,
  context: ProfileContext,
  documents: VirtualDocuments,
): Promise<void> {
  const test = vscode.l10n.t('Test Connection');
  const edit = vscode.l10n.t('Edit Profile');
  const message = vscode.l10n.t(
    '“{0}” was added as a LIVE account. Test the connection? This detects the API conventions and uses up to {1} API weight.',
    untrustedText(name),
    context.display.current.count(maxProbeWeight),
  );
  const chosen = await vscode.window.showInformationMessage(message, test, edit);
  if (chosen === test) await testProfile(context, name, documents);
  if (chosen === edit) await vscode.commands.executeCommand(commands.editProfile);
}
