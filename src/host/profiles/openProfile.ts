import * as vscode from 'vscode';
import type { PartialExports } from '../../account/export/partialExports.ts';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import type { Profile } from '../../account/session/profile.ts';
import { views, commands } from '../shared/contributions.ts';
import type { ProfileLedgers } from '../ledger/profileLedgers.ts';
import type { DisplayState } from '../settings/displayState.ts';
import type { AccountConnection } from './accountConnection.ts';
import { CredentialsRequiredError, enterCredentials } from './credentials.ts';
import type { CredentialStore } from './credentialStore.ts';
import type { TestedConnection } from './checkConnection.ts';
import { validProfile, practiceName } from './parseProfile.ts';
import type { PracticeExchange } from './practiceExchange.ts';
import { profileItem, profileEntries } from './profileSettings.ts';

/** What the profile commands use. */
export type ProfileContext = {
  readonly connection: AccountConnection;
  readonly credentialStore: CredentialStore;
  readonly display: DisplayState;
  readonly reports: {
    record(profile: Profile, check: TestedConnection): void;
    show(profile: Profile): void;
    rename(from: string, to: string): void;
  };
  readonly ledgers: ProfileLedgers;
  readonly partialExports: PartialExports;
};

/**
 * Opens an account and asks for missing credentials. False if the user cancels: the views then say what
 * is missing.
 */
export async function openProfile(
  { connection, credentialStore }: ProfileContext,
  name: string,
): Promise<boolean> {
  try {
    await connection.open(name);
  } catch (error) {
    if (!(error instanceof CredentialsRequiredError)) throw error;
    if (!(await enterCredentials(error.profile, credentialStore))) return false;
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
      label: vscode.l10n.t('Add Profile…'),
      run: () => vscode.commands.executeCommand(commands.addProfile),
    },
  ];
  const picked = await vscode.window.showQuickPick(choices, {
    title: vscode.l10n.t('Switch Profile'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  await picked?.run?.();
}

function practiceChoice(context: ProfileContext): ProfileChoice {
  const description = ['PRACTICE', vscode.l10n.t('simulated exchange, no real money')];
  if (context.connection.profileName === practiceName)
    description.push(vscode.l10n.t('open in this window'));
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
  practice: PracticeExchange,
): Promise<void> {
  const { state } = active;
  const name =
    state.kind === 'open' ? state.session.profile.name : state.kind === 'opening' && state.name;
  const isOpen = name === practiceName && practice.isRunning;
  const opened = isOpen ? active.session() : connection.open(practiceName);
  await Promise.all([opened, vscode.commands.executeCommand(`${views.positions}.focus`)]);
}
