import * as vscode from 'vscode';
import type { CancelReport } from '../../account/cancelAll/cancelAll.ts';
import { isOpenEnded } from '../../account/cancelAll/followUp.ts';
import type { Display } from '../../base/display.ts';
import type { DisplayState } from '../displayState.ts';
import type { Documents } from '../documents.ts';
import { whose } from '../words.ts';
import { outcomeWords, severityOf, type Severity } from './outcomeWords.ts';
import { showReceipt } from './receiptText.ts';

/** Says what became of a cancel-all, and offers its receipt. An error with a button stays until it is dismissed. */
export async function reportCancel(
  report: CancelReport,
  display: DisplayState,
  documents: Documents,
): Promise<void> {
  const { receipt } = report;
  const show = vscode.l10n.t('Show Receipt');
  const chosen = await showers[severityOf(receipt)](reportWords(report, display.latest()), show);
  if (chosen === show) await showReceipt(receipt, documents);
}

/** The report as a notification, which stays as it is: its time is told, as figures are of it, masked in privacy. */
export function reportWords(
  { receipt, isKept, awaitsHistory }: CancelReport,
  display: Display,
): string {
  const { profile: name, environment, after, endedAt, sentAt } = receipt;
  const time = display.timeOfDay(String(after.at(-1)?.at ?? endedAt ?? sentAt));
  const outcome = outcomeWords(receipt, display, awaitsHistory);
  const words = [`${whose({ name, environment })}, ${time}: ${outcome}`];
  if (isOpenEnded(receipt) && receipt.after.length === 1)
    words.push(vscode.l10n.t('What is locked is read again after 2, 5 and 15 s.'));
  if (!isKept)
    words.push(vscode.l10n.t('Its receipt could not be kept: show it now, and save it.'));
  return words.join(' ');
}

type Shower = (text: string, ...buttons: string[]) => Thenable<string | undefined>;

const showers: Readonly<Record<Severity, Shower>> = {
  information: (text, ...buttons) => vscode.window.showInformationMessage(text, ...buttons),
  warning: (text, ...buttons) => vscode.window.showWarningMessage(text, ...buttons),
  error: (text, ...buttons) => vscode.window.showErrorMessage(text, ...buttons),
};
