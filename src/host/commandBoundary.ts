import * as vscode from 'vscode';
import { NoAccountError } from '../account/activeAccount.ts';
import type { Disposable } from '../base/disposable.ts';
import { commands, type CommandId } from './contributions.ts';
import type { Log } from './log.ts';
import { sentenceFor } from './words.ts';

/** Registers a command. The one place where a command's failure becomes a message and a line of the log. */
export function registerCommand(
  log: Log,
  id: CommandId,
  run: () => Promise<void> | void,
): Disposable {
  return vscode.commands.registerCommand(id, async () => {
    try {
      await run();
    } catch (error) {
      if (isCancellation(error)) return;
      log.failure(id, error);
      void offerCure(error);
    }
  });
}

/** Whether somebody gave up on purpose: nothing to report. */
export function isCancellation(error: unknown): boolean {
  return (
    error instanceof vscode.CancellationError ||
    (error instanceof Error && error.name === 'AbortError')
  );
}

async function offerCure(error: unknown): Promise<void> {
  const cure =
    error instanceof NoAccountError
      ? { title: vscode.l10n.t('Try the Practice Exchange'), command: commands.tryPractice }
      : { title: vscode.l10n.t('Show Log'), command: commands.showLog };
  const chosen = await vscode.window.showErrorMessage(sentenceFor(error), cure);
  if (chosen) await vscode.commands.executeCommand(chosen.command);
}
