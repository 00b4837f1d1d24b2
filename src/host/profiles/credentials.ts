import * as vscode from 'vscode';
import type { ConnectionCheck } from '../../account/session/connectionCheck.ts';
import { originOf, type Profile } from '../../account/session/profile.ts';
import { UserFacingError } from '../../base/errors.ts';
import {
  credentialFields,
  credentialProblem,
  credentials,
  credentialsProblem,
  type CredentialField,
  type Credentials,
} from '../../exchange/auth/credentials.ts';
import type { AuthScheme } from '../../exchange/auth/scheme.ts';
import { confirm } from '../shared/confirm.ts';
import { multiStepInput, type InputStep } from '../shared/multiStepInput.ts';
import { untrustedText, localized } from '../text/messageText.ts';
import { schemeLabel } from './profileSchema.ts';
import type { CredentialStore, StoredCredentials } from './credentialStore.ts';
import { t } from '../shared/translate.ts';

/** Everything needed to open an account. */
export type ConnectionDetails = { readonly profile: Profile; readonly credentials: Credentials };

/** A profile to connect to, even if its credentials are missing. */
type ConnectionTarget = ConnectionDetails & {
  readonly credentialsError?: CredentialsRequiredError;
};

/** What a test of a profile showed, which needs no credentials for a part of it. */
export type TestedConnection = ConnectionCheck & {
  readonly credentialsError: CredentialsRequiredError | undefined;
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
  const problem = problemWith(profile, stored);
  if (problem) throw new CredentialsRequiredError(profile, problem);
  return stored.kind === 'stored' ? stored.credentials : {};
}

function problemWith(profile: Profile, stored: StoredCredentials): CredentialsProblem | undefined {
  if (stored.kind !== 'stored') return { kind: stored.kind };
  if (stored.origin !== originOf(profile))
    return { kind: 'otherOrigin', enteredFor: stored.origin };
  return credentialsProblem(profile.auth, stored.credentials) && { kind: 'otherScheme' };
}

function problemText(profile: Profile, problem: CredentialsProblem): string {
  const name = untrustedText(profile.name);
  switch (problem.kind) {
    case 'none':
      return t('“{0}” has no credentials yet. Enter them with “Margin Desk: Edit Profile…”.', name);
    case 'lost':
      return t(
        'VS Code did not keep the credentials of “{0}”. Enter them again with “Margin Desk: Edit Profile…”.',
        name,
      );
    case 'damaged':
      return t(
        'The stored credentials of “{0}” cannot be read. Enter them again with “Margin Desk: Edit Profile…”.',
        name,
      );
    case 'otherScheme':
      return t(
        'The stored credentials of “{0}” do not fit its authentication ({1}). Enter them with “Margin Desk: Edit Profile…”.',
        name,
        schemeLabel(profile.auth.scheme),
      );
    case 'otherOrigin':
      return t(
        'The credentials of “{0}” were entered for {1}, but it now points to {2}, so nothing was sent. If that is right, enter them again with “Margin Desk: Edit Profile…”.',
        name,
        untrustedText(problem.enteredFor),
        originOf(profile),
      );
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
  const title = t('Credentials of “{0}” for {1}', untrustedText(profile.name), originOf(profile));
  const entered = await multiStepInput(() => credentialSteps(profile.auth, title));
  if (!entered) return undefined;
  return (await storeCredentials(profile, entered, store)) ? 'stored' : 'notStored';
}

/** Stores credentials. Shows a warning and returns false if VS Code does not keep them. */
export async function storeCredentials(
  profile: Profile,
  credentials: Credentials,
  store: CredentialStore,
): Promise<boolean> {
  if (await store.write(profile.name, originOf(profile), credentials)) return true;
  void vscode.window.showWarningMessage(
    t(
      'VS Code did not keep the credentials of “{0}”. They are used until this window is reloaded. Check that VS Code can access the keyring of your system.',
      untrustedText(profile.name),
    ),
  );
  return false;
}

/** A step for each credential that a scheme needs: the text of it, or the file of a private key. */
export function credentialSteps(auth: AuthScheme, title: string): InputStep<CredentialField>[] {
  return credentialFields(auth).map((name) => ({
    name,
    title: t('{0}: {1}', title, localized(credentials[name].title)),
    ...(name === 'privateKey'
      ? { chooseFile: (dialogTitle) => choosePrivateKey(auth, dialogTitle) }
      : {
          prompt: t('Stored in VS Code’s secret storage on this machine, never in settings.'),
          password: true,
          validate: (text) => problemOf(name, text, auth),
        }),
  }));
}

function problemOf(field: CredentialField, text: string, auth: AuthScheme): string | undefined {
  const problem = credentialProblem(field, text, auth);
  return problem && localized(problem);
}

/**
 * The text of a PEM file that the user chooses; undefined if they cancel. Says what is wrong with a file that
 * the scheme cannot use, without a part of it, and lets them choose another.
 */
async function choosePrivateKey(auth: AuthScheme, title: string): Promise<string | undefined> {
  const filters = { [t('Private keys')]: ['pem', 'key'], [t('All files')]: ['*'] };
  const options = { title, openLabel: t('Use This Key'), filters };
  const [file] = (await vscode.window.showOpenDialog(options)) ?? [];
  if (!file) return undefined;
  const text = await readText(file);
  const problem =
    text === undefined
      ? t('The private key file cannot be read. Choose another.')
      : problemOf('privateKey', text, auth);
  if (problem === undefined) return text;
  const again = t('Choose Another File');
  const chosen = await vscode.window.showErrorMessage(problem, { modal: true }, again);
  return chosen === again ? choosePrivateKey(auth, title) : undefined;
}

async function readText(file: vscode.Uri): Promise<string | undefined> {
  try {
    const bytes = await vscode.workspace.fs.readFile(file);
    return Buffer.from(bytes).toString().trim();
  } catch {
    return undefined;
  }
}

function confirmNewOrigin(profile: Profile, enteredFor: string): Promise<boolean> {
  const detail = t(
    'Its credentials were entered for {0}.\nIt now points to {1}.\nNothing was sent there. Enter credentials only if you trust the new host. They replace the stored ones.',
    untrustedText(enteredFor),
    originOf(profile),
  );
  const question = t('“{0}” points to another host.', untrustedText(profile.name));
  return confirm(question, detail, t('Enter Credentials Again'));
}
