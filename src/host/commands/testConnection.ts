import * as vscode from 'vscode';
import type { Display } from '../../base/display.ts';
import type { DialectBook } from '../../exchange/dialect/dialectBook.ts';
import type { Documents } from '../documents.ts';
import type { Accounts } from '../profiles/accounts.ts';
import { targetOf, type Target } from '../profiles/connectionTarget.ts';
import { examineConnection, type ConnectionReport } from '../profiles/examineConnection.ts';
import { pickProfile } from '../profiles/pickProfile.ts';
import type { ProfileDesk } from '../profiles/profileDesk.ts';
import { sentenceFor, whose } from '../words.ts';
import { dialectWords } from './dialectWords.ts';
import { openReport } from './showConnectionReport.ts';

type Examined = ConnectionReport & { readonly book: DialectBook };

/** Says of this window's profile, else of one to choose, what works and what does not. */
export async function testConnection(desk: ProfileDesk, documents: Documents): Promise<void> {
  const { wantedName } = desk.accounts;
  const title = vscode.l10n.t('Test Connection');
  const name = wantedName ?? (await pickProfile(title, wantedName))?.name;
  if (name !== undefined) await testProfile(desk, name, documents);
}

/** Says of a profile what works and what does not. */
export async function testProfile(
  { accounts, display }: ProfileDesk,
  name: string,
  documents: Documents,
): Promise<void> {
  const target = await targetOf(accounts, name);
  const report = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Testing the connection …'),
      cancellable: true,
    },
    (_progress, token) => examine(accounts, target, token),
  );
  if (await showsReport(target, report, display.current))
    await openReport(target, report.book, documents);
}

async function examine(
  accounts: Accounts,
  target: Target,
  token: vscode.CancellationToken,
): Promise<Examined> {
  const session = accounts.connect(target);
  const controller = new AbortController();
  const listening = token.onCancellationRequested(() => controller.abort());
  try {
    const report = await examineConnection(session, controller.signal);
    return { ...report, book: session.client.book };
  } finally {
    listening.dispose();
    session.dispose();
  }
}

/** Whether the person wants to read more. */
async function showsReport(target: Target, report: Examined, display: Display): Promise<boolean> {
  const { information, account } = report;
  const works = [information, account].filter(({ kind }) => kind === 'works').length;
  const message = `${whose(target.profile)} — ${verdict(works)}`;
  const detail = [
    informationWords(report, display),
    accountWords(report, target, display),
    clockWords(report, display),
    dialectWords(report.book, display),
  ]
    .filter((words) => words !== '')
    .join('\n\n');
  const options = { modal: true, detail };
  const more = { title: vscode.l10n.t('Show Report') };
  const chosen = await (works === 2
    ? vscode.window.showInformationMessage(message, options, more)
    : vscode.window.showWarningMessage(message, options, more));
  return chosen === more;
}

function verdict(works: number): string {
  if (works === 2) return vscode.l10n.t('the connection works.');
  return works === 1
    ? vscode.l10n.t('a part of the connection works.')
    : vscode.l10n.t('the connection does not work.');
}

function informationWords({ information }: ConnectionReport, display: Display): string {
  if (information.kind === 'fails')
    return vscode.l10n.t('✗ Exchange information: {0}', sentenceFor(information.error, display));
  const { value, durationMs } = information;
  const counts = [value.symbols, durationMs].map((count) => display.count(count));
  return vscode.l10n.t('✓ Exchange information: {0} symbols, {1} ms.', ...counts);
}

function accountWords(
  { account }: ConnectionReport,
  { missing }: Target,
  display: Display,
): string {
  if (account.kind === 'fails')
    return vscode.l10n.t('✗ Account: {0}', sentenceFor(missing ?? account.error, display));
  const { value, durationMs } = account;
  const counts = [value.positions, durationMs].map((count) => display.count(count));
  return vscode.l10n.t('✓ Account: {0} positions, {1} ms.', ...counts);
}

const noticeableMs = 1000;

function clockWords({ information }: ConnectionReport, display: Display): string {
  if (information.kind === 'fails') return '';
  const { serverAheadMs } = information.value;
  if (!Number.isFinite(serverAheadMs)) return vscode.l10n.t('The server’s time cannot be read.');
  const seconds = display.full('seconds', (Math.abs(serverAheadMs) / 1000).toFixed(1));
  if (Math.abs(serverAheadMs) < noticeableMs)
    return vscode.l10n.t('The server’s clock differs from ours by {0} s.', seconds);
  return serverAheadMs > 0
    ? vscode.l10n.t(
        'The server’s clock is {0} s ahead of ours: signed requests go by the server’s.',
        seconds,
      )
    : vscode.l10n.t(
        'The server’s clock is {0} s behind ours: signed requests go by the server’s.',
        seconds,
      );
}
