import * as vscode from 'vscode';
import { ExportFileError } from '../../account/export/exportFileError.ts';
import type { ExportPlan, ExportQuery } from '../../account/export/exportPlan.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { HistoryName } from '../../exchange/history/historyRecords.ts';
import { isCancellation, runAndReportErrors } from '../text/commandErrors.ts';
import { commands } from '../shared/contributions.ts';
import { logRejection, type Log } from '../shared/log.ts';
import {
  showExportResult,
  showExportFailure,
  showExportCancelled,
  runExportWithProgress,
  type RunExportOptions,
} from './exportNotifications.ts';
import {
  prepareExport,
  type EarlierAnswers,
  type PreparedExport,
  type PrepareOptions,
} from './exportPreparation.ts';
import { historyText } from './exportText.ts';

type ExportCommandOptions = PrepareOptions & RunExportOptions & { readonly log: Log };

/** Shows how an export ended. Resolves after the user has closed the message. */
type ShowReport = () => Promise<void>;

/** Exports all rows of a history to a file, one export per history at a time. */
export class ExportCommand implements Disposable {
  private readonly options: ExportCommandOptions;
  private readonly running = new Set<HistoryName>();
  private readonly disposal = new AbortController();
  private readonly cleanup: Disposable;

  constructor(options: ExportCommandOptions) {
    const { partials, log } = options;
    this.options = options;
    this.cleanup = partials.removeExpiredHourly({
      onRemoved: (count) => log.info(`removed unfinished exports older than 24 hours: ${count}`),
      onError: (error) => log.failure('removing old exports', error),
    });
  }

  /** Asks, exports, and shows the result. Rejects only if the export cannot begin. */
  async export(query: ExportQuery, earlier?: EarlierAnswers): Promise<void> {
    const { operation } = query.request;
    if (this.running.has(operation)) {
      this.showAlreadyRunning(operation);
      return;
    }
    this.running.add(operation);
    let showReport: ShowReport = () => Promise.resolve();
    try {
      const prepared = await prepareExport(this.options, query, earlier);
      if (prepared) showReport = await this.run(prepared);
    } finally {
      this.running.delete(operation);
    }
    logRejection(this.options.log, 'reporting an export', showReport());
  }

  /** A running export ends as one that can be resumed. */
  dispose(): void {
    this.cleanup.dispose();
    this.disposal.abort();
  }

  private async run(prepared: PreparedExport): Promise<ShowReport> {
    const { display, log } = this.options;
    const { plan, partial, target } = prepared;
    log.info(`export of ${plan.operation} begins`);
    try {
      const progress = await runExportWithProgress(this.options, prepared, this.disposal.signal);
      log.info(`export of ${plan.operation} ended: ${progress.end?.completeness ?? 'unknown'}`);
      return () => showExportResult(plan, progress, target, display.current);
    } catch (error) {
      if (isCancellation(error)) return this.cancellationReport(plan, partial.progress.rows);
      return this.failureReport(prepared, error);
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
    { query, plan, partial, target }: PreparedExport,
    error: unknown,
  ): ShowReport {
    const { display, log } = this.options;
    log.failure(`export of ${plan.operation}`, error);
    const isTargetWrong = error instanceof ExportFileError && error.location === 'target';
    const earlier = { format: plan.format, target: isTargetWrong ? undefined : target };
    const resume = () =>
      runAndReportErrors(this.options, commands.exportTable, () => this.export(query, earlier));
    return () => showExportFailure(error, partial.progress.rows, display.current, resume);
  }

  private showAlreadyRunning(operation: HistoryName): void {
    const text = vscode.l10n.t(
      'An export of {0} is already running. Answer its question, or cancel it in its notification.',
      historyText(operation),
    );
    logRejection(this.options.log, 'a message', vscode.window.showInformationMessage(text));
  }
}
