import * as vscode from 'vscode';
import { credentialFields } from '../../exchange/auth/recipes.ts';
import type { CredentialField } from '../../exchange/auth/scheme.ts';
import { parseBaseUrl } from '../../exchange/baseUrl.ts';
import { mostProbeWeight } from '../../exchange/dialect/inquiry.ts';
import { commands } from '../contributions.ts';
import type { Documents } from '../documents.ts';
import { askInTurn, type Answers, type Question } from '../profiles/askInTurn.ts';
import { usualScheme, writtenAuth } from '../profiles/authSchema.ts';
import { credentialQuestion, storeCredentials } from '../profiles/enterCredentials.ts';
import { openProfile } from '../profiles/openProfile.ts';
import { openProfileSettings } from '../profiles/openProfileSettings.ts';
import { parseProfile } from '../profiles/parseProfile.ts';
import type { ProfileDesk } from '../profiles/profileDesk.ts';
import { proposeName } from '../profiles/profileName.ts';
import { profileEntries, writeProfile } from '../profiles/profileSettings.ts';
import { chosenScheme, schemeQuestion } from '../profiles/schemeQuestion.ts';
import { urlQuestion } from '../profiles/urlQuestion.ts';
import { quoted } from '../words.ts';
import { testProfile } from './testConnection.ts';

type Field = 'baseUrl' | 'scheme' | CredentialField;

/**
 * Address, scheme, what that scheme needs: then the profile stands in the person's settings under the
 * host's name, with defaults for the rest, and is open. A custom scheme is first written in
 * settings.json. Giving up on the way leaves nothing behind.
 */
export async function addProfile(desk: ProfileDesk, documents: Documents): Promise<void> {
  const answers = await askInTurn(questionsAfter);
  if (!answers) return;
  const name = await write(answers, desk);
  if (chosenScheme(answers.scheme) === 'custom') {
    await openProfileSettings(name);
    if (!(await isToBeOpened(name))) return;
  }
  if (await openProfile(desk, name)) await offerToTest(name, desk, documents);
}

/** The usual scheme is expected until another is chosen. */
function questionsAfter(answers: Answers<Field>): readonly Question<Field>[] {
  const title = vscode.l10n.t('Add Profile');
  const scheme = chosenScheme(answers.scheme);
  const auth = usualScheme(scheme);
  const fields = scheme === 'custom' ? [] : credentialFields(auth);
  return [
    urlQuestion(title),
    schemeQuestion(title, scheme),
    ...fields.map((field) => credentialQuestion(field, title, auth)),
  ];
}

/** Writes the profile and stores its credentials; gives its name. */
async function write(answers: Answers<Field>, { store }: ProfileDesk): Promise<string> {
  const { baseUrl: url = '', scheme, ...credentials } = answers;
  const baseUrl = parseBaseUrl(url);
  const taken = profileEntries().map((entry) => entry.name);
  const name = proposeName(baseUrl, taken);
  const written = { baseUrl, environment: 'live', auth: writtenAuth(chosenScheme(scheme)) };
  await writeProfile(name, written);
  if (Object.keys(credentials).length > 0)
    await storeCredentials(parseProfile(name, written), credentials, store);
  return name;
}

async function isToBeOpened(name: string): Promise<boolean> {
  const open = vscode.l10n.t('Open Account');
  const sentence = vscode.l10n.t(
    '“{0}” was added as a LIVE account and is not open yet. Write in settings.json, under auth.custom, how the exchange authenticates, and save it; then open the account: it asks for its credentials.',
    quoted(name),
  );
  return (await vscode.window.showInformationMessage(sentence, open)) === open;
}

async function offerToTest(name: string, desk: ProfileDesk, documents: Documents): Promise<void> {
  const test = vscode.l10n.t('Test Connection');
  const edit = vscode.l10n.t('Edit Profile');
  const sentence = vscode.l10n.t(
    '“{0}” was added as a LIVE account. Test its connection to find out how the exchange wants to be asked, for at most {1} of the limit’s weight; edit it to change its name, environment or scheme, or to make it read-only.',
    quoted(name),
    desk.display.current.count(mostProbeWeight),
  );
  const chosen = await vscode.window.showInformationMessage(sentence, test, edit);
  if (chosen === test) await testProfile(desk, name, documents);
  if (chosen === edit) await vscode.commands.executeCommand(commands.editProfile);
}
