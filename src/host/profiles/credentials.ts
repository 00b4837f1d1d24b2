import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { originOf, type Profile } from '../../account/session/profile.ts';
import { UserFacingError } from '../../base/errors.ts';
import { fitsScheme, credentialProblem } from '../../exchange/auth/credentialCheck.ts';
import type { Credentials, AuthScheme, CredentialField } from '../../exchange/auth/scheme.ts';
import { credentialFields } from '../../exchange/auth/signingSpec.ts';
import { confirm } from '../shared/confirm.ts';
import { multiStepInput, type InputStep } from '../shared/multiStepInput.ts';
import { untrustedText, localized } from '../text/messageText.ts';
import { authenticationTexts } from './authSchema.ts';
import type { CredentialStore, StoredCredentials } from './credentialStore.ts';

/** Everything needed to open an account. */
export type ConnectionDetails = { readonly profile: Profile; readonly credentials: Credentials };

/** A profile to connect to, even if its credentials are missing. */
type ConnectionTarget = ConnectionDetails & {
  readonly credentialsError?: CredentialsRequiredError;
};

/** Why a profile needs its credentials (again) before it can be opened. */
type CredentialsProblem =
  | { readonly kind: 'none' | 'lost' | 'damaged' | 'otherScheme' }
  | { readonly kind: 'otherOrigin'; readonly enteredFor: string };

/** Thrown instead of sending unauthenticated requests, or credentials to an origin they were not entered for. */
export class CredentialsRequiredError extends UserFacingError {
  readonly profile: Profile;
  readonly problem: CredentialsProblem;

  constructor(profile: Profile, problem: CredentialsProblem) {
    super(problemText(profile, problem), { suggestedAction: 'setCredentials' });
    this.profile = profile;
    this.problem = problem;
  }
}

/** Without credentials, only operations that need none can be tested: nothing else is sent unsigned. */
export async function connectionTarget(
  details: Promise<ConnectionDetails>,
): Promise<ConnectionTarget> {
  try {
    return await details;
  } catch (error) {
    if (!(error instanceof CredentialsRequiredError)) throw error;
    return { profile: error.profile, credentials: {}, credentialsError: error };
  }
}

/** The credentials of a profile; throws a CredentialsRequiredError if they are missing or must not be used. */
export async function requireCredentials(
  profile: Profile,
  store: CredentialStore,
): Promise<Credentials> {
  if (credentialFields(profile.auth).length === 0) return {};
  const stored = await store.read(profile.name);
  const problem = credentialsProblem(profile, stored);
  if (problem) throw new CredentialsRequiredError(profile, problem);
  return stored.kind === 'stored' ? stored.credentials : {};
}

function credentialsProblem(
  profile: Profile,
  stored: StoredCredentials,
): CredentialsProblem | undefined {
  if (stored.kind !== 'stored') return { kind: stored.kind };
  if (stored.origin !== originOf(profile))
    return { kind: 'otherOrigin', enteredFor: stored.origin };
  return fitsScheme(profile.auth, stored.credentials) ? undefined : { kind: 'otherScheme' };
}

function problemText(profile: Profile, problem: CredentialsProblem): string {
  const name = untrustedText(profile.name);
  switch (problem.kind) {
    case 'none':
      return l10n.t(
        '“{0}” has no credentials yet. Enter them with “Margin Desk: Edit Profile…”.',
        name,
      );
    case 'lost':
      return l10n.t(
        'VS Code did not keep the credentials of “{0}”. Enter them again with “Margin Desk: Edit Profile…”.',
        name,
      );
    case 'damaged':
      return l10n.t(
        'The stored credentials of “{0}” cannot be read. Enter them again with “Margin Desk: Edit Profile…”.',
        name,
      );
    case 'otherScheme':
      return l10n.t(
        'The stored credentials of “{0}” do not fit its authentication ({1}). Enter them with “Margin Desk: Edit Profile…”.',
        name,
        authenticationTexts(profile.auth.scheme).label,
      );
    case 'otherOrigin':
      return l10n.t(
        'The credentials of “{0}” were entered for {1}, but it now points to {2}, so nothing was sent. If that is right, enter them again with “Margin Desk: Edit Profile…”.',
        name,
        untrustedText(problem.enteredFor),
        originOf(profile),
      );
  }
}

