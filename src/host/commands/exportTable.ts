import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/activeAccount.ts';
import { ExportFileError } from '../../account/export/exportFileError.ts';
import {
  planExport,
  type ExportPlan,
  type ExportSubject,
} from '../../account/export/exportPlan.ts';
import { runExport } from '../../account/export/exportRun.ts';
import type { PartialFile } from '../../account/export/partialFile.ts';
import type { Partials } from '../../account/export/partials.ts';
import type { FormatName } from '../../account/export/rowWriter.ts';
import type { Session } from '../../account/session.ts';
import { systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { SentenceError } from '../../base/sentenceError.ts';
import type { HistoryName } from '../../exchange/walk/clientHistory.ts';
import { inBackground } from '../background.ts';
import { isCancellation, runAtBoundary } from '../commandBoundary.ts';
import { commands } from '../contributions.ts';
import type { DisplayState } from '../displayState.ts';
import type { Log } from '../log.ts';
import { ExportProgress } from './exportTableProgress.ts';
import { askFormat, askTarget, askToResume } from './exportTableQuestions.ts';
import { reportEnd, reportFailure, reportStop } from './exportTableReport.ts';
import { historyWords, subjectWords } from './exportTableWords.ts';

export type TableExportsOptions = {
  readonly active: ActiveAccount;
  readonly partials: Partials;
  readonly display: DisplayState;
  /** Whether what privacy hides may leave for a file. */
  readonly confirmRealValues: () => Promise<boolean>;
  readonly log: Log;
  /** The extension, with its version. */
  readonly writtenBy: string;
};

/** What was answered before an export that stopped, so that it is not asked again. */
type Earlier = { readonly format: FormatName; readonly target: string | undefined };

/** Tells what became of an export; does not end before the person has looked at it. */
type Report = () => Promise<void>;

type Job = {
  readonly subject: ExportSubject;
  readonly session: Session;
  readonly plan: ExportPlan;
  readonly partial: PartialFile;
  readonly target: string;
};

/** Exports all rows of a history to a file, one export of a history at a time. */
export class TableExports implements Disposable {
  private readonly options: TableExportsOptions;
  private readonly running = new Set<HistoryName>();
  private readonly life = new AbortController();

  constructor(options: TableExportsOptions) {
    this.options = options;
    inBackground(options.log, 'removing old exports', this.removeOld());
  }

  /** Asks what there is to ask, exports, and says what became of it. Rejects only with what kept it from beginning. */
  async export(subject: ExportSubject, earlier?: Earlier): Promise<void> {
    const { operation } = subject.request;
    if (this.running.has(operation)) {
      this.sayItRuns(operation);
      return;
    }
    this.running.add(operation);
    let report: Report = () => Promise.resolve();
    try {
      const job = await this.prepare(subject, earlier);
      if (job) report = await this.run(job);
    } finally {
      this.running.delete(operation);
    }
    inBackground(this.options.log, 'reporting an export', report());
  }

  /** What runs ends as something that can be gone on with. */
  dispose(): void {
    this.life.abort();
  }

  private async prepare(subject: ExportSubject, earlier?: Earlier): Promise<Job | undefined> {
    const { active, partials, confirmRealValues } = this.options;
    const session = await active.session();
    if (!(await confirmRealValues())) return undefined;
    const format = earlier?.format ?? (await askFormat());
    if (!format) return undefined;
    const plan = planExport(session.profile, session.client, subject, format);
    const kept = await partials.find(plan);
    const choice = await this.chooseStart(plan, kept, earlier);
    if (!choice) return undefined;
    const isResumed = choice === 'resume' && kept.kind === 'kept';
    const range = isResumed ? kept.progress.range : plan.range;
    const target = earlier?.target ?? (await askTarget(plan, range));
    if (target === undefined) return undefined;
    this.requireOpen(session);
    if (!isResumed && kept.kind !== 'none') await partials.discard(kept.paths);
    const partial = isResumed ? await partials.resume(kept) : await partials.start(plan);
    return { subject, session, plan, partial, target };
  }

  private async chooseStart(
    plan: ExportPlan,
    kept: Awaited<ReturnType<Partials['find']>>,
    earlier: Earlier | undefined,
  ): Promise<'resume' | 'startOver' | undefined> {
    if (kept.kind === 'damaged') this.sayItIsDamaged(plan);
    if (kept.kind !== 'kept') return 'startOver';
    return earlier
      ? 'resume'
      : askToResume(plan, kept.progress, kept.savedAt, this.options.display.current);
  }

  private async run(job: Job): Promise<Report> {
    const { display, log } = this.options;
    const { subject, plan, partial, target } = job;
    log.info(`export of ${plan.operation} begins`);
    try {
      const progress = await this.runWithProgress(job);
      log.info(`export of ${plan.operation} ended: ${progress.end?.completeness ?? 'unknown'}`);
      return () => reportEnd(plan, progress, target, display.current);
    } catch (error) {
      const { rows } = partial.progress;
      if (isCancellation(error)) return this.stopped(plan, rows);
      log.failure(`export of ${plan.operation}`, error);
      const isMisplaced = error instanceof ExportFileError && error.place === 'target';
      const earlier = { format: plan.format, target: isMisplaced ? undefined : target };
      const resume = () => this.export(subject, earlier);
      return () =>
        reportFailure(error, rows, display.current, () =>
          runAtBoundary(this.options, commands.exportTable, resume),
        );
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

  private runWithProgress({ subject, session, plan, partial, target }: Job) {
    const { active, display, writtenBy } = this.options;
    const options = {
      location: vscode.ProgressLocation.Notification,
      cancellable: true,
      title: vscode.l10n.t('Exporting {0}', subjectWords(plan)),
    };
    return vscode.window.withProgress(options, async (report, token) => {
      const stop = new AbortController();
      const subscriptions = [
        token.onCancellationRequested(() => stop.abort()),
        active.onDidChange(() => {
          if (!isOpen(active, session)) stop.abort();
        }),
      ];
      const shown = new ExportProgress(
        report,
        session,
        plan,
        partial.progress,
        display,
        systemClock,
      );
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
          signal: AbortSignal.any([stop.signal, this.life.signal]),
        });
      } finally {
        for (const subscription of subscriptions) subscription.dispose();
      }
    });
  }

  private requireOpen(session: Session): void {
    if (!isOpen(this.options.active, session))
      throw new SentenceError(
        vscode.l10n.t('Nothing was exported: another account was opened while the question stood.'),
      );
  }

  private async removeOld(): Promise<void> {
    const { partials, log } = this.options;
    const removed = await partials.sweep();
    if (removed > 0) log.info(`removed unfinished exports older than 24 hours: ${removed}`);
  }

  private sayItRuns(operation: HistoryName): void {
    const text = vscode.l10n.t(
      'An export of {0} runs already: wait for it, or cancel it in its notification.',
      historyWords(operation),
    );
    inBackground(this.options.log, 'a message', vscode.window.showInformationMessage(text));
  }

  private sayItIsDamaged(plan: ExportPlan): void {
    const text = vscode.l10n.t(
      'What was kept of an earlier export of {0} is damaged: it starts over.',
      subjectWords(plan),
    );
    inBackground(this.options.log, 'a message', vscode.window.showWarningMessage(text));
  }
}

function isOpen({ state }: ActiveAccount, session: Session): boolean {
  return state.kind === 'open' && state.session === session;
}
