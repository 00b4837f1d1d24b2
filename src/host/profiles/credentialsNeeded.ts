import { l10n } from 'vscode';
import { originOf, type Profile } from '../../account/profile.ts';
import { SentenceError } from '../../base/sentenceError.ts';
import { fitsScheme } from '../../exchange/auth/credentialCheck.ts';
import { credentialFields } from '../../exchange/auth/recipes.ts';
import type { Credentials } from '../../exchange/auth/scheme.ts';
import { quoted } from '../words.ts';
import type { CredentialStore, KeptCredentials } from './credentialStore.ts';

/** Why a profile cannot be opened before its credentials were entered (again). */
export type Need =
  | { readonly kind: 'none' | 'lost' | 'damaged' | 'otherScheme' }
  | { readonly kind: 'otherOrigin'; readonly enteredFor: string };

/** Thrown in place of sending anything unauthenticated, or to a host that it was not entered for. */
export class CredentialsNeededError extends SentenceError {
  readonly profile: Profile;
  readonly need: Need;

  constructor(profile: Profile, need: Need) {
    super(sentence(profile, need), { cure: 'setCredentials' });
    this.profile = profile;
    this.need = need;
  }
}

/** The credentials of a profile; throws CredentialsNeededError where none may be used. */
export async function credentialsFor(
  profile: Profile,
  store: CredentialStore,
): Promise<Credentials> {
  if (credentialFields(profile.auth).length === 0) return {};
  const kept = await store.read(profile.name);
  const need = needOf(profile, kept);
  if (need) throw new CredentialsNeededError(profile, need);
  return kept.kind === 'kept' ? kept.credentials : {};
}

function needOf(profile: Profile, kept: KeptCredentials): Need | undefined {
  if (kept.kind !== 'kept') return { kind: kept.kind };
  if (kept.origin !== originOf(profile)) return { kind: 'otherOrigin', enteredFor: kept.origin };
  return fitsScheme(profile.auth, kept.credentials) ? undefined : { kind: 'otherScheme' };
}

function sentence(profile: Profile, need: Need): string {
  const name = quoted(profile.name);
  switch (need.kind) {
    case 'none':
      return l10n.t('“{0}” has no credentials yet: run “Margin Desk: Set Credentials”.', name);
    case 'lost':
      return l10n.t(
        'VS Code did not keep the credentials of “{0}”: enter them again by “Margin Desk: Set Credentials”.',
        name,
      );
    case 'damaged':
      return l10n.t(
        'The stored credentials of “{0}” cannot be read: enter them again by “Margin Desk: Set Credentials”.',
        name,
      );
    case 'otherScheme':
      return l10n.t(
        'The stored credentials of “{0}” are not what its scheme {1} needs: enter them by “Margin Desk: Set Credentials”.',
        name,
        profile.auth.scheme,
      );
    case 'otherOrigin':
      return l10n.t(
        'The credentials of “{0}” were entered for {1}, and it now points to {2}: nothing was sent; enter them again by “Margin Desk: Set Credentials” if that is right.',
        name,
        quoted(need.enteredFor),
        originOf(profile),
      );
    default:
      return need satisfies never;
  }
}
