import * as vscode from 'vscode';
import type { Profile } from '../../account/profile.ts';
import { credentialFields } from '../../exchange/auth/recipes.ts';
import { commands } from '../contributions.ts';
import { quoted } from '../words.ts';
import type { CredentialStore } from './credentialStore.ts';
import type { ProfileDesk } from './profileDesk.ts';
import { findProfile } from './profileSettings.ts';
import { replaceCredentials } from './replaceCredentials.ts';

/**
 * The profiles whose stored credentials VS Code did not keep, each loss once: a later call does not
 * give it again. Profiles that are gone, broken or need none are left out. Reads only.
 */
export async function newlyMissed(store: CredentialStore): Promise<readonly Profile[]> {
  const missing = (await store.missing()).flatMap(({ name, told }) => {
    const profile = profileWithCredentials(name);
    return profile ? [{ profile, told }] : [];
  });
  await store.tell(missing.map(({ profile }) => profile.name));
  return missing.filter(({ told }) => !told).map(({ profile }) => profile);
}

/** Says it of all of them in one message, and offers to enter them again. */
export async function offerToEnterAgain(
  desk: ProfileDesk,
  missed: readonly Profile[],
): Promise<void> {
  const [only, ...others] = missed;
  if (!only) return;
  const cure =
    others.length === 0
      ? { title: vscode.l10n.t('Set Credentials'), run: () => replaceCredentials(desk, only) }
      : { title: vscode.l10n.t('Switch Profile'), run: switchProfile };
  const names = missed.map(({ name }) => `“${name}”`).join(', ');
  const sentence =
    others.length === 0
      ? vscode.l10n.t(
          'VS Code did not keep the credentials of {0}: enter them again.',
          quoted(names),
        )
      : vscode.l10n.t(
          'VS Code did not keep the credentials of {0}: switch to each to enter them again.',
          quoted(names, 300),
        );
  const chosen = await vscode.window.showWarningMessage(sentence, cure);
  await chosen?.run();
}

async function switchProfile(): Promise<void> {
  await vscode.commands.executeCommand(commands.switchProfile);
}

function profileWithCredentials(name: string): Profile | undefined {
  const entry = findProfile(name);
  if (entry?.kind !== 'good') return undefined;
  return credentialFields(entry.profile.auth).length > 0 ? entry.profile : undefined;
}
