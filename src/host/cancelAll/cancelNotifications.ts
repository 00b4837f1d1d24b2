import * as vscode from 'vscode';
import type { CancelReport } from '../../account/cancelAll/cancelAll.ts';
import type { CancelProgress } from '../../account/cancelAll/cancelProgress.ts';
import type { Display } from '../../base/display.ts';
import { views } from '../shared/contributions.ts';
import type { Log } from '../shared/log.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { accountLabel } from '../text/messageText.ts';
import { outcomeLook, outcomeText, type OutcomeLook } from './outcomeText.ts';

/** Shows the progress of one run: in the view while it plans, in a notification once it is confirmed. */
export function showCancelProgress(
  display: DisplayState,
  log: Log,
): (progress: CancelProgress) => void {
  let shown: ShownProgress | undefined;
  let last: CancelProgress['at'] | undefined;
  const show = (options: vscode.ProgressOptions, onCancel?: () => void): void => {
    shown?.end();
    shown = beginProgress(options, onCancel);
  };
  return (progress) => {
    if (progress.at !== last) log.info(`cancel-all: ${progress.at}`);
    const wasWaiting = last === 'waiting';
    last = progress.at;
    switch (progress.at) {
      case 'planning': {
        show({ location: { viewId: views.positions } });
        return;
      }
      case 'confirming':
      case 'ended':
        return shown?.end();
      case 'waiting':
        if (!wasWaiting) show(waitingOptions(), progress.stop);
        return shown?.report(waitingText(progress.sendableAt, display.latest()));
      case 'sending': {
        show(notificationOptions());
        return;
      }
      case 'verifying':
        return shown?.report(
          progress.isUnknown
            ? vscode.l10n.t('Result unknown. Reading what is still locked…')
            : vscode.l10n.t('Reading what is still locked…'),
        );
    }
  };
}

function notificationOptions(): vscode.ProgressOptions {
  return {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Cancelling all open orders'),
  };
}

/**
 * Its button withdraws the request, which was not sent yet. VS Code would name the button “Cancel”, which
 * here reads as its opposite; it takes another name as text, which its types leave out.
 */
function waitingOptions(): vscode.ProgressOptions {
  return {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Waiting to send cancel-all'),
    cancellable: vscode.l10n.t('Do Not Send') as unknown as true,
  };
}

function waitingText(sendableAt: number, display: Display): string {
  return vscode.l10n.t(
    'The exchange’s limit is used up. The request is sent at {0}.',
    display.timeOfDay(String(sendableAt)),
  );
}

type ShownProgress = {
  readonly report: (message: string) => void;
  readonly end: () => void;
};

/** VS Code calls back some time later: reports and the end may come before. */
function beginProgress(options: vscode.ProgressOptions, onCancel?: () => void): ShownProgress {
  const { promise: ended, resolve } = Promise.withResolvers<undefined>();
  let message: string | undefined;
  let report = (text: string): void => void (message = text);
  void vscode.window.withProgress(options, (progress, token) => {
    if (onCancel) token.onCancellationRequested(onCancel);
    report = (text) => progress.report({ message: text });
    if (message !== undefined) report(message);
    return ended;
  });
  return { report: (text) => report(text), end: () => resolve(undefined) };
}

/** Shows the outcome of a cancel-all, and offers its receipt. An error with a button stays until it is dismissed. */
export async function showCancelReport(
  report: CancelReport,
  display: Display,
  showReceipt: () => void,
): Promise<void> {
  const show = vscode.l10n.t('Show Receipt');
  const message = showMessage[outcomeLook(report.receipt).tone];
  if ((await message(cancelReportText(report, display), show)) === show) showReceipt();
}

/** So that two lines suffice. */
const maxNameLength = 14;

/** The report as a notification. It has its time because it stays as it is; figures are masked in privacy mode. */
export function cancelReportText({ receipt, isSaved }: CancelReport, display: Display): string {
  const { profile: name, environment, after, endedAt, sentAt } = receipt;
  const time = display.timeOfDay(String(after.at(-1)?.at ?? endedAt ?? sentAt));
  const label = accountLabel({ name, environment }, maxNameLength);
  const { notification: write = outcomeText } = outcomeLook(receipt);
  const report = `${label}, ${time}: ${write(receipt, display)}`;
  // The receipt of an unknown result is open and says so itself.
  if (isSaved || receipt.outcome === 'unknown') return report;
  const unsaved = vscode.l10n.t('The receipt could not be stored: show it now, and save it.');
  return `${report} ${unsaved}`;
}

type ShowMessage = (text: string, ...buttons: string[]) => Thenable<string | undefined>;

const showMessage: Readonly<Record<OutcomeLook['tone'], ShowMessage>> = {
  success: (text, ...buttons) => vscode.window.showInformationMessage(text, ...buttons),
  information: (text, ...buttons) => vscode.window.showInformationMessage(text, ...buttons),
  warning: (text, ...buttons) => vscode.window.showWarningMessage(text, ...buttons),
  error: (text, ...buttons) => vscode.window.showErrorMessage(text, ...buttons),
};