/**
 * The text of a PEM file that the user picks; undefined if they cancel. Throws a UserFacingError that
 * quotes no part of the file if it is not a key that the scheme can use.
 */
async function pickPrivateKey(auth: AuthScheme, title: string): Promise<string | undefined> {
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
  if (problem !== undefined)
    throw new UserFacingError(problem, { suggestedAction: 'setCredentials' });
  return text;
}

async function readKeyFile(file: vscode.Uri): Promise<string> {
  try {
    return Buffer.from(await vscode.workspace.fs.readFile(file))
      .toString()
      .trim();
  } catch (cause) {
    const message = vscode.l10n.t('The private key file cannot be read. Choose another.');
    throw new UserFacingError(message, { cause, suggestedAction: 'setCredentials' });
  }
}

/**
 * Asks for the credentials of the profile's scheme and stores them, bound to its origin. If the stored
 * ones are for another origin, it shows both first. `notStored`: VS Code did not keep them. Undefined if
 * the user cancels.
 */
export async function enterCredentials(
  profile: Profile,
  store: CredentialStore,
): Promise<'stored' | 'notStored' | undefined> {
  const stored = await store.read(profile.name);
  if (stored.kind === 'stored' && stored.origin !== originOf(profile))
    if (!(await confirmNewOrigin(profile, stored.origin))) return undefined;
  const title = vscode.l10n.t(
    'Credentials of “{0}” for {1}',
    untrustedText(profile.name),
    originOf(profile),
  );
  const entered = await askCredentials(profile, title);
  if (!entered) return undefined;
  return (await storeCredentials(profile, entered, store)) ? 'stored' : 'notStored';
}

/** Asks for texts first, then for the file of a private key. */
async function askCredentials({ auth }: Profile, title: string): Promise<Credentials | undefined> {
  const fields = credentialFields(auth);
  const texts = fields.filter((field) => field !== 'privateKey');
  const entered = await multiStepInput(() =>
    texts.map((field) => credentialStep(field, title, auth)),
  );
  if (!entered || texts.length === fields.length) return entered;
  const privateKey = await pickPrivateKey(auth, title);
  return privateKey === undefined ? undefined : { ...entered, privateKey };
}

/** Stores credentials. Shows a warning and returns false if VS Code does not keep them. */
export async function storeCredentials(
  profile: Profile,
  credentials: Credentials,
  store: CredentialStore,
): Promise<boolean> {
  if (await store.write(profile.name, originOf(profile), credentials)) return true;
  void vscode.window.showWarningMessage(
    vscode.l10n.t(
      'VS Code did not keep the credentials of “{0}”. They are used until this window is reloaded. Check that VS Code can access the keyring of your system.',
      untrustedText(profile.name),
    ),
  );
  return false;
}

export function credentialStep(
  field: CredentialField,
  title: string,
  auth: AuthScheme,
): InputStep<CredentialField> {
  const prompt = vscode.l10n.t(
    'Stored in VS Code’s secret storage on this machine, never in settings.',
  );
  return {
    name: field,
    title: vscode.l10n.t('{0}: {1}', title, credentialTitle(field)),
    prompt,
    password: true,
    validate: (text) => {
      const problem = credentialProblem(field, text, auth);
      return problem && localized(problem);
    },
  };
}

function credentialTitle(field: CredentialField): string {
  return {
    apiKey: vscode.l10n.t('API Key'),
    apiSecret: vscode.l10n.t('API Secret'),
    token: vscode.l10n.t('Token'),
    user: vscode.l10n.t('User Name'),
    password: vscode.l10n.t('Password'),
    passphrase: vscode.l10n.t('Passphrase'),
    privateKey: vscode.l10n.t('Private Key'),
  }[field];
}

function confirmNewOrigin(profile: Profile, enteredFor: string): Promise<boolean> {
  const detail = vscode.l10n.t(
    'Its credentials were entered for {0}.\nIt now points to {1}.\nNothing was sent there. Enter credentials only if you trust the new host. They replace the stored ones.',
    untrustedText(enteredFor),
    originOf(profile),
  );
  const question = vscode.l10n.t('“{0}” points to another host.', untrustedText(profile.name));
  return confirm(question, detail, vscode.l10n.t('Enter Credentials Again'));
}
