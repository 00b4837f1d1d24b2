import path from 'node:path';
import * as vscode from 'vscode';
import { ExportFileError } from '../../account/export/exportFileError.ts';
import { isColumnFormat } from '../../account/export/exportFormats.ts';
import { ExportLedgers } from '../../account/export/exportLedgers.ts';
import type { ExportPlan, ExportQuery } from '../../account/export/exportPlan.ts';
import { runExport } from '../../account/export/exportRun.ts';
import { timeLeftMs, type ExportResult, type Progress } from '../../account/export/progress.ts';
import type { AccountSession } from '../../account/session/accountSession.ts';
import type { Display } from '../../base/display.ts';
import type { Disposable } from '../../base/disposable.ts';
import { systemClock, type Clock } from '../../base/time.ts';
import { operations } from '../../api/operations.ts';
import type { FeatureContext } from '../feature/context.ts';
import type { AccountLedger } from '../ledger/openLedger.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { setContextKey } from '../shared/contextKey.ts';
import { commands, contextKeys } from '../shared/contributions.ts';
import { logRejection, type Log } from '../shared/log.ts';
import { withProgress, type ShowProgress } from '../shared/notificationProgress.ts';
import { t } from '../shared/translate.ts';
import { isCancellation, runAndReportErrors } from '../text/commandErrors.ts';
import {
  prepareExport,
  type EarlierAnswers,
  type PreparedExport,
  type PrepareOptions,
  isSessionOpen,
} from './exportPreparation.ts';
import { askSubject } from './exportQuestions.ts';
import {
  progressText,
  waitingText,
  writingText,
  subjectText,
  resultText,
  exportFailureText,
  resumableText,
} from './exportText.ts';
import type { Services } from '../settings/services.ts';

type ExportCommandOptions = PrepareOptions & RunExportOptions & { readonly log: Log };

/** `activeSubject` is what an export of the table in front reads, if there is one. */
export function registerExport(context: FeatureContext, ledger: AccountLedger) {
  const exports = new ExportLedgers({
    folder: context.storageFolder('exports'),
    workerFile: context.file('dist/ledgerWorker.cjs'),
    clock: systemClock,
  });
  const command = context.add(new ExportCommand({ ...context, ledger, exports }));
  return {
    exports,
    /** Starts an export, which reports its own progress. */
    start: (subject: ExportQuery): void =>
      void runAndReportErrors(context, commands.exportTable, () => command.export(subject)),
    /** The rows of the panel in front, or of a history that the user picks. */
    commandsFor: (panels: { readonly activeExportSubject: ExportQuery | undefined }) => ({
      [commands.exportTable]: async () => {
        const subject = panels.activeExportSubject ?? (await askSubject());
        if (subject) await command.export(subject);
      },
    }),
  };
}

/** Shows how an export ended. Resolves after the user has closed the message. */
type ShowReport = () => Promise<void>;

/** Exports all rows of a history to a file. Exports of the same rows wait for each other. */
class ExportCommand implements Disposable {
  private readonly options: ExportCommandOptions;
  private readonly disposal = new AbortController();
  private readonly cleanup: Disposable;

  constructor(options: ExportCommandOptions) {
    const { exports, log } = options;
    this.options = options;
    this.cleanup = exports.removeExpiredHourly((error) =>
      log.failure('removing old exports', error),
    );
  }

  /** Asks, exports, and shows the result. Rejects only if the export cannot begin. */
  async export(query: ExportQuery, earlier?: EarlierAnswers): Promise<void> {
    const prepared = await prepareExport(this.options, query, earlier);
    if (!prepared) return;
    const showReport = await this.run(prepared);
    logRejection(this.options.log, 'reporting an export', showReport());
  }

  /** A running export ends as one that can be resumed. */
  dispose(): void {
    this.cleanup.dispose();
    this.disposal.abort();
  }

  private async run(prepared: PreparedExport): Promise<ShowReport> {
    const { display, log } = this.options;
    const { plan, target } = prepared;
    let saved = 0;
    const onProgress = ({ rows }: Progress): void => void (saved = rows);
    log.info(`export of ${plan.operation} begins`);
    try {
      const options = { ...this.options, onProgress };
      const result = await runExportWithProgress(options, prepared, this.disposal.signal);
      log.info(`export of ${plan.operation} ended: ${result.end.completeness}`);
      setContextKey(log, contextKeys.hasExported, true);
      return () => showExportResult(plan, result, target, display.current);
    } catch (error) {
      if (isCancellation(error)) return this.cancellationReport(plan, saved);
      return this.failureReport(prepared, saved, error);
    }
  }

  /** A window that closes shows no message. */
  private cancellationReport(plan: ExportPlan, rows: number): ShowReport {
    const { display, log } = this.options;
    log.info(`export of ${plan.operation} cancelled`);
    return async () => {
      if (!this.disposal.signal.aborted) await showExportCancelled(plan, rows, display.current);
    };
  }

