import * as vscode from 'vscode';
import { NoAccountError } from '../account/activeAccount.ts';
import type { Display } from '../base/display.ts';
import { SentenceError, type Cure } from '../base/sentenceError.ts';
import { inBackground } from './background.ts';
import { commands, type CommandId } from './contributions.ts';
import type { DisplayState } from './displayState.ts';
import type { Log } from './log.ts';
import { sentenceFor } from './words.ts';

/** Where a failure is written down, and how it is shown. */
export type Boundary = { readonly log: Log; readonly display: DisplayState };

/** The one place where a command's failure becomes a message and a line of the log. */
export async function runAtBoundary(
  { log, display }: Boundary,
  id: CommandId,
  run: () => Promise<void> | void,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (isCancellation(error)) return;
    log.failure(id, error);
    inBackground(log, 'offering a cure', offerCure(error, display.latest()));
  }
}

/** Whether somebody gave up on purpose: nothing to report. */
export function isCancellation(error: unknown): boolean {
  return (
    error instanceof vscode.CancellationError ||
    (error instanceof Error && error.name === 'AbortError')
  );
}

/** Says what went wrong and offers what helps against it. */
export async function offerCure(error: unknown, display: Display): Promise<void> {
  const command = cureFor(error);
  const button = { title: cureTitle(command) };
  const chosen = await vscode.window.showErrorMessage(sentenceFor(error, display), button);
  if (chosen) await vscode.commands.executeCommand(commands[command]);
}

type Offer = Cure | 'tryPractice' | 'showLog';

function cureFor(error: unknown): Offer {
  if (error instanceof NoAccountError) return 'tryPractice';
  return (error instanceof SentenceError ? error.cure : undefined) ?? 'showLog';
}

function cureTitle(offer: Offer): string {
  switch (offer) {
    case 'tryPractice':
      return vscode.l10n.t('Try the Practice Exchange');
    case 'addProfile':
      return vscode.l10n.t('Add Profile');
    case 'editProfile':
      return vscode.l10n.t('Edit Profile');
    case 'setCredentials':
      return vscode.l10n.t('Set Credentials');
    case 'switchProfile':
      return vscode.l10n.t('Switch Profile');
    case 'showLog':
      return vscode.l10n.t('Show Log');
    default:
      return offer satisfies never;
  }
}
