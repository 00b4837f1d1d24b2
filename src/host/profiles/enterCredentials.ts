import * as vscode from 'vscode';
import { originOf, type Profile } from '../../account/profile.ts';
import { credentialProblem } from '../../exchange/auth/credentialCheck.ts';
import { credentialFields } from '../../exchange/auth/recipes.ts';
import type { AuthScheme, CredentialField, Credentials } from '../../exchange/auth/scheme.ts';
import { inWords, quoted } from '../words.ts';
import { askInTurn, type Question } from './askInTurn.ts';
import type { CredentialStore } from './credentialStore.ts';
import { pickPrivateKey } from './pickPrivateKey.ts';

/**
 * Asks for what the profile's scheme needs and stores it, bound to the profile's origin; where
 * credentials for another origin are kept, both hosts are shown first. `refused`: VS Code did not
 * keep them. Undefined when the person gives up: nothing was stored then.
 */
export async function enterCredentials(
  profile: Profile,
  store: CredentialStore,
): Promise<'kept' | 'refused' | undefined> {
  const kept = await store.read(profile.name);
  if (kept.kind === 'kept' && kept.origin !== originOf(profile))
    if (!(await wantsOtherHost(profile, kept.origin))) return undefined;
  const title = vscode.l10n.t(
    'Credentials of “{0}” for {1}',
    quoted(profile.name),
    originOf(profile),
  );
  const entered = await askCredentials(profile, title);
  if (!entered) return undefined;
  return (await storeCredentials(profile, entered, store)) ? 'kept' : 'refused';
}

/** The texts first, then the file of a private key; undefined when the person gives up. */
async function askCredentials({ auth }: Profile, title: string): Promise<Credentials | undefined> {
  const fields = credentialFields(auth);
  const texts = fields.filter((field) => field !== 'privateKey');
  const entered = await askInTurn(() =>
    texts.map((field) => credentialQuestion(field, title, auth)),
  );
  if (!entered || texts.length === fields.length) return entered;
  const privateKey = await pickPrivateKey(auth, title);
  return privateKey === undefined ? undefined : { ...entered, privateKey };
}

/** Stores credentials; says so, and gives false, when VS Code does not keep them. */
export async function storeCredentials(
  profile: Profile,
  credentials: Credentials,
  store: CredentialStore,
): Promise<boolean> {
  if (await store.write(profile.name, originOf(profile), credentials)) return true;
  void vscode.window.showWarningMessage(
    vscode.l10n.t(
      'VS Code did not keep the credentials of “{0}”: they serve until this window is reloaded. Check that VS Code can reach the keyring of your system.',
      quoted(profile.name),
    ),
  );
  return false;
}

/** The password box for one field. */
export function credentialQuestion(
  field: CredentialField,
  title: string,
  auth: AuthScheme,
): Question<CredentialField> {
  const prompt = vscode.l10n.t(
    'Kept in VS Code’s secret storage on this machine, never in settings.',
  );
  return {
    name: field,
    title: vscode.l10n.t('{0}: {1}', title, fieldTitle(field)),
    prompt,
    password: true,
    check: (text) => {
      const problem = credentialProblem(field, text, auth);
      return problem && inWords(problem);
    },
  };
}

/** What a credential is called to a person. */
export function fieldTitle(field: CredentialField): string {
  switch (field) {
    case 'apiKey':
      return vscode.l10n.t('API Key');
    case 'apiSecret':
      return vscode.l10n.t('API Secret');
    case 'token':
      return vscode.l10n.t('Token');
    case 'user':
      return vscode.l10n.t('User Name');
    case 'password':
      return vscode.l10n.t('Password');
    case 'passphrase':
      return vscode.l10n.t('Passphrase');
    case 'privateKey':
      return vscode.l10n.t('Private Key');
    default:
      return field satisfies never;
  }
}

async function wantsOtherHost(profile: Profile, enteredFor: string): Promise<boolean> {
  const origin = originOf(profile);
  const enter = { title: vscode.l10n.t('Enter Credentials Again') };
  const detail = vscode.l10n.t(
    'Its credentials were entered for {0}.\nIt now points to {1}.\nNothing was sent there. Enter credentials again only if you trust the new host; the stored ones are replaced then.',
    quoted(enteredFor),
    origin,
  );
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('“{0}” points to another host.', quoted(profile.name)),
    { modal: true, detail },
    enter,
  );
  return chosen === enter;
}