  /** Resuming asks for another target only when the chosen one failed. */
  private failureReport(
    { query, plan, target }: PreparedExport,
    rows: number,
    error: unknown,
  ): ShowReport {
    const { display, log } = this.options;
    log.failure(`export of ${plan.operation}`, error);
    const isTargetWrong = error instanceof ExportFileError && error.location === 'target';
    const earlier = { format: plan.format, target: isTargetWrong ? undefined : target };
    const resume = () =>
      runAndReportErrors(this.options, commands.exportTable, () => this.export(query, earlier));
    return () => showExportFailure(error, rows, display.current, resume);
  }
}

type ExportProgressOptions = {
  readonly show: ShowProgress;
  readonly session: Pick<AccountSession, 'rateLimiter'>;
  readonly plan: Pick<ExportPlan, 'operation'>;
  readonly display: Pick<DisplayState, 'current'>;
  readonly clock: Clock;
};

/** Reports an export's rows, the weight of its reads and the estimated time left to its notification. */
export class ExportProgress {
  private readonly options: ExportProgressOptions;
  private readonly startedAt: number;
  /** The first of this window, which may have resumed the export. */
  private first: Progress | undefined;

  constructor(options: ExportProgressOptions) {
    this.options = options;
    this.startedAt = options.clock.now();
    this.options.show(0, progressText(0, 0, undefined, options.display.current));
  }

  /** Another export reads the same rows. */
  showWaiting(): void {
    this.options.show(0, waitingText());
  }

  show(progress: Progress): void {
    const { rows, reads, part } = progress;
    const { session, plan, display, clock } = this.options;
    const first = (this.first ??= progress);
    const pace = {
      reads: reads - first.reads,
      done: part - first.part,
      left: 1 - part,
      elapsedMs: clock.now() - this.startedAt,
    };
    const { weight } = operations[plan.operation];
    const leftMs = timeLeftMs(pace, weight, session.rateLimiter.usage);
    this.options.show(part, progressText(rows, reads * weight, leftMs, display.current));
  }

  /** All rows are read, and `rows` of them are in the file. */
  showWritten(rows: number): void {
    const { show, display } = this.options;
    show(0, writingText(rows, display.current));
  }
}

type RunExportOptions = Pick<Services, 'active' | 'display'> & {
  readonly exports: ExportLedgers;
  /** The name and version of the extension. */
  readonly writtenBy: string;
};

/**
 * Exports with a notification that shows the progress and has a Cancel button. Opening another account
 * also cancels it, as does `signal`.
 */
function runExportWithProgress(
  {
    active,
    display,
    writtenBy,
    exports,
    onProgress,
  }: RunExportOptions & { readonly onProgress: (progress: Progress) => void },
  { query, session, plan, ledger, target }: PreparedExport,
  signal: AbortSignal,
): Promise<ExportResult> {
  const title = t('Exporting {0}', subjectText(plan));
  return withProgress(title, async (cancelled, show) => {
    const stop = new AbortController();
    const clock = systemClock;
    const notification = new ExportProgress({ show, session, plan, display, clock });
    const subscription = active.onDidChange(() => {
      if (!isSessionOpen(active, session)) stop.abort();
    });
    try {
      return await runExport({
        plan,
        request: query.request,
        account: session,
        ...{ ledger, exports, target, clock, writtenBy },
        onWait: () => notification.showWaiting(),
        onProgress: (progress) => {
          onProgress(progress);
          notification.show(progress);
        },
        onRowsWritten: (rows) => notification.showWritten(rows),
        signal: AbortSignal.any([cancelled, stop.signal, signal]),
      });
    } finally {
      subscription.dispose();
    }
  });
}

/** Shows the result of a finished export, with buttons that open its file, if it is text, or reveal it. */
async function showExportResult(
  plan: ExportPlan,
  result: ExportResult,
  file: string,
  display: Display,
): Promise<void> {
  const [open, reveal] = [t('Open File'), t('Reveal')];
  const isComplete = result.end.completeness === 'complete';
  const show = isComplete ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  const buttons = [
    ...(isColumnFormat(plan.format) ? [] : [open]),
    ...(canRevealInFileManager() ? [reveal] : []),
  ];
  const chosen = await show(resultText(plan, result, path.basename(file), display), ...buttons);
  const uri = vscode.Uri.file(file);
  if (chosen === open) await vscode.commands.executeCommand('vscode.open', uri);
  if (chosen === reveal) await vscode.commands.executeCommand('revealFileInOS', uri);
}

/** Shows why an export failed, with a button that resumes it or starts it again. */
async function showExportFailure(
  error: unknown,
  rows: number,
  display: Display,
  resume: () => Promise<void>,
): Promise<void> {
  const button = rows === 0 ? t('Try Again') : t('Resume');
  const chosen = await vscode.window.showErrorMessage(
    exportFailureText(error, rows, display),
    button,
  );
  if (chosen === button) await resume();
}

/** Shows how many rows of a cancelled export were saved. */
async function showExportCancelled(
  plan: ExportPlan,
  rows: number,
  display: Display,
): Promise<void> {
  const text = `${t('Export of {0} cancelled.', subjectText(plan))} ${resumableText(rows, display)}`;
  await vscode.window.showInformationMessage(text);
}

/** Only a desktop window on the machine of the file can reveal it. */
export function canRevealInFileManager(): boolean {
  return vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
}
