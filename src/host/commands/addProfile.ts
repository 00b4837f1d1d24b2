import * as vscode from 'vscode';
import { parseBaseUrl } from '../../exchange/baseUrl.ts';
import { commands, views } from '../contributions.ts';
import { askInTurn } from '../profiles/askInTurn.ts';
import { credentialQuestion, storeCredentials } from '../profiles/enterCredentials.ts';
import { parseProfile } from '../profiles/parseProfile.ts';
import type { ProfileDesk } from '../profiles/profileDesk.ts';
import { proposeName } from '../profiles/profileName.ts';
import { profileEntries, writeProfile } from '../profiles/profileSettings.ts';
import { urlQuestion } from '../profiles/urlQuestion.ts';
import { quoted } from '../words.ts';

/**
 * Address, key, secret: then the profile stands in the person's settings under the host's name, with
 * defaults for the rest, and is open. Giving up on the way leaves nothing behind.
 */
export async function addProfile({ accounts, store }: ProfileDesk): Promise<void> {
  const title = vscode.l10n.t('Add Profile');
  const answers = await askInTurn([
    urlQuestion(title),
    credentialQuestion('apiKey', title),
    credentialQuestion('apiSecret', title),
  ]);
  if (!answers) return;
  const [url = '', apiKey = '', apiSecret = ''] = answers;
  const baseUrl = parseBaseUrl(url);
  const name = proposeName(
    baseUrl,
    profileEntries().map((entry) => entry.name),
  );
  const written = { baseUrl, environment: 'live' };
  await writeProfile(name, written);
  await storeCredentials(parseProfile(name, written), { apiKey, apiSecret }, store);
  await accounts.open(name);
  await vscode.commands.executeCommand(`${views.positions}.focus`);
  void offerToEdit(name);
}

async function offerToEdit(name: string): Promise<void> {
  const edit = vscode.l10n.t('Edit Profile');
  const sentence = vscode.l10n.t(
    '“{0}” was added as a LIVE account. Edit it to change its name, environment or scheme, or to make it read-only.',
    quoted(name),
  );
  const chosen = await vscode.window.showInformationMessage(sentence, edit);
  if (chosen === edit) await vscode.commands.executeCommand(commands.editProfile);
}
