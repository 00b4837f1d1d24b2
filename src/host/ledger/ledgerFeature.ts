import path from 'node:path';
import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Ledgers } from '../../ledger/ledgers.ts';
import type { SetAsideReason } from '../../ledger/ledgerError.ts';
import type { PlannedWalk } from '../../ledger/sync/downloadPlan.ts';
import { runAndReportErrors } from '../text/commandErrors.ts';
import { commands } from '../shared/contributions.ts';
import type { Log } from '../shared/log.ts';
import type { ValueStorage } from '../shared/storedValue.ts';
import type { DisplayState } from '../settings/displayState.ts';
import type { Documents, OpenDocuments } from '../webview/documents.ts';
import { DownloadRuns } from './downloadRuns.ts';
import { LedgerCommands } from './ledgerCommands.ts';
import { LedgerLinks } from './ledgerLinks.ts';
import { addLedgerPage } from './ledgerPanels.ts';
import { AccountLedger } from './openLedger.ts';
import { ProfileLedgers } from './profileLedgers.ts';

type LedgerFeatureOptions = {
  readonly active: ActiveAccount;
  readonly display: DisplayState;
  readonly confirmRealValues: () => Promise<boolean>;
  readonly log: Log;
  readonly globalState: ValueStorage;
  readonly folder: string;
  readonly workerFile: string;
};

/** Everything of the host that has to do with ledgers. */
export class LedgerFeature implements Disposable {
  private readonly disposables = new DisposableStore();
  /** What panels show of the open account. */
  readonly shown: AccountLedger;
  readonly links: LedgerLinks;
  readonly profileLedgers: ProfileLedgers;
  readonly commands: LedgerCommands;
  readonly page: OpenDocuments;
  private readonly reporting: Pick<LedgerFeatureOptions, 'log' | 'display'>;
  /** Downloads what is missing; reports its own failures. */
  readonly fillGaps: () => void;
  /** The same of these intervals. */
  readonly fill: (intervals: readonly PlannedWalk[]) => void;

  constructor(documents: Documents, options: LedgerFeatureOptions) {
    const { active, display, log, folder, workerFile, confirmRealValues } = options;
    this.reporting = { log, display };
    const shown = this.disposables.add(new AccountLedger());
    const links = new LedgerLinks(options.globalState);
    const downloads = new DownloadRuns({ display, log });
    const ledgers = new Ledgers({ folder, workerFile, onSetAside: this.showSetAside });
    const profileLedgers = this.disposables.add(
      new ProfileLedgers({ active, ledgers, links, shown, downloads, log }),
    );
    this.shown = shown;
    this.links = links;
    this.profileLedgers = profileLedgers;
    this.commands = new LedgerCommands({
      profileLedgers,
      ledgers,
      downloads,
      display,
      confirmRealValues,
    });
    this.fillGaps = () => this.download(() => this.commands.fillGaps());
    this.fill = (intervals) => this.download(() => this.commands.fill(intervals));
    const { fillGaps } = this;
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

  private download(run: () => Promise<void>): void {
    void runAndReportErrors(this.reporting, commands.downloadHistory, run);
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
      if (answer === again) this.download(() => this.commands.downloadAgain(file));
    });
  };
}
