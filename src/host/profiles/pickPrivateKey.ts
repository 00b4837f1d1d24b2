import * as vscode from 'vscode';
import { SentenceError } from '../../base/sentenceError.ts';
import { credentialProblem } from '../../exchange/auth/credentialCheck.ts';
import type { AuthScheme } from '../../exchange/auth/scheme.ts';

/**
 * The text of the PEM file that the person picks, a key that the scheme can sign with; undefined
 * when they give up. Throws a SentenceError that tells nothing of a file that is no such key.
 */
export async function pickPrivateKey(auth: AuthScheme, title: string): Promise<string | undefined> {
  const [file] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('{0}: {1}', title, vscode.l10n.t('Private Key')),
      openLabel: vscode.l10n.t('Use This Key'),
      filters: {
        [vscode.l10n.t('Private keys')]: ['pem', 'key'],
        [vscode.l10n.t('All files')]: ['*'],
      },
    })) ?? [];
  if (!file) return undefined;
  const text = await readKeyFile(file);
  const problem = credentialProblem('privateKey', text, auth);
  if (problem !== undefined) throw new SentenceError(problem, { cure: 'setCredentials' });
  return text;
}

async function readKeyFile(file: vscode.Uri): Promise<string> {
  try {
    return Buffer.from(await vscode.workspace.fs.readFile(file))
      .toString()
      .trim();
  } catch (cause) {
    const sentence = vscode.l10n.t('The file of the private key cannot be read: choose another.');
    throw new SentenceError(sentence, { cause, cure: 'setCredentials' });
  }
}
