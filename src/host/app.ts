import * as vscode from 'vscode';
import { ActiveAccount } from '../account/activeAccount.ts';
import { ExchangeFacts } from '../account/exchangeFacts.ts';
import type { ExportSubject } from '../account/export/exportPlan.ts';
import { Partials } from '../account/export/partials.ts';
import { WeightLedgers } from '../account/weightLedgers.ts';
import { systemClock } from '../base/clock.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { addProfile } from './commands/addProfile.ts';
import { CancelAllOrders } from './commands/cancelAllOrders.ts';
import { clearCredentials } from './commands/clearCredentials.ts';
import { deleteReceipts } from './commands/deleteReceipts.ts';
import { editProfile } from './commands/editProfile.ts';
import { TableExports } from './commands/exportTable.ts';
import { askSubject } from './commands/exportTableQuestions.ts';
import { importProfiles } from './commands/importProfiles.ts';
import { openWalkthrough } from './commands/openWalkthrough.ts';
import { refresh } from './commands/refresh.ts';
import { removeProfile } from './commands/removeProfile.ts';
import { RowActions, toggleZeroAssets } from './commands/rowActions.ts';
import { setCredentials } from './commands/setCredentials.ts';
import { showConnectionReport } from './commands/showConnectionReport.ts';
import { showReceipts } from './commands/showReceipts.ts';
import { switchProfile } from './commands/switchProfile.ts';
import { testConnection } from './commands/testConnection.ts';
import { tryPractice } from './commands/tryPractice.ts';
import { AccountAlerts } from './alerts/accountAlerts.ts';
import { inBackground } from './background.ts';
import { registerCommand, runAtBoundary } from './commandBoundary.ts';
import { realValuesConfirmation } from './confirmRealValues.ts';
import { commands, contextKeys } from './contributions.ts';
import { DisplayState } from './displayState.ts';
import { Documents } from './documents.ts';
import { Log } from './log.ts';
import { TablePanels } from './panels/tablePanels.ts';
import { Accounts } from './profiles/accounts.ts';
import { CredentialStore } from './profiles/credentialStore.ts';
import { CredentialsNeededError } from './profiles/credentialsNeeded.ts';
import { PracticeExchange } from './profiles/practice.ts';
import type { ProfileEnds } from './profiles/profileDesk.ts';
import { Polling } from './polling.ts';
import { SettingWarnings } from './settingWarnings.ts';
import { ReceiptFiles } from './receipts/receiptFiles.ts';
import { RiskState } from './riskState.ts';
import { weightShareSetting } from './settings.ts';
import { EquityStatus } from './status/equityStatus.ts';
import { AccountTree } from './trees/accountTree.ts';
import { assetsView, lockedOrdersView, positionsView } from './trees/accountViews.ts';
import { RecordsTree } from './trees/recordsTree.ts';

/**
 * The composition root: builds everything once and owns its end. The account of this window
 * (`active`) stands in the middle; commands change it, trees, status and panels draw it.
 */
export class App implements Disposable {
  private readonly disposables = new DisposableStore();
  readonly log = this.disposables.add(new Log());
  readonly active = this.disposables.add(new ActiveAccount());
  readonly records = this.disposables.add(new RecordsTree());
  readonly display: DisplayState;
  readonly risk = this.disposables.add(new RiskState(this.log));
  readonly documents: Documents;
  private readonly confirmRealValues: () => Promise<boolean>;
  readonly positions: AccountTree;
  readonly assets: AccountTree;
  readonly lockedOrders: AccountTree;
  readonly equity: EquityStatus;
  readonly accounts: Accounts;
  readonly practice: PracticeExchange;
  readonly receipts: ReceiptFiles;
  private readonly cancelAll: CancelAllOrders;
  private readonly profiles: ProfileEnds;

