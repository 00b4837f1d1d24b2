import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { fileNamePart } from '../../base/cleanText.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { UserFacingError } from '../../base/errors.ts';
import { LedgerError, type SetAsideReason } from '../../ledger/ledgerError.ts';
import { Ledgers } from '../../ledger/ledgers.ts';
import { ledgerHistoryNames } from '../../ledger/ledger.ts';
import {
  planDownload,
  planGaps,
  planIntervals,
  type DownloadPlan,
  type PlannedWalk,
} from '../../ledger/sync/downloadPlan.ts';
import { runAndReportErrors } from '../text/commandErrors.ts';
import { commands } from '../shared/contributions.ts';
import type { Log } from '../shared/log.ts';
import type { ValueStorage } from '../shared/storedValue.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { accountLabel, untrustedText } from '../text/messageText.ts';
import type { Documents, OpenDocuments } from '../webview/documents.ts';
import { DownloadRuns } from './downloadRuns.ts';
import { addLedgerPage } from './ledgerDocument.ts';
import {
  askHistories,
  askPeriod,
  confirmDeletion,
  confirmDownload,
  confirmRestore,
} from './ledgerQuestions.ts';
import type { LedgerSession } from './ledgerSession.ts';
import { LedgerLinks, ProfileLedgers } from './profileLedgers.ts';
import { AccountLedger } from './openLedger.ts';

type LedgerFeatureOptions = {
  readonly active: ActiveAccount;
  readonly display: DisplayState;
  /** In privacy mode, asks whether real values may be written to a file. */
  readonly confirmRealValues: () => Promise<boolean>;
  readonly log: Log;
  readonly globalState: ValueStorage;
  readonly folder: string;
  readonly workerFile: string;
};

