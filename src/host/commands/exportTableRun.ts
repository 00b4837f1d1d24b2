import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/activeAccount.ts';
import { runExport } from '../../account/export/exportRun.ts';
import type { Progress } from '../../account/export/progress.ts';
import { systemClock } from '../../base/clock.ts';
import type { DisplayState } from '../displayState.ts';
import { isOpen, type Job } from './exportTablePrepare.ts';
import { ExportProgress } from './exportTableProgress.ts';
import { subjectWords } from './exportTableWords.ts';

export type RunOptions = {
  readonly active: ActiveAccount;
  readonly display: DisplayState;
  /** The extension, with its version. */
  readonly writtenBy: string;
};

/**
 * Exports under a notification that shows how far it is and cancels. Ends as one that was cancelled
 * when another account is opened, or by `life`.
 */
export function runWithProgress(
  { active, display, writtenBy }: RunOptions,
  { subject, session, plan, partial, target }: Job,
  life: AbortSignal,
): Promise<Progress> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    cancellable: true,
    title: vscode.l10n.t('Exporting {0}', subjectWords(plan)),
  };
  const running = vscode.window.withProgress(options, async (report, token) => {
    const stop = new AbortController();
    const shown = new ExportProgress({
      report,
      session,
      plan,
      first: partial.progress,
      display,
      clock: systemClock,
    });
    const subscriptions = [
      token.onCancellationRequested(() => stop.abort()),
      session.onDidRequest((request) => shown.note(request)),
      active.onDidChange(() => {
        if (!isOpen(active, session)) stop.abort();
      }),
    ];
    try {
      return await runExport({
        plan,
        request: subject.request,
        client: session.client.at('bulk'),
        partial,
        target,
        clock: systemClock,
        writtenBy,
        onProgress: (progress) => shown.show(progress),
        signal: AbortSignal.any([stop.signal, life]),
      });
    } finally {
      for (const subscription of subscriptions) subscription.dispose();
    }
  });
  return Promise.resolve(running);
}
