import { l10n } from 'vscode';
import { originOf, type Profile } from '../../account/session/profile.ts';
import { UserFacingError } from '../../base/errors.ts';
import { fitsScheme } from '../../exchange/auth/credentialCheck.ts';
import type { Credentials } from '../../exchange/auth/scheme.ts';
import { credentialFields } from '../../exchange/auth/signingSpec.ts';
import { untrustedText } from '../text/messageText.ts';
import { authenticationTexts } from './authenticationTexts.ts';
import type { CredentialStore, StoredCredentials } from './credentialStore.ts';

/** Everything needed to open an account. */
export type ConnectionDetails = { readonly profile: Profile; readonly credentials: Credentials };

/** A profile to connect to, even if its credentials are missing. */
export type ConnectionTarget = ConnectionDetails & {
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
      return l10n.t('“{0}” has no credentials yet. Run “Margin Desk: Set Credentials”.', name);
    case 'lost':
      return l10n.t(
        'VS Code did not keep the credentials of “{0}”. Enter them again with “Margin Desk: Set Credentials”.',
        name,
      );
    case 'damaged':
      return l10n.t(
        'The stored credentials of “{0}” cannot be read. Enter them again with “Margin Desk: Set Credentials”.',
        name,
      );
    case 'otherScheme':
      return l10n.t(
        'The stored credentials of “{0}” do not fit its authentication ({1}). Enter them with “Margin Desk: Set Credentials”.',
        name,
        authenticationTexts(profile.auth.scheme).label,
      );
    case 'otherOrigin':
      return l10n.t(
        'The credentials of “{0}” were entered for {1}, but it now points to {2}, so nothing was sent. If that is right, enter them again with “Margin Desk: Set Credentials”.',
        name,
        untrustedText(problem.enteredFor),
        originOf(profile),
      );
  }
}