/** The ledgers of the host, and the commands that change that of the open account. */
export class LedgerFeature implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly options: LedgerFeatureOptions;
  private readonly ledgers: Ledgers;
  private readonly downloads: DownloadRuns;
  readonly page: OpenDocuments;
  /** What panels show of the open account. */
  readonly shown = this.disposables.add(new AccountLedger());
  readonly profileLedgers: ProfileLedgers;

  constructor(documents: Documents, options: LedgerFeatureOptions) {
    const { shown } = this;
    const { active, display, log, folder, workerFile } = options;
    this.options = options;
    const downloads = new DownloadRuns({ display, log });
    const ledgers = new Ledgers({ folder, workerFile, onSetAside: this.showSetAside });
    const links = new LedgerLinks(options.globalState);
    const profileLedgers = new ProfileLedgers({ active, ledgers, links, shown, downloads, log });
    this.ledgers = ledgers;
    this.downloads = downloads;
    this.profileLedgers = this.disposables.add(profileLedgers);
    const fillGaps = (): void => this.reported(() => this.planAndStart(planGaps));
    const page = { active, display, ledgers, profileLedgers, shown, fillGaps };
    this.page = addLedgerPage(documents, page);
  }

  /** Asks first whether to start a ledger, if the open account has none. */
  async show(): Promise<void> {
    if (await this.profileLedgers.require()) this.page.show();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /** Reads what is not complete in these intervals; reports its own failures. */
  readonly fill = (intervals: readonly PlannedWalk[]): void =>
    this.reported(() => this.planAndStart((ledger) => planIntervals(ledger, intervals)));

  /** Asks for period and histories, says what it takes, and downloads. */
  async download(): Promise<void> {
    const ledger = await this.writableLedger();
    if (!ledger) return;
    const { display } = this.options;
    const period = await askPeriod(await hasPausedDownload(ledger));
    if (!period) return;
    if (period === 'resume') {
      this.start(ledger, undefined);
      return;
    }
    const offer = await planDownload(ledger, { period, histories: ledgerHistoryNames });
    const histories = await askHistories(offer, display.current);
    if (!histories) return;
    await this.confirmAndStart(ledger, await planDownload(ledger, { period, histories }));
  }

  /** Reads what a plan says; there a paused download continues. */
  private async planAndStart(
    plan: (ledger: LedgerSession) => Promise<DownloadPlan>,
  ): Promise<void> {
    const ledger = await this.writableLedger();
    if (ledger) await this.confirmAndStart(ledger, await plan(ledger));
  }

  /** Reads what a file that was set aside had, from the same time on; asks what to read if the file cannot say it. */
  private async downloadAgain(setAside: string): Promise<void> {
    const downloaded = await this.ledgers.downloadedIn(setAside);
    if (downloaded.size === 0) return this.download();
    const to = Number.MAX_SAFE_INTEGER;
    const intervals = [...downloaded].map(([history, from]) => ({ history, from, to }));
    await this.planAndStart((ledger) => planIntervals(ledger, intervals));
  }

  async backUp(): Promise<void> {
    const ledger = await this.profileLedgers.require();
    if (!ledger || !(await this.options.confirmRealValues())) return;
    const { t } = vscode.l10n;
    const { name } = ledger.account.profile;
    const proposed = path.join(os.homedir(), `${fileNamePart(name) || 'ledger'}.ledger.sqlite`);
    const target = await vscode.window.showSaveDialog({
      title: t('Back Up Ledger'),
      saveLabel: t('Back Up'),
      defaultUri: vscode.Uri.file(proposed),
    });
    if (!target) return;
    await ledger.store.backUp(localFile(target));
    const file = untrustedText(path.basename(target.fsPath), 300);
    void vscode.window.showInformationMessage(t('The ledger was backed up to {0}.', file));
  }

  /** A backup of another account is refused. */
  async restore(): Promise<void> {
    const { profileLedgers, ledgers } = this;
    const ledger = await this.writableLedger();
    if (!ledger) return;
    const { t } = vscode.l10n;
    const title = t('Restore Ledger');
    const [source] = (await vscode.window.showOpenDialog({ title, openLabel: t('Restore') })) ?? [];
    if (!source || !(await confirmRestore(ledger.account.profile))) return;
    const id = await ledgers.restore(localFile(source));
    let isShown = false;
    try {
      if (!(await profileLedgers.isSameAccount(ledger.account, id))) return;
      await profileLedgers.start(ledger.account, id);
      isShown = true;
    } finally {
      if (!isShown) ledgers.delete(id);
    }
    const account = accountLabel(ledger.account.profile);
    void vscode.window.showInformationMessage(t('The ledger of {0} was restored.', account));
  }

  async delete(): Promise<void> {
    if (!Ledgers.isSupported()) throw new LedgerError('unsupported');
    const ledger = this.profileLedgers.open;
    if (!ledger) throw new UserFacingError(vscode.l10n.t('The open account has no ledger.'));
    const { profile } = ledger.account;
    if (!(await confirmDeletion(profile))) return;
    await this.profileLedgers.remove([{ profile: profile.name, id: ledger.id }]);
    const account = accountLabel(profile);
    void vscode.window.showInformationMessage(
      vscode.l10n.t('The ledger of {0} was deleted.', account),
    );
  }

  private async confirmAndStart(ledger: LedgerSession, plan: DownloadPlan): Promise<void> {
    const { profile } = ledger.account;
    if (plan.walks.length === 0) this.resumeOrExplain(ledger, plan);
    else if (await confirmDownload(profile, plan, this.options.display.current))
      this.start(ledger, plan);
  }

  /** There is nothing to start: a paused download continues. */
  private resumeOrExplain(ledger: LedgerSession, { begun }: DownloadPlan): void {
    const { t } = vscode.l10n;
    if (begun.some(({ purpose }) => purpose === 'download')) this.start(ledger, undefined);
    else
      void vscode.window.showInformationMessage(
        begun.length === 0
          ? t('The ledger has all of it. Nothing is left to read.')
          : t('Reading of these rows has started. It continues while the ledger is kept current.'),
      );
  }

  /** The download continues in the background, with its own notification. */
  private start(ledger: LedgerSession, plan: DownloadPlan | undefined): void {
    void this.downloads.run(ledger, (signal) =>
      plan ? ledger.download.start(plan, signal) : ledger.download.resume(signal),
    );
  }

  private async writableLedger(): Promise<LedgerSession | undefined> {
    const { t } = vscode.l10n;
    const ledger = await this.profileLedgers.require();
    if (!ledger) return undefined;
    if (this.downloads.isRunning(ledger))
      throw new UserFacingError(
        t('A download of this account is running. Pause it in its notification first.'),
      );
    if (!(await ledger.store.claimWriting()))
      throw new UserFacingError(
        t('Another window is using this ledger. Continue there, or close that window.'),
      );
    return ledger;
  }

  private reported(run: () => Promise<void>): void {
    void runAndReportErrors(this.options, commands.downloadHistory, run);
  }

  private readonly showSetAside = (file: string, reason: SetAsideReason): void => {
    const { t } = vscode.l10n;
    const name = path.basename(file);
    const texts: Readonly<Record<SetAsideReason, string>> = {
      damaged: t('The ledger file was damaged. It is kept as {0}, and a new ledger starts.', name),
      notALedger: t(
        'The ledger file is of another version of Margin Desk, which this one cannot read. It is kept as {0}, and a new ledger starts.',
        name,
      ),
    };
    const again = t('Download Again');
    void vscode.window.showWarningMessage(texts[reason], again).then((answer) => {
      if (answer === again) this.reported(() => this.downloadAgain(file));
    });
  };
}

async function hasPausedDownload({ writer }: LedgerSession): Promise<boolean> {
  const walks = await writer.unfinishedWalks();
  return walks.some(({ purpose }) => purpose === 'download');
}

function localFile({ scheme, fsPath }: vscode.Uri): string {
  if (scheme === 'file') return fsPath;
  throw new UserFacingError(vscode.l10n.t('Choose a file on this machine.'));
}