  constructor(context: vscode.ExtensionContext) {
    const add = <T extends Disposable>(item: T): T => this.disposables.add(item);
    this.display = add(new DisplayState(context.globalState, this.log));
    this.confirmRealValues = realValuesConfirmation(this.display);
    this.documents = add(new Documents(this.display));
    const drawing = { active: this.active, display: this.display, risk: this.risk };
    this.positions = add(new AccountTree(positionsView(), drawing));
    this.assets = add(new AccountTree(assetsView(), drawing));
    this.lockedOrders = add(new AccountTree(lockedOrdersView(), drawing));
    this.equity = add(new EquityStatus(drawing));
    this.practice = add(new PracticeExchange(context.asAbsolutePath('dist/practice.cjs')));
    const store = add(new CredentialStore(context));
    const { workspaceState: memory } = context;
    const ledgers = add(
      new WeightLedgers({
        folder: vscode.Uri.joinPath(context.globalStorageUri, 'ledgers').fsPath,
        clock: systemClock,
        share: weightShareSetting,
        onProblem: (error) => this.log.failure('sharing the weight ledger', error),
      }),
    );
    const facts = new ExchangeFacts({
      memory: context.globalState,
      clock: systemClock,
      onProblem: (error) => this.log.failure('keeping what an exchange showed', error),
    });
    this.accounts = add(
      new Accounts({
        active: this.active,
        practice: this.practice,
        store,
        ledgers,
        facts,
        memory,
        display: this.display,
        log: this.log,
      }),
    );
    const partials = new Partials({
      folder: vscode.Uri.joinPath(context.globalStorageUri, 'exports').fsPath,
      clock: systemClock,
    });
    this.profiles = { accounts: this.accounts, store, partials, display: this.display };
    this.receipts = new ReceiptFiles(
      vscode.Uri.joinPath(context.globalStorageUri, 'receipts').fsPath,
    );
    this.cancelAll = add(new CancelAllOrders(this));
    const { active, display, confirmRealValues, log } = this;
    const writtenBy = nameOf(context);
    const exports = add(
      new TableExports({ active, partials, display, confirmRealValues, log, writtenBy }),
    );
    const exportRows = (subject: ExportSubject): void => {
      void runAtBoundary(this, commands.exportTable, () => exports.export(subject));
    };
    const { extensionUri } = context;
    const panels = add(
      new TablePanels({ extensionUri, active, display, confirmRealValues, log, exportRows }),
    );
    this.registerCommands(panels, exports);
    add(this.active.onDidChange(() => this.setContext()));
    add(this.display.onDidChange(() => this.setContext()));
    this.setContext();
    this.watch(context.globalState);
    this.accounts
      .restore()
      .catch((error: unknown) => this.log.failure('opening the account', error));
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /** Reads the account while somebody may look at it, and says what is worth a notification. */
  private watch(globalState: vscode.Memento): void {
    const { active, display, log } = this;
    const views = [this.positions, this.assets, this.lockedOrders].map(({ view }) => view);
    const riskLimits = () => this.risk.limits;
    const alerts = { active, display, globalState, clock: systemClock, riskLimits, log };
    this.disposables.add(new SettingWarnings(log));
    this.disposables.add(new Polling({ active, views }));
    this.disposables.add(new AccountAlerts(alerts));
  }

  private registerCommands(panels: TablePanels, exports: TableExports): void {
    const rows = new RowActions({
      trees: [this.positions, this.assets, this.lockedOrders],
      panels,
      confirmRealValues: this.confirmRealValues,
    });
    const runs = {
      [commands.tryPractice]: () => tryPractice(this.active, this.accounts, this.practice),
      [commands.refresh]: () => refresh(this.active, this.accounts),
      [commands.openOrderHistory]: () => panels.show('orders'),
      [commands.openTradeHistory]: () => panels.show('trades'),
      [commands.openLiquidationHistory]: () => panels.show('lots'),
      [commands.openTransactionHistory]: () => panels.show('transactions'),
      [commands.openExchangeInformation]: () => panels.show('exchangeInformation'),
      [commands.openLeverageRules]: () => panels.show('leverageRules'),
      [commands.openFeeTiers]: () => panels.show('feeTiers'),
      [commands.exportTable]: async () => {
        const subject = panels.activeSubject ?? (await askSubject());
        if (subject) await exports.export(subject);
      },
      [commands.cancelAllOrders]: () => this.cancelAll.run(),
      [commands.showReceipts]: () => showReceipts(this),
      [commands.deleteReceipts]: () => deleteReceipts(this.receipts, this.log),
      [commands.addProfile]: () => addProfile(this.profiles, this.documents),
      [commands.importProfiles]: importProfiles,
      [commands.editProfile]: () => editProfile(this.profiles),
      [commands.removeProfile]: () => removeProfile(this.profiles),
      [commands.switchProfile]: () => switchProfile(this.profiles),
      [commands.setCredentials]: () => setCredentials(this.profiles),
      [commands.clearCredentials]: () => clearCredentials(this.profiles),
      [commands.testConnection]: () => testConnection(this.profiles, this.documents),
      [commands.showConnectionReport]: () => showConnectionReport(this.profiles, this.documents),
      [commands.togglePrivacy]: () => this.display.togglePrivacy(),
      [commands.toggleZeroAssets]: toggleZeroAssets,
      [commands.copyValue]: (node: unknown) => rows.copyValue(node),
      [commands.copyRow]: (node: unknown) => rows.copyRow(node),
      [commands.openSymbolOrders]: (node: unknown) => rows.openHistory('orders', node),
      [commands.openSymbolTrades]: (node: unknown) => rows.openHistory('trades', node),
      [commands.openSymbolLots]: (node: unknown) => rows.openHistory('lots', node),
      [commands.openPositionLeverageRule]: () => rows.openLeverageRule(),
      [commands.openWalkthrough]: openWalkthrough,
      [commands.showLog]: () => this.log.show(),
    };
    for (const id of Object.values(commands))
      this.disposables.add(registerCommand(this, id, runs[id]));
  }

  private setContext(): void {
    const { state } = this.active;
    const values = {
      [contextKeys.hasAccount]: state.kind !== 'closed',
      [contextKeys.needsCredentials]:
        state.kind === 'failed' && state.error instanceof CredentialsNeededError,
      [contextKeys.privacy]: this.display.current.settings.hidesMoney,
    };
    for (const [key, value] of Object.entries(values)) {
      const set = vscode.commands.executeCommand('setContext', key, value);
      inBackground(this.log, 'setting a context key', set);
    }
  }
}

/** Extension and version, as an exported file names what wrote it. */
function nameOf({ extension }: vscode.ExtensionContext): string {
  const { displayName, version } = extension.packageJSON as Record<string, string>;
  return `${displayName} ${version}`;
}
