import * as vscode from 'vscode';
import { NoAccountError } from '../../account/session/activeAccount.ts';
import type { Display } from '../../base/display.ts';
import { UserFacingError, type SuggestedAction } from '../../base/errors.ts';
import { isSignInRefused } from '../../exchange/exchangeError.ts';
import { commands, type CommandId } from '../shared/contributions.ts';
import { logRejection, type Log } from '../shared/log.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { t } from '../shared/translate.ts';
import { errorText } from './failureText.ts';
import { signInButtons, type CommandButton } from './signInHelp.ts';

type ErrorReporting = { readonly log: Log; readonly display: DisplayState };

/** Runs a command; its failure becomes a message and a line in the log. */
export async function runAndReportErrors(
  { log, display }: ErrorReporting,
  id: CommandId,
  run: () => Promise<void> | void,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (isCancellation(error)) return;
    log.failure(id, error);
    logRejection(log, 'showing an error', showErrorWithAction(error, display.latest()));
  }
}

/** Whether the user cancelled: nothing to report. */
export function isCancellation(error: unknown): boolean {
  return (
    error instanceof vscode.CancellationError ||
    (error instanceof Error && error.name === 'AbortError')
  );
}

/** The button of what an error suggests; undefined if it suggests nothing. */
export function suggestedButton(error: unknown): CommandButton | undefined {
  const action = error instanceof UserFacingError ? error.suggestedAction : undefined;
  return action && { action, title: actionTitle(action) };
}

/** Shows an error with a button for the suggested action. */
export async function showErrorWithAction(error: unknown, display: Display): Promise<void> {
  const fallback = error instanceof NoAccountError ? 'tryPractice' : 'showLog';
  const buttons = isSignInRefused(error)
    ? signInButtons()
    : [suggestedButton(error) ?? { action: fallback, title: actionTitle(fallback) }];
  const chosen = await vscode.window.showErrorMessage(errorText(error, display), ...buttons);
  if (chosen) await vscode.commands.executeCommand(commands[chosen.action]);
}

type ErrorAction = SuggestedAction | 'tryPractice' | 'showLog';

function actionTitle(action: ErrorAction): string {
  return {
    tryPractice: t('Open Practice Account'),
    addProfile: t('Add Profile…'),
    editProfile: t('Edit Profile…'),
    setCredentials: t('Set Credentials…'),
    switchProfile: t('Switch Profile…'),
    downloadHistory: t('Download History…'),
    showLog: t('Show Log'),
  }[action];
}
