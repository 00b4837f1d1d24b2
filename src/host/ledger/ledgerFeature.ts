import os from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { fileNamePart } from '../../base/cleanText.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import { UserFacingError } from '../../base/errors.ts';
import { openEnd } from '../../base/interval.ts';
import { storedList, type StoredList } from '../../base/storedValue.ts';
import { readLedgerSummary } from '../../ledger/coverage/ledgerSummary.ts';
import { LedgerError, undefinedUnlessNewer } from '../../ledger/ledgerError.ts';
import { ledgerHistoryNames } from '../../ledger/ledger.ts';
import { Ledgers } from '../../ledger/ledgers.ts';
import { planGaps, planIntervals, type PlannedWalk } from '../../ledger/sync/downloadPlan.ts';
import { t } from '../shared/translate.ts';
import { runAndReportErrors } from '../text/commandErrors.ts';
import { logRejection } from '../shared/log.ts';
import { setContextKey } from '../shared/contextKey.ts';
import { commands, contextKeys } from '../shared/contributions.ts';
import { runForAccount } from '../alerts/accountOfAlert.ts';
import type { FeatureContext } from '../feature/context.ts';
import { accountLabel, untrustedText } from '../text/messageText.ts';
import type { OpenDocuments } from '../webview/documents.ts';
import { DownloadPage, type Plan } from './downloadPage.ts';
import { DownloadRuns } from './downloadRuns.ts';
import { addLedgerPage } from './ledgerDocument.ts';
import { askToFill, leavingIn, listedHistories } from './leavingRows.ts';
import { confirmDeletion, confirmRestore } from './ledgerQuestions.ts';
import type { LedgerSession } from '../../account/ledger/ledgerSession.ts';
import { LedgerLinks, ProfileLedgers } from './profileLedgers.ts';
import { AccountLedger } from './openLedger.ts';

export function registerLedger(context: FeatureContext): LedgerFeature {
  return context.add(new LedgerFeature(context));
}

/** The ledgers of the host, and the commands that change that of the open account. */
export class LedgerFeature extends DisposableOwner {
  private readonly context: FeatureContext;
  readonly ledgers: Ledgers;
  private readonly downloads: DownloadRuns;
  /** The ledgers whose leaving rows were alerted, in all windows. */
  private readonly alerted: StoredList<string>;
  private hasHistory = false;
  readonly page: OpenDocuments;
  readonly download: DownloadPage;
  /** What panels show of the open account. */
  readonly shown = this.disposables.add(new AccountLedger());
  readonly profileLedgers: ProfileLedgers;

  readonly commands = {
    [commands.openLedger]: () => this.show(),
    [commands.downloadHistory]: () => this.download.show(),
    [commands.backUpLedger]: () => this.backUp(),
    [commands.restoreLedger]: () => this.restore(),
    [commands.deleteLedger]: () => this.delete(),
  };

  constructor(context: FeatureContext) {
    super();
    const { shown } = this;
    const { active, display, log, documents, globalState } = context;
    const folder = context.storageFolder('ledgers');
    const workerFile = context.file('dist/ledgerWorker.cjs');
    this.context = context;
    const downloads = new DownloadRuns({ display, log });
    const ledgers = new Ledgers({ folder, workerFile, onSetAside: this.showSetAside });
    const links = new LedgerLinks(globalState);
    const profileLedgers = new ProfileLedgers({
      ...{ active, ledgers, links, shown, downloads, log },
      onOldestRows: (ledger) =>
        logRejection(log, 'looking for rows that leave', this.alertOfLeavingRows(ledger)),
    });
    this.alerted = storedList(globalState, 'marginDesk.leavingRows', v.string());
    this.ledgers = ledgers;
    this.downloads = downloads;
    this.profileLedgers = this.disposables.add(profileLedgers);
    for (const change of [shown.onDidChange, shown.onDidWrite])
      this.disposables.add(change(() => this.noteHistory()));
    const common = { active, display, profileLedgers, shown };
    const start = (plan?: Plan): void => this.reported(() => this.start(plan));
    this.download = new DownloadPage(documents, { ...common, downloads, start });
    this.disposables.add(active.onDidSwitch(() => this.download.choose()));
    this.page = addLedgerPage(documents, { ...common, ledgers, fillGaps: this.fillGaps });
  }

  /** Also without a ledger: the page says how to begin. */
  private async show(): Promise<void> {
    await this.profileLedgers.find();
    this.page.show();
  }

  /** Offers to read what is not complete in these intervals. */
  readonly fill = (intervals: readonly PlannedWalk[]): void =>
    this.download.show((options) => planIntervals(options, intervals));

  private readonly fillGaps = (also: readonly PlannedWalk[]): void =>
    this.download.show((options) => planGaps(options, also));

  /** Says once for each ledger that the exchange drops rows soon that it may lack. */
  async alertOfLeavingRows({ id, account, reader, writer }: LedgerSession): Promise<void> {
    const { active, display } = this.context;
    const listed = listedHistories(await readLedgerSummary(reader, writer), account.serverNow());
    const leaving = leavingIn(listed);
    if (leaving.length === 0 || this.alerted.get().includes(id)) return;
    await this.alerted.update((ids) => [...ids.filter((one) => one !== id), id]);
    if (await askToFill(account.profile, listed, display.latest()))
      await runForAccount(active, account, () => this.fillGaps(leaving));
  }

