import * as vscode from 'vscode';
import { ActiveAccount } from '../account/activeAccount.ts';
import { ExchangeFacts } from '../account/exchangeFacts.ts';
import type { ExportSubject } from '../account/export/exportPlan.ts';
import { Partials } from '../account/export/partials.ts';
import { WeightLedgers } from '../account/weightLedgers.ts';
import { systemClock } from '../base/clock.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { AccountContext } from './accountContext.ts';
import { AccountAlerts } from './alerts/accountAlerts.ts';
import { runAtBoundary } from './commandBoundary.ts';
import { commandRuns, type CommandParts, type CommandRun } from './commandRuns.ts';
import { CancelAllOrders } from './commands/cancelAllOrders.ts';
import { TableExports } from './commands/exportTable.ts';
import { RowActions } from './commands/rowActions.ts';
import { realValuesConfirmation } from './confirmRealValues.ts';
import { commands, type CommandId } from './contributions.ts';
import { DisplayState } from './displayState.ts';
import { Documents } from './documents.ts';
import type { AccountPlaces } from './entrance.ts';
import { Log } from './log.ts';
import { TablePanels } from './panels/tablePanels.ts';
import { Polling } from './polling.ts';
import { Accounts } from './profiles/accounts.ts';
import { CredentialStore } from './profiles/credentialStore.ts';
import { PracticeExchange } from './profiles/practice.ts';
import type { ProfileEnds } from './profiles/profileDesk.ts';
import { ReceiptFiles } from './receipts/receiptFiles.ts';
import { RiskState } from './riskState.ts';
import { SettingWarnings } from './settingWarnings.ts';
import { weightShareSetting } from './settings.ts';
import { EquityStatus } from './status/equityStatus.ts';
import { AccountTree } from './trees/accountTree.ts';
import { assetsView, lockedOrdersView, positionsView } from './trees/accountViews.ts';

/**
 * The composition root: builds everything once and owns its end. The account of this window
 * (`active`) stands in the middle; commands change it, trees, status and panels draw it.
 */
export class App implements Disposable, CommandParts {
  private readonly disposables = new DisposableStore();
  readonly log = this.add(new Log());
  readonly active = this.add(new ActiveAccount());
  readonly risk = this.add(new RiskState());
  readonly display: DisplayState;
  readonly documents: Documents;
  readonly positions: AccountTree;
  readonly assets: AccountTree;
  readonly lockedOrders: AccountTree;
  readonly equity: EquityStatus;
  readonly practice: PracticeExchange;
  readonly accounts: Accounts;
  readonly profiles: ProfileEnds;
  readonly receipts: ReceiptFiles;
  readonly cancelAll: CancelAllOrders;
  readonly exports: TableExports;
  readonly panels: TablePanels;
  readonly rows: RowActions;
  private readonly runs: Readonly<Record<CommandId, CommandRun>>;

  constructor(context: vscode.ExtensionContext, places: AccountPlaces) {
    const { active, log, risk } = this;
    const { globalState } = context;
    const display = this.add(new DisplayState(globalState));
    this.display = display;
    // Before whatever draws: it is to draw no new figure that another window has hidden.
    this.add(active.onDidChange(() => void display.latest()));
    this.documents = this.add(new Documents(display));
    const drawing = { active, display, risk };
    this.positions = this.add(new AccountTree(places.positions, positionsView(), drawing));
    this.assets = this.add(new AccountTree(places.assets, assetsView(), drawing));
    this.lockedOrders = this.add(new AccountTree(places.lockedOrders, lockedOrdersView(), drawing));
    this.equity = this.add(new EquityStatus(drawing));
    this.practice = this.add(new PracticeExchange(context.asAbsolutePath('dist/practice.cjs')));
    const store = this.add(new CredentialStore(context));
    this.accounts = this.openAccounts(context, store);
    const partials = new Partials({ folder: folderOf(context, 'exports'), clock: systemClock });
    this.profiles = { accounts: this.accounts, store, partials, display };
    this.receipts = new ReceiptFiles(folderOf(context, 'receipts'));
    this.cancelAll = this.add(new CancelAllOrders(this));
    const confirmRealValues = realValuesConfirmation(display);
    const writtenBy = nameOf(context);
    this.exports = this.add(
      new TableExports({ active, partials, display, confirmRealValues, log, writtenBy }),
    );
    const { extensionUri } = context;
    const exportRows = (subject: ExportSubject): void => {
      void runAtBoundary(this, commands.exportTable, () => this.exports.export(subject));
    };
    this.panels = this.add(
      new TablePanels({ extensionUri, active, display, confirmRealValues, log, exportRows }),
    );
    const trees = [this.positions, this.assets, this.lockedOrders];
    this.rows = new RowActions({ trees, panels: this.panels, confirmRealValues });
    this.runs = commandRuns(this);
    this.add(new AccountContext(this));
    this.watch(trees, globalState);
    this.accounts
      .restore()
      .catch((error: unknown) => this.log.failure('opening the account', error));
  }

  /** Runs a command; what fails is said to the person and never thrown. */
  run(id: CommandId, argument: unknown): Promise<void> {
    return runAtBoundary(this, id, () => this.runs[id](argument));
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private add<T extends Disposable>(item: T): T {
    return this.disposables.add(item);
  }

  private openAccounts(context: vscode.ExtensionContext, store: CredentialStore): Accounts {
    const { active, practice, display, log } = this;
    const { workspaceState: memory } = context;
    const ledgers = this.add(
      new WeightLedgers({
        folder: folderOf(context, 'ledgers'),
        clock: systemClock,
        share: weightShareSetting,
        onProblem: (error) => log.failure('sharing the weight ledger', error),
      }),
    );
    const facts = new ExchangeFacts({
      memory: context.globalState,
      clock: systemClock,
      onProblem: (error) => log.failure('keeping what an exchange showed', error),
    });
    return this.add(
      new Accounts({ active, practice, store, ledgers, facts, memory, display, log }),
    );
  }

  /** Reads the account while somebody may look at it, and says what is worth a notification. */
  private watch(trees: readonly AccountTree[], globalState: vscode.Memento): void {
    const { active, display, risk, log } = this;
    const alerts = { active, display, globalState, clock: systemClock, risk, log };
    this.add(new SettingWarnings(log));
    this.add(new Polling({ active, views: trees.map(({ view }) => view) }));
    this.add(new AccountAlerts(alerts));
  }
}

/** A folder of the extension's own, for all windows. */
function folderOf({ globalStorageUri }: vscode.ExtensionContext, name: string): string {
  return vscode.Uri.joinPath(globalStorageUri, name).fsPath;
}

/** Extension and version, as an exported file names what wrote it. */
function nameOf({ extension }: vscode.ExtensionContext): string {
  const { displayName, version } = extension.packageJSON as Record<string, string>;
  return `${displayName} ${version}`;
}
