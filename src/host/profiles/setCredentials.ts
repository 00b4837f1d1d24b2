import * as vscode from 'vscode';
import type { Profile } from '../../account/session/profile.ts';
import { credentialFields } from '../../exchange/auth/signingSpec.ts';
import { commands } from '../shared/contributions.ts';
import { untrustedText } from '../text/messageText.ts';
import type { CredentialStore } from './credentialStore.ts';
import { enterCredentials } from './credentials.ts';
import type { ProfileContext } from './openProfile.ts';
import { validProfile, type ProfileEntry } from './parseProfile.ts';
import { pickProfile, findProfile } from './profileSettings.ts';

/** The profiles whose stored credentials VS Code lost, each loss once. Invalid profiles are left out. */
export async function findNewlyMissingCredentials(
  store: CredentialStore,
): Promise<readonly Profile[]> {
  const names = await store.takeNewlyMissing((name) => profileWithCredentials(name) !== undefined);
  return names.flatMap((name) => profileWithCredentials(name) ?? []);
}

/** Reports all of them in one message and offers to enter them again. */
export async function offerToReenterCredentials(
  context: ProfileContext,
  missing: readonly Profile[],
): Promise<void> {
  const [only, ...others] = missing;
  if (!only) return;
  const action =
    others.length === 0
      ? { title: vscode.l10n.t('Set Credentials'), run: () => replaceCredentials(context, only) }
      : {
          title: vscode.l10n.t('Switch Profile'),
          run: () => vscode.commands.executeCommand(commands.switchProfile),
        };
  const names = missing.map(({ name }) => `“${name}”`).join(', ');
  const message =
    others.length === 0
      ? vscode.l10n.t(
          'VS Code did not keep the credentials of {0}. Enter them again.',
          untrustedText(names),
        )
      : vscode.l10n.t(
          'VS Code did not keep the credentials of {0}. Switch to each profile to enter them again.',
          untrustedText(names, 300),
        );
  const chosen = await vscode.window.showWarningMessage(message, action);
  await chosen?.run();
}

function profileWithCredentials(name: string): Profile | undefined {
  const entry = findProfile(name);
  if (entry?.kind !== 'good') return undefined;
  return credentialFields(entry.profile.auth).length > 0 ? entry.profile : undefined;
}

/** Asks for the credentials of the open profile, else of one that the user picks. */
export async function setCredentials(context: ProfileContext): Promise<void> {
  const entry = await currentOrPickedProfile(context.connection.profileName);
  if (entry) await replaceCredentials(context, validProfile(entry));
}

async function replaceCredentials(context: ProfileContext, profile: Profile): Promise<void> {
  const name = untrustedText(profile.name);
  if (credentialFields(profile.auth).length === 0) {
    const message = vscode.l10n.t(
      '“{0}” needs no credentials: its requests are not authenticated.',
      name,
    );
    void vscode.window.showInformationMessage(message);
    return;
  }
  const outcome = await enterCredentialsAndReopen(context, profile);
  if (outcome === 'stored' && context.connection.profileName !== profile.name)
    void vscode.window.showInformationMessage(
      vscode.l10n.t('The credentials of “{0}” are stored.', name),
    );
}

/** Asks for the credentials of a profile and reopens it if it is open in this window. */
export async function enterCredentialsAndReopen(
  { connection, credentialStore }: ProfileContext,
  profile: Profile,
): ReturnType<typeof enterCredentials> {
  const outcome = await enterCredentials(profile, credentialStore);
  if (outcome && connection.profileName === profile.name) await connection.open(profile.name);
  return outcome;
}

async function currentOrPickedProfile(
  currentName: string | undefined,
): Promise<ProfileEntry | undefined> {
  const current = currentName === undefined ? undefined : findProfile(currentName);
  return current ?? (await pickProfile(vscode.l10n.t('Set Credentials'), currentName));
}
