import * as vscode from 'vscode';
import type { AccountSession } from '../../account/session/accountSession.ts';
import { unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { systemClock, isTimestamp } from '../../base/time.ts';
import type { ConventionResolver } from '../../exchange/conventions/conventionResolver.ts';
import type { BadRecord } from '../../exchange/records.ts';
import { errorText } from '../text/failureText.ts';
import { accountLabel, unreadablePartText } from '../text/messageText.ts';
import type { VirtualDocuments } from '../virtualDocuments.ts';
import type { AccountConnection } from './accountConnection.ts';
import { conventionsText } from './conventionsText.ts';
import type { ProfileContext } from './openProfile.ts';
import { pickProfile } from './profileQuestions.ts';
import { connectionTarget, openReport, type ConnectionTarget } from './showConnectionReport.ts';

export type CheckResult<T> =
  | { readonly kind: 'works'; readonly value: T; readonly durationMs: number }
  | { readonly kind: 'fails'; readonly error: unknown };

export type ConnectionCheck = {
  /** NaN if the server's time is unknown. */
  readonly information: CheckResult<{ readonly symbols: number; readonly serverAheadMs: number }>;
  /** The positions are undefined if the account did not list them. */
  readonly account: CheckResult<{
    readonly positions: number | undefined;
    readonly badRecords: readonly BadRecord[];
  }>;
};

/**
 * Reads exchange information (section 2.7) and the account (section 2.6), each even if the other fails.
 * Then detects the API conventions, for at most 70 weight.
 */
export async function checkConnection(
  { client }: AccountSession,
  signal: AbortSignal,
): Promise<ConnectionCheck> {
  const information = await runCheck(signal, async () => {
    const { value } = await client.exchangeInfo({ signal });
    const serverAheadMs = isTimestamp(value.serverTime ?? '') ? client.clockAheadMs : Number.NaN;
    return { symbols: value.symbols.length, serverAheadMs };
  });
  const account = await runCheck(signal, async () => {
    const { value, badRecords } = await client.accounts({ signal });
    return { positions: value.positions?.length, badRecords };
  });
  if (information.kind === 'works') await client.probeConventions({ signal });
  return { information, account };
}

async function runCheck<T>(signal: AbortSignal, read: () => Promise<T>): Promise<CheckResult<T>> {
  const startedAt = systemClock.now();
  try {
    const value = await read();
    return { kind: 'works', value, durationMs: systemClock.now() - startedAt };
  } catch (error) {
    signal.throwIfAborted();
    return { kind: 'fails', error };
  }
}

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
  { connection, display }: ProfileContext,
  name: string,
  documents: VirtualDocuments,
): Promise<void> {
  const target = await connectionTarget(connection, name);
  const report = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Testing the connection…'),
      cancellable: true,
    },
    (_progress, token) => connectAndCheck(connection, target, token),
  );
  if (await showTestResult(target, report, display.current))
    await openReport(target, report.conventions, documents);
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

/** Resolves to whether the user wants to see the report. */
async function showTestResult(
  target: ConnectionTarget,
  report: TestResult,
  display: Display,
): Promise<boolean> {
  const { information, account } = report;
  const works = [information, account].filter(({ kind }) => kind === 'works').length;
  const message = `${accountLabel(target.profile)} — ${verdictText(report)}`;
  const detail = [
    exchangeInformationText(report, display),
    accountCheckText(report, target, display),
    clockOffsetText(report, display),
    conventionsText(report.conventions, display),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
  const options = { modal: true, detail };
  const more = { title: vscode.l10n.t('Show Report') };
  const chosen = await (works === 2
    ? vscode.window.showInformationMessage(message, options, more)
    : vscode.window.showWarningMessage(message, options, more));
  return chosen === more;
}

function verdictText({ information, account }: ConnectionCheck): string {
  if (account.kind === 'works')
    return information.kind === 'works'
      ? vscode.l10n.t('connected.')
      : vscode.l10n.t('connected, but exchange information could not be read.');
  return information.kind === 'works'
    ? vscode.l10n.t('connected, but the account could not be read.')
    : vscode.l10n.t('not connected.');
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
