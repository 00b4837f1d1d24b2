import * as vscode from 'vscode';
import { ExportFileError } from '../../account/export/exportFileError.ts';
import type { ExportPlan, ExportSubject } from '../../account/export/exportPlan.ts';
import { PartialSweep } from '../../account/export/partialSweep.ts';
import { systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { inBackground } from '../background.ts';
import { isCancellation, runAtBoundary } from '../commandBoundary.ts';
import { commands } from '../contributions.ts';
import type { Log } from '../log.ts';
import {
  prepareExport,
  type Earlier,
  type Job,
  type PrepareOptions,
} from './exportTablePrepare.ts';
import { reportEnd, reportFailure, reportStop } from './exportTableReport.ts';
import { runWithProgress, type RunOptions } from './exportTableRun.ts';
import { historyWords } from './exportTableWords.ts';
import type { HistoryName } from '../../exchange/histories.ts';

export type TableExportsOptions = PrepareOptions & RunOptions & { readonly log: Log };

/** Tells what became of an export; does not end before the person has looked at it. */
type Report = () => Promise<void>;

/** Exports all rows of a history to a file, one export of a history at a time. */
export class TableExports implements Disposable {
  private readonly options: TableExportsOptions;
  private readonly running = new Set<HistoryName>();
  private readonly life = new AbortController();
  private readonly sweep: PartialSweep;

  constructor(options: TableExportsOptions) {
    const { partials, log } = options;
    this.options = options;
    this.sweep = new PartialSweep({
      partials,
      clock: systemClock,
      onRemoved: (count) => log.info(`removed unfinished exports older than 24 hours: ${count}`),
      onProblem: (error) => log.failure('removing old exports', error),
    });
  }

  /** Asks what there is to ask, exports, and says what became of it. Rejects only with what kept it from beginning. */
  async export(subject: ExportSubject, earlier?: Earlier): Promise<void> {
    const { operation } = subject.request;
    this.sweep.run();
    if (this.running.has(operation)) {
      this.sayItRuns(operation);
      return;
    }
    this.running.add(operation);
    let report: Report = () => Promise.resolve();
    try {
      const job = await prepareExport(this.options, subject, earlier);
      if (job) report = await this.run(job);
    } finally {
      this.running.delete(operation);
    }
    inBackground(this.options.log, 'reporting an export', report());
  }

  /** What runs ends as something that can be gone on with. */
  dispose(): void {
    this.sweep.dispose();
    this.life.abort();
  }

  private async run(job: Job): Promise<Report> {
    const { display, log } = this.options;
    const { plan, partial, target } = job;
    log.info(`export of ${plan.operation} begins`);
    try {
      const progress = await runWithProgress(this.options, job, this.life.signal);
      log.info(`export of ${plan.operation} ended: ${progress.end?.completeness ?? 'unknown'}`);
      return () => reportEnd(plan, progress, target, display.current);
    } catch (error) {
      if (isCancellation(error)) return this.stopped(plan, partial.progress.rows);
      return this.failed(job, error);
    }
  }

  /** Nobody is there to be told when the window closes. */
  private stopped(plan: ExportPlan, rows: number): Report {
    const { display, log } = this.options;
    log.info(`export of ${plan.operation} stopped`);
    return async () => {
      if (!this.life.signal.aborted) await reportStop(plan, rows, display.current);
    };
  }

  /** Going on asks for another place only where the chosen one was no good. */
  private failed({ subject, plan, partial, target }: Job, error: unknown): Report {
    const { display, log } = this.options;
    log.failure(`export of ${plan.operation}`, error);
    const isMisplaced = error instanceof ExportFileError && error.place === 'target';
    const earlier = { format: plan.format, target: isMisplaced ? undefined : target };
    const goOn = () =>
      runAtBoundary(this.options, commands.exportTable, () => this.export(subject, earlier));
    return () => reportFailure(error, partial.progress.rows, display.current, goOn);
  }

  private sayItRuns(operation: HistoryName): void {
    const text = vscode.l10n.t(
      'An export of {0} is under way already: answer what it asks, or wait for it or cancel it in its notification.',
      historyWords(operation),
    );
    inBackground(this.options.log, 'a message', vscode.window.showInformationMessage(text));
  }
}
