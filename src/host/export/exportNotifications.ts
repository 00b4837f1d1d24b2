import path from 'node:path';
import * as vscode from 'vscode';
import { isColumnFormat } from '../../account/export/exportFormats.ts';
import type { ExportPlan } from '../../account/export/exportPlan.ts';
import { runExport } from '../../account/export/exportRun.ts';
import { timeLeftMs, exportCompleteness, type Progress } from '../../account/export/progress.ts';
import type { AccountSession } from '../../account/session/accountSession.ts';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import type { Display } from '../../base/display.ts';
import { systemClock, type Clock } from '../../base/time.ts';
import type { RequestLogEntry } from '../../exchange/http/requestLog.ts';
import { operations } from '../../exchange/operations.ts';
import { withProgress, type ShowProgress } from '../shared/notificationProgress.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { isSessionOpen, type PreparedExport } from './exportPreparation.ts';
import {
  progressText,
  writingText,
  subjectText,
  resultText,
  exportFailureText,
  resumableText,
} from './exportText.ts';

type ExportProgressOptions = {
  readonly show: ShowProgress;
  readonly session: Pick<AccountSession, 'rateLimiter'>;
  readonly plan: Pick<ExportPlan, 'operation'>;
  /** The progress when this window started or resumed the export. */
  readonly first: Progress;
  readonly display: Pick<DisplayState, 'current'>;
  readonly clock: Clock;
};

/** Reports an export's rows, used weight and estimated time left to its notification. */
export class ExportProgress {
  private readonly options: ExportProgressOptions;
  private readonly startedAt: number;
  private usedWeight = 0;

  constructor(options: ExportProgressOptions) {
    this.options = options;
    this.startedAt = options.clock.now();
    this.show(options.first);
  }

  /** Counts the weight of each request of this export, retries and convention probes included. */
  addRequest({ priority, path, weight }: RequestLogEntry): void {
    const { operation } = this.options.plan;
    if (priority === 'bulk' && path === operations[operation].path) this.usedWeight += weight;
  }

  show({ rows, reads, part }: Progress): void {
    const { session, plan, first, display, clock } = this.options;
    const pace = {
      reads: reads - first.reads,
      done: part - first.part,
      left: 1 - part,
      elapsedMs: clock.now() - this.startedAt,
    };
    const { weight } = operations[plan.operation];
    const leftMs = timeLeftMs(pace, weight, session.rateLimiter.usage);
    this.options.show(part, progressText(rows, this.usedWeight, leftMs, display.current));
  }

  /** All rows are read, and `rows` of them are in the file. */
  showWritten(rows: number): void {
    const { show, display } = this.options;
    show(0, writingText(rows, display.current));
  }
}

export type RunExportOptions = {
  readonly active: ActiveAccount;
  readonly display: DisplayState;
  /** The name and version of the extension. */
  readonly writtenBy: string;
};

/**
 * Exports with a notification that shows the progress and has a Cancel button. Opening another account
 * also cancels it, as does `signal`.
 */
export function runExportWithProgress(
  { active, display, writtenBy }: RunExportOptions,
  { query, session, plan, partial, ledger, target }: PreparedExport,
  signal: AbortSignal,
): Promise<Progress> {
  const title = vscode.l10n.t('Exporting {0}', subjectText(plan));
  return withProgress(title, async (cancelled, show) => {
    const stop = new AbortController();
    const notification = new ExportProgress({
      show,
      session,
      plan,
      first: partial.progress,
      display,
      clock: systemClock,
    });
    const subscriptions = [
      session.onDidRequest((request) => notification.addRequest(request)),
      active.onDidChange(() => {
        if (!isSessionOpen(active, session)) stop.abort();
      }),
    ];
    try {
      return await runExport({
        plan,
        request: query.request,
        client: session.client,
        ledger,
        partial,
        target,
        clock: systemClock,
        writtenBy,
        onProgress: (progress) => notification.show(progress),
        onRowsWritten: (rows) => notification.showWritten(rows),
        signal: AbortSignal.any([cancelled, stop.signal, signal]),
      });
    } finally {
      for (const subscription of subscriptions) subscription.dispose();
    }
  });
}

/** Shows the result of a finished export, with buttons that open its file, if it is text, or reveal it. */
export async function showExportResult(
  plan: ExportPlan,
  progress: Progress,
  file: string,
  display: Display,
): Promise<void> {
  const { t } = vscode.l10n;
  const [open, reveal] = [t('Open File'), t('Reveal')];
  const isComplete = exportCompleteness(progress).completeness === 'complete';
  const show = isComplete ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  const buttons = [
    ...(isColumnFormat(plan.format) ? [] : [open]),
    ...(canRevealInFileManager() ? [reveal] : []),
  ];
  const chosen = await show(resultText(plan, progress, path.basename(file), display), ...buttons);
  const uri = vscode.Uri.file(file);
  if (chosen === open) await vscode.commands.executeCommand('vscode.open', uri);
  if (chosen === reveal) await vscode.commands.executeCommand('revealFileInOS', uri);
}

/** Shows why an export failed, with a button that resumes it or starts it again. */
export async function showExportFailure(
  error: unknown,
  rows: number,
  display: Display,
  resume: () => Promise<void>,
): Promise<void> {
  const button = rows === 0 ? vscode.l10n.t('Try Again') : vscode.l10n.t('Resume');
  const chosen = await vscode.window.showErrorMessage(
    exportFailureText(error, rows, display),
    button,
  );
  if (chosen === button) await resume();
}

/** Shows how many rows of a cancelled export were saved. */
export async function showExportCancelled(
  plan: ExportPlan,
  rows: number,
  display: Display,
): Promise<void> {
  const { t } = vscode.l10n;
  const text = `${t('Export of {0} cancelled.', subjectText(plan))} ${resumableText(rows, display)}`;
  await vscode.window.showInformationMessage(text);
}

/** Only a desktop window on the machine of the file can reveal it. */
export function canRevealInFileManager(): boolean {
  return vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
}
