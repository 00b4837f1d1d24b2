import * as vscode from 'vscode';
import type { ExportLedgers } from '../../account/export/exportLedgers.ts';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import type { Profile } from '../../account/session/profile.ts';
import { credentialFields } from '../../exchange/auth/credentials.ts';
import type { ProfileLedgers } from '../ledger/profileLedgers.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { views, commands } from '../shared/contributions.ts';
import { untrustedText } from '../text/messageText.ts';
import type { AccountConnection } from './accountConnection.ts';
import type { CredentialStore } from './credentialStore.ts';
import {
  CredentialsRequiredError,
  enterCredentials,
  type TestedConnection,
} from './credentials.ts';
import { validProfile, practiceName, type ProfileEntry } from './parseProfile.ts';
import { profileItem, profileEntries, pickProfile, findProfile } from './profileSettings.ts';
import { t } from '../shared/translate.ts';

/** What the profile commands use. */
export type ProfileContext = {
  readonly connection: AccountConnection;
  readonly display: DisplayState;
  readonly reports: {
    record(profile: Profile, check: TestedConnection): void;
    show(profile: Profile): void;
    rename(from: string, to: string): void;
  };
  readonly profileLedgers: ProfileLedgers;
  readonly exports: ExportLedgers;
};

/**
 * Opens an account and asks for missing credentials. False if the user cancels: the views then say what
 * is missing.
 */
export async function openProfile({ connection }: ProfileContext, name: string): Promise<boolean> {
  try {
    await connection.open(name);
  } catch (error) {
    if (!(error instanceof CredentialsRequiredError)) throw error;
    if (!(await enterCredentials(error.profile, connection.credentialStore))) return false;
    await connection.open(name);
  }
  await vscode.commands.executeCommand(`${views.positions}.focus`);
  return true;
}

type ProfileChoice = vscode.QuickPickItem & { readonly run?: () => Thenable<unknown> };

/** Opens another account in this window only. */
export async function switchProfile(context: ProfileContext): Promise<void> {
  const { profileName } = context.connection;
  const choices: ProfileChoice[] = [
    practiceChoice(context),
    ...profileEntries().map((entry) => ({
      ...profileItem(entry, profileName),
      // If the profile is invalid, the open account stays open.
      run: () => openProfile(context, validProfile(entry).name),
    })),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: t('Add Profile…'),
      run: () => vscode.commands.executeCommand(commands.addProfile),
    },
  ];
  const picked = await vscode.window.showQuickPick(choices, {
    title: t('Switch Profile'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  await picked?.run?.();
}

function practiceChoice(context: ProfileContext): ProfileChoice {
  const description = ['PRACTICE', t('simulated exchange, no real money')];
  if (context.connection.profileName === practiceName) description.push(t('open in this window'));
  return {
    label: practiceName,
    description: description.join(' · '),
    run: () => openProfile(context, practiceName),
  };
}

/** Shows the positions of the practice exchange. Opens it unless it is already open or opening. */
export async function tryPractice(
  active: ActiveAccount,
  connection: AccountConnection,
): Promise<void> {
  const { state } = active;
  const name =
    state.kind === 'open' ? state.session.profile.name : state.kind === 'opening' && state.name;
  const isOpen = name === practiceName && connection.practice.isRunning;
  const opened = isOpen ? active.session() : connection.open(practiceName);
  await Promise.all([opened, vscode.commands.executeCommand(`${views.positions}.focus`)]);
}

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
      ? { title: t('Set Credentials…'), run: () => replaceCredentials(context, only) }
      : {
          title: t('Switch Profile…'),
          run: () => vscode.commands.executeCommand(commands.switchProfile),
        };
  const names = missing.map(({ name }) => `“${name}”`).join(', ');
  const message =
    others.length === 0
      ? t('VS Code did not keep the credentials of {0}. Enter them again.', untrustedText(names))
      : t(
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

/** Asks for the credentials of a profile; says so if its requests need none. */
export async function replaceCredentials(context: ProfileContext, profile: Profile): Promise<void> {
  const name = untrustedText(profile.name);
  if (credentialFields(profile.auth).length === 0) {
    const message = t('“{0}” needs no credentials: its requests are not authenticated.', name);
    void vscode.window.showInformationMessage(message);
    return;
  }
  const outcome = await enterCredentialsAndReopen(context, profile);
  if (outcome === 'stored' && context.connection.profileName !== profile.name)
    void vscode.window.showInformationMessage(t('The credentials of “{0}” are stored.', name));
}

/** Asks for the credentials of a profile and reopens it if it is open in this window. */
export async function enterCredentialsAndReopen(
  { connection }: ProfileContext,
  profile: Profile,
): ReturnType<typeof enterCredentials> {
  const outcome = await enterCredentials(profile, connection.credentialStore);
  if (outcome && connection.profileName === profile.name) await connection.open(profile.name);
  return outcome;
}

async function currentOrPickedProfile(
  currentName: string | undefined,
): Promise<ProfileEntry | undefined> {
  const current = currentName === undefined ? undefined : findProfile(currentName);
  return current ?? (await pickProfile(t('Set Credentials'), currentName));
}
