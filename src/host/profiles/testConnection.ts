import * as vscode from 'vscode';
import { unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { ConventionResolver } from '../../exchange/conventions/conventionResolver.ts';
import { isSignInRefused } from '../../exchange/exchangeError.ts';
import { errorText } from '../text/failureText.ts';
import { accountLabel, unreadablePartText } from '../text/messageText.ts';
import type { VirtualDocuments } from '../virtualDocuments.ts';
import type { AccountConnection } from './accountConnection.ts';
import { checkConnection, maxTestWeight, type ConnectionCheck } from './checkConnection.ts';
import { conventionsText } from './conventionsText.ts';
import type { ProfileContext } from './openProfile.ts';
import { pickProfile } from './profileQuestions.ts';
import { enterCredentialsAndReopen } from './setCredentials.ts';
import { connectionTarget, openReport, type ConnectionTarget } from './showConnectionReport.ts';

type TestResult = ConnectionCheck & { readonly conventions: ConventionResolver };

/** Tests the open profile, else one that the user picks. */
export async function testConnection(
  context: ProfileContext,
  documents: VirtualDocuments,
): Promise<void> {
  const { profileName } = context.connection;
  const title = vscode.l10n.t('Test Connection');
  const name = profileName ?? (await pickProfile(title, profileName))?.name;
  if (name !== undefined) await testProfile(context, name, documents);
}

export async function testProfile(
  context: ProfileContext,
  name: string,
  documents: VirtualDocuments,
): Promise<void> {
  const { connection, display } = context;
  const target = await connectionTarget(connection, name);
  const report = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t(
        'Testing the connection, for at most {0} API weight…',
        display.current.count(maxTestWeight),
      ),
      cancellable: true,
    },
    (_progress, token) => connectAndCheck(connection, target, token),
  );
  const chosen = await showTestResult(target, report, display.current);
  if (chosen === 'showReport') await openReport(target, report.conventions, documents);
  if (chosen === 'setCredentials' && (await enterCredentialsAndReopen(context, target.profile)))
    await testProfile(context, name, documents);
}

async function connectAndCheck(
  connection: AccountConnection,
  target: ConnectionTarget,
  token: vscode.CancellationToken,
): Promise<TestResult> {
  const session = connection.createSession(target);
  const controller = new AbortController();
  const listening = token.onCancellationRequested(() => controller.abort());
  try {
    const report = await checkConnection(session, controller.signal);
    return { ...report, conventions: session.client.conventions };
  } finally {
    listening.dispose();
    session.dispose();
  }
}

type TestAction = 'showReport' | 'setCredentials';

/** Resolves to what the user wants to do next. */
async function showTestResult(
  target: ConnectionTarget,
  report: TestResult,
  display: Display,
): Promise<TestAction | undefined> {
  const { information, account } = report;
  const works = [information, account].filter(({ kind }) => kind === 'works').length;
  const message = `${accountLabel(target.profile)} — ${verdictText(report, target)}`;
  const detail = [
    exchangeInformationText(report, display),
    accountCheckText(report, target, display),
    clockOffsetText(report, display),
    conventionsText(report.conventions, display),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
  const options = { modal: true, detail };
  const actions: { title: string; action: TestAction }[] = [
    { title: vscode.l10n.t('Show Report'), action: 'showReport' },
  ];
  if (hasSignInFailed(report, target))
    actions.unshift({ title: vscode.l10n.t('Set Credentials'), action: 'setCredentials' });
  const chosen = await (works === 2
    ? vscode.window.showInformationMessage(message, options, ...actions)
    : vscode.window.showWarningMessage(message, options, ...actions));
  return chosen?.action;
}

/** Whether other credentials may help. */
function hasSignInFailed(
  { account }: ConnectionCheck,
  { credentialsError }: ConnectionTarget,
): boolean {
  return (
    credentialsError !== undefined || (account.kind === 'fails' && isSignInRefused(account.error))
  );
}

function verdictText(check: ConnectionCheck, target: ConnectionTarget): string {
  const { information, account } = check;
  if (account.kind === 'works')
    return information.kind === 'works'
      ? vscode.l10n.t('connected.')
      : vscode.l10n.t('connected, but exchange information could not be read.');
  if (information.kind === 'fails' && !isSignInRefused(account.error))
    return vscode.l10n.t('not connected.');
  return hasSignInFailed(check, target)
    ? vscode.l10n.t('connected, but sign-in failed.')
    : vscode.l10n.t('connected, but the account could not be read.');
}

function exchangeInformationText({ information }: ConnectionCheck, display: Display): string {
  if (information.kind === 'fails')
    return vscode.l10n.t('✗ Exchange information: {0}', errorText(information.error, display));
  const { value, durationMs } = information;
  const counts = [value.symbols, durationMs].map((count) => display.count(count));
  return vscode.l10n.t('✓ Exchange information: {0} symbols, {1} ms.', ...counts);
}

function accountCheckText(
  { account }: ConnectionCheck,
  { credentialsError }: ConnectionTarget,
  display: Display,
): string {
  if (account.kind === 'fails')
    return vscode.l10n.t('✗ Account: {0}', errorText(credentialsError ?? account.error, display));
  const { value, durationMs } = account;
  const { positions, badRecords } = value;
  const summary = vscode.l10n.t(
    '✓ Account: {0} positions, {1} ms.',
    positions === undefined ? unknownText : display.count(positions),
    display.count(durationMs),
  );
  return [summary, ...badRecords.map((record) => unreadablePartText(record, display))].join('\n');
}

const noticeableMs = 1000;

function clockOffsetText({ information }: ConnectionCheck, display: Display): string {
  if (information.kind === 'fails') return '';
  const { serverAheadMs } = information.value;
  if (!Number.isFinite(serverAheadMs)) return vscode.l10n.t('The time of the exchange is unknown.');
  const seconds = display.full('seconds', (Math.abs(serverAheadMs) / 1000).toFixed(1));
  if (Math.abs(serverAheadMs) < noticeableMs)
    return vscode.l10n.t('Clock in sync (difference {0} s).', seconds);
  return serverAheadMs > 0
    ? vscode.l10n.t(
        'The clock of the exchange is {0} s ahead. Requests are signed with its time.',
        seconds,
      )
    : vscode.l10n.t(
        'The clock of the exchange is {0} s behind. Requests are signed with its time.',
        seconds,
      );
}
