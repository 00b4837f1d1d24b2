import * as vscode from 'vscode';
import { checkConnection, maxTestRequests } from '../../account/session/connectionCheck.ts';
import type { Display } from '../../base/display.ts';
import { secondMs } from '../../base/time.ts';
import { isSignInRefused } from '../../exchange/exchangeError.ts';
import { withProgress } from '../shared/notificationProgress.ts';
import { errorText } from '../text/failureText.ts';
import { accountLabel, untrustedText } from '../text/messageText.ts';
import { requestsText } from '../text/progressText.ts';
import { connectionTarget, type TestedConnection } from './credentials.ts';
import { type ProfileContext, enterCredentialsAndReopen } from './openProfile.ts';
import { pickProfile } from './profileSettings.ts';
import { t } from '../shared/translate.ts';

/** Tests the profile that a connection report names, else the open one, else one that the user picks. */
export async function testConnection(context: ProfileContext, named: unknown): Promise<void> {
  const { profileName } = context.connection;
  const known = typeof named === 'string' ? named : profileName;
  const name = known ?? (await pickProfile(t('Test Connection'), undefined))?.name;
  if (name !== undefined) await testProfile(context, name);
}

/** Tests a profile, updates its report and shows the result in one message. */
export async function testProfile(context: ProfileContext, name: string): Promise<void> {
  const { connection, display, reports } = context;
  const target = await connectionTarget(connection.resolveConnection(name));
  const { profile } = target;
  const title = t(
    'Testing the connection, with at most {0}…',
    requestsText(maxTestRequests, display.current),
  );
  const { credentialsError } = target;
  const check = await withProgress(title, async (signal) => {
    const session = connection.createSession(target);
    try {
      return { ...(await checkConnection(session, signal)), credentialsError };
    } finally {
      session.dispose();
    }
  });
  reports.record(profile, check);
  if (check.account.kind === 'works') connection.retryFailedRead(name);
  const message = `${accountLabel(profile)} — ${resultText(check, display.current)}`;
  const report = { title: t('Show Report'), run: () => reports.show(profile) };
  const setAndTest = {
    title: t('Set Credentials…'),
    run: async () => {
      if (await enterCredentialsAndReopen(context, profile)) await testProfile(context, name);
    },
  };
  const actions: { title: string; run: () => void | Promise<void> }[] = hasSignInFailed(check)
    ? [setAndTest, report]
    : [report];
  const chosen = await (isComplete(check)
    ? vscode.window.showInformationMessage(message, ...actions)
    : vscode.window.showWarningMessage(message, ...actions));
  await chosen?.run();
}

function isComplete({ information, account }: TestedConnection): boolean {
  return (
    information.kind === 'works' &&
    account.kind === 'works' &&
    account.value.badRecords.length === 0
  );
}

/** Whether other credentials may help. */
function hasSignInFailed({ account, credentialsError }: TestedConnection): boolean {
  return (
    credentialsError !== undefined || (account.kind === 'fails' && isSignInRefused(account.error))
  );
}

function resultText(check: TestedConnection, display: Display): string {
  const { information, account, credentialsError } = check;
  if (account.kind === 'fails') {
    const error = untrustedText(errorText(credentialsError ?? account.error, display), 400);
    if (information.kind === 'fails' && !isSignInRefused(account.error))
      return t('Not connected. {0}', error);
    return hasSignInFailed(check)
      ? t('Connected, but sign-in failed. {0}', error)
      : t('Connected, but the account could not be read. {0}', error);
  }
  if (information.kind === 'fails') {
    const error = untrustedText(errorText(information.error, display), 400);
    return t('Connected, but exchange information could not be read. {0}', error);
  }
  if (account.value.badRecords.length > 0)
    return t('Connected, but a part of the account could not be read.');
  return t('Connected. {0}', factsText(account.value, information.value, display));
}

/** `2 positions, clock 90 s ahead.`; a clock that agrees to the second needs no word. */
function factsText(
  { positions }: { readonly positions: number | undefined },
  { serverAheadMs }: { readonly serverAheadMs: number },
  display: Display,
): string {
  const seconds = Math.round(Math.abs(serverAheadMs) / secondMs);
  const off = display.count(seconds);
  const facts = [
    positionsText(positions, display),
    seconds > 0 && serverAheadMs > 0 ? t('clock {0} s ahead', off) : '',
    seconds > 0 && serverAheadMs < 0 ? t('clock {0} s behind', off) : '',
  ];
  return `${facts.filter((fact) => fact !== '').join(', ')}.`;
}

function positionsText(positions: number | undefined, display: Display): string {
  if (positions === undefined) return t('no list of positions');
  return positions === 1 ? t('1 position') : t('{0} positions', display.count(positions));
}

/** Shows what is known about the connection of the open profile, else of one to pick. Sends nothing. */
export async function showConnectionReport({ connection, reports }: ProfileContext): Promise<void> {
  const { profileName } = connection;
  const title = t('Show Connection Report');
  const name = profileName ?? (await pickProfile(title, profileName))?.name;
  if (name !== undefined)
    reports.show((await connectionTarget(connection.resolveConnection(name))).profile);
}
