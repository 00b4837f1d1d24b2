import * as vscode from 'vscode';
import type { Profile } from '../../account/profile.ts';
import { SentenceError } from '../../base/sentenceError.ts';
import { quoted } from '../words.ts';
import { askInTurn } from './askInTurn.ts';
import type { CredentialStore } from './credentialStore.ts';
import { eachInTurn } from './eachInTurn.ts';
import type { ProfileDesk } from './profileDesk.ts';
import { nameProblem } from './profileName.ts';
import {
  findProfile,
  replaceDefaultProfile,
  writeProfile,
  writtenProfile,
} from './profileSettings.ts';

/**
 * Asks for another name; the credentials, which stay bound to their origin, and the account of this
 * window go with it. Where the settings cannot be written, nothing changes.
 */
export async function renameProfile(desk: ProfileDesk, { name: from }: Profile): Promise<void> {
  const question = {
    name: 'name',
    title: vscode.l10n.t('Edit Profile: Name'),
    prompt: vscode.l10n.t('Its credentials go with it.'),
    value: from,
    check: (text: string) => newNameProblem(text, from),
  };
  const { name: to } = (await askInTurn(() => [question])) ?? {};
  if (to !== undefined && to !== from) await rename(desk, from, to);
}

async function rename({ accounts, store }: ProfileDesk, from: string, to: string): Promise<void> {
  await accounts.withoutReopening(async () => {
    await writeProfile(to, writtenProfile(from) ?? {}, from);
    await eachInTurn([
      () => moveCredentials(store, from, to),
      () => replaceDefaultProfile(from, to),
      async () => {
        if (accounts.wantedName === from) await accounts.open(to);
      },
    ]);
  });
}

async function moveCredentials(store: CredentialStore, from: string, to: string): Promise<void> {
  if (await store.rename(from, to)) return;
  const sentence = vscode.l10n.t(
    'The credentials of “{0}” could not be moved to “{1}” and stay where they were: enter them again by “Margin Desk: Set Credentials”.',
    quoted(from),
    quoted(to),
  );
  throw new SentenceError(sentence, { cure: 'setCredentials' });
}

function newNameProblem(name: string, earlier: string): string | undefined {
  if (name !== earlier && findProfile(name))
    return vscode.l10n.t('Another profile has this name: choose another.');
  return nameProblem(name);
}