  /** Offers what a file that was set aside had, from the same time on, if the file can say it. */
  private async downloadAgain(setAside: string): Promise<void> {
    const downloaded = await this.ledgers.downloadedIn(setAside);
    if (downloaded.size === 0) this.download.show();
    else this.fill([...downloaded].map(([history, from]) => ({ history, from, to: openEnd })));
  }

  private async backUp(): Promise<void> {
    const ledger = await this.profileLedgers.require();
    if (!(await this.context.confirmRealValues())) return;
    const { name } = ledger.account.profile;
    const proposed = path.join(os.homedir(), `${fileNamePart(name) || 'ledger'}.ledger.sqlite`);
    const target = await vscode.window.showSaveDialog({
      title: t('Back Up Ledger'),
      saveLabel: t('Back Up'),
      defaultUri: vscode.Uri.file(proposed),
    });
    if (!target) return;
    await ledger.reader.backUp(localFile(target));
    const file = untrustedText(path.basename(target.fsPath), 300);
    void vscode.window.showInformationMessage(t('The ledger was backed up to {0}.', file));
  }

  /** A backup of another account is refused. */
  private async restore(): Promise<void> {
    const { profileLedgers, ledgers } = this;
    const account = await this.context.active.session();
    const ledger = await profileLedgers.find();
    if (ledger) await this.claim(ledger);
    const title = t('Restore Ledger');
    const [source] = (await vscode.window.showOpenDialog({ title, openLabel: t('Restore') })) ?? [];
    if (!source || !(await confirmRestore(account.profile, ledger !== undefined))) return;
    const id = await ledgers.restore(localFile(source));
    let isShown = false;
    try {
      if (!(await profileLedgers.isSameAccount(account, id))) return;
      await profileLedgers.start(account, id);
      isShown = true;
    } finally {
      if (!isShown) ledgers.delete(id);
    }
    const label = accountLabel(account.profile);
    void vscode.window.showInformationMessage(t('The ledger of {0} was restored.', label));
  }

  private async delete(): Promise<void> {
    if (!Ledgers.isSupported()) throw new LedgerError('unsupported');
    const ledger = this.profileLedgers.open;
    if (!ledger) throw new UserFacingError(t('The open account has no ledger.'));
    const { profile } = ledger.account;
    const { reader, writer } = ledger;
    // What is damaged can be deleted too.
    const summary = await readLedgerSummary(reader, writer).catch(undefinedUnlessNewer);
    if (!(await confirmDeletion(profile, summary, this.context.display.current))) return;
    await this.profileLedgers.remove([{ profile: profile.name, id: ledger.id }]);
    const account = accountLabel(profile);
    void vscode.window.showInformationMessage(t('The ledger of {0} was deleted.', account));
  }

  /** The download continues in the background, with its own notification. */
  private async start(plan?: Plan): Promise<void> {
    const ledger = await this.profileLedgers.findOrStart();
    if (!ledger) return;
    await this.claim(ledger);
    const planned = await plan?.(ledger);
    void this.downloads.run(ledger, (signal) =>
      planned ? ledger.download.start(planned, signal) : ledger.download.resume(signal),
    );
  }

  /** Throws a UserFacingError or LedgerError unless this window may change the ledger now. */
  private async claim(ledger: LedgerSession): Promise<void> {
    if (this.downloads.progress(ledger) !== undefined)
      throw new UserFacingError(t('A download of this account is running. Pause it first.'));
    if (!(await ledger.claimWriting())) throw new LedgerError('otherWriter');
  }

  /** A step of the walkthrough is done once there is something, which is not forgotten. */
  private noteHistory(): void {
    const { current } = this.shown;
    if (this.hasHistory || !current) return;
    const { log } = this.context;
    const { writer } = current;
    const reads = Promise.all(ledgerHistoryNames.map((history) => writer.coverage(history)));
    const noted = reads.then((all) => {
      this.hasHistory ||= all.some(({ length }) => length > 0);
      if (this.hasHistory) setContextKey(log, contextKeys.hasHistory, true);
    });
    noted.catch(() => undefined);
  }

  private reported(run: () => Promise<void>): void {
    void runAndReportErrors(this.context, commands.downloadHistory, run);
  }

  private readonly showSetAside = (file: string): void => {
    const text = t(
      'The ledger file was damaged. It is kept as {0}, and a new ledger starts.',
      untrustedText(file, 500),
    );
    const again = t('Download Again');
    void vscode.window.showWarningMessage(text, again).then((answer) => {
      if (answer === again) this.reported(() => this.downloadAgain(file));
    });
  };
}

function localFile({ scheme, fsPath }: vscode.Uri): string {
  if (scheme === 'file') return fsPath;
  throw new UserFacingError(t('Choose a file on this machine.'));
}
