import * as vscode from 'vscode';
import { abortable } from '../../base/abort.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { isTemporary, leastMsLeft, type DownloadEnd } from '../../ledger/sync/download.ts';
import { planDownload } from '../../ledger/sync/downloadPlan.ts';
import { commands } from '../shared/contributions.ts';
import { logRejection, type Log } from '../shared/log.ts';
import { withProgress, type ShowProgress } from '../shared/notificationProgress.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { t } from '../shared/translate.ts';
import { errorText } from '../text/failureText.ts';
import { accountLabel } from '../text/messageText.ts';
import type { LedgerSession } from '../../account/ledger/ledgerSession.ts';
import { downloadText } from './ledgerText.ts';

type DownloadRunsOptions = { readonly display: DisplayState; readonly log: Log };

type Begin = (signal: AbortSignal) => Promise<DownloadEnd>;

/** Runs the download of a ledger in this window, with a notification that pauses it. */
export class DownloadRuns {
  private readonly options: DownloadRunsOptions;
  private readonly running = new WeakMap<LedgerSession, string>();
  private readonly didChange = new Emitter<void>();
  /** One began, came further or ended. */
  readonly onDidChange: Event<void> = this.didChange.event;
  /** Those of the practice account that are read by themselves. */
  private readonly filled = new WeakSet<LedgerSession>();
  /** Those that a person has to start again. */
  private readonly stopped = new WeakSet<LedgerSession>();

  constructor(options: DownloadRunsOptions) {
    this.options = options;
  }

  /** How far the download came, in words; undefined if none runs. */
  progress(ledger: LedgerSession): string | undefined {
    return this.running.get(ledger);
  }

  /** Continues a download that was interrupted, and not paused, in this or another window. */
  goOn(ledger: LedgerSession): void {
    if (this.running.has(ledger) || this.stopped.has(ledger)) return;
    const going = unlessClosed(ledger, this.goOnIfBegun(ledger));
    logRejection(this.options.log, 'going on with a download', going);
  }

  /**
   * Reads what the practice exchange has, once for each time that its account is opened: invented data needs no
   * consent, and no notification. A person who presses *Download History…* meanwhile joins it.
   */
  fillPractice(ledger: LedgerSession): void {
    if (this.filled.has(ledger)) return;
    this.filled.add(ledger);
    const filling = unlessClosed(ledger, fill(ledger));
    logRejection(this.options.log, 'filling the practice ledger', filling);
  }

  /** Runs a download to its end and reports it. Never rejects. */
  async run(ledger: LedgerSession, begin: Begin): Promise<void> {
    this.set(ledger, t('Starting…'));
    this.stopped.delete(ledger);
    try {
      this.showEnd(ledger, await this.runWithProgress(ledger, begin));
    } catch (error) {
      if (!ledger.signal.aborted) this.showFailure(ledger, error);
    } finally {
      this.running.delete(ledger);
      this.didChange.fire();
    }
  }

  private set(ledger: LedgerSession, progress: string): void {
    this.running.set(ledger, progress);
    this.didChange.fire();
  }

  private async goOnIfBegun(ledger: LedgerSession): Promise<void> {
    if (!(await ledger.download.isBegun()) || this.running.has(ledger)) return;
    await this.run(ledger, (signal) => ledger.download.run(signal));
  }

  private runWithProgress(ledger: LedgerSession, begin: Begin): Promise<DownloadEnd> {
    const { account, download } = ledger;
    const { display, log } = this.options;
    const title = t('Downloading the history of {0}', accountLabel(account.profile));
    const run = async (paused: AbortSignal, show: ShowProgress): Promise<DownloadEnd> => {
      paused.addEventListener('abort', () =>
        logRejection(log, 'pausing a download', download.pause()),
      );
      let most = 0;
      const shown = ledger.onDidProgress((progress) => {
        // The bar follows the weight that is left, whose estimate may rise.
        most = Math.max(most, progress.weightLeft);
        const done = most === 0 ? 0 : 1 - progress.weightLeft / most;
        const leftMs = leastMsLeft(progress, account.rateLimiter.usage);
        const text = downloadText(progress, leftMs, display.current);
        show(done, text);
        this.set(ledger, text);
      });
      try {
        return await untilEnd(ledger, begin);
      } finally {
        shown.dispose();
      }
    };
    return withProgress(title, run, t('Pause'));
  }

  private showEnd(ledger: LedgerSession, end: DownloadEnd): void {
    if (end === 'none') return;
    const account = accountLabel(ledger.account.profile);
    const text =
      end === 'finished'
        ? t('The history of {0} is downloaded.', account)
        : t('The download of {0} is paused. “Download History…” resumes it.', account);
    this.show(vscode.window.showInformationMessage(text, t('Open Ledger')));
  }

  private showFailure(ledger: LedgerSession, error: unknown): void {
    const { display, log } = this.options;
    this.stopped.add(ledger);
    log.failure('downloading the history', error);
    const stored = t('What was read is stored; “Download History…” continues from there.');
    const text = `${errorText(error, display.current)} ${stored}`;
    this.show(vscode.window.showErrorMessage(text, t('Open Ledger')));
  }

  private show(message: Thenable<string | undefined>): void {
    const answered = Promise.resolve(message).then(async (chosen) => {
      if (chosen !== undefined) await vscode.commands.executeCommand(commands.openLedger);
    });
    logRejection(this.options.log, 'a message about a download', answered);
  }
}

/** What fails because the ledger was closed is no failure. */
function unlessClosed({ signal }: LedgerSession, work: Promise<void>): Promise<void> {
  return work.catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** What the analysis adds up comes first. */
const filledHistories = ['trades', 'futureTransactions', 'spotTransactions', 'orders'] as const;

/** What was paused stays paused. */
async function fill(ledger: LedgerSession): Promise<void> {
  const plan = await planDownload(ledger, { period: 'days90', histories: filledHistories });
  if (plan.begun.some(({ isPaused }) => isPaused)) return;
  await untilEnd(ledger, (signal) => ledger.download.start(plan, signal));
}

/** While the exchange cannot be reached, waits until the account is read again. */
async function untilEnd(ledger: LedgerSession, begin: Begin): Promise<DownloadEnd> {
  const { signal } = ledger;
  let next = begin;
  for (;;) {
    try {
      return await next(signal);
    } catch (error) {
      if (!isTemporary(error)) throw error;
      await nextRead(ledger);
      next = (stop) => ledger.download.run(stop);
    }
  }
}

async function nextRead({ account, signal }: LedgerSession): Promise<void> {
  const { store } = account;
  const before = store.state.snapshot;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const listener = account.onDidChange(() => {
    if (store.state.snapshot !== before) resolve(undefined);
  });
  try {
    await abortable(promise, signal);
  } finally {
    listener.dispose();
  }
}
