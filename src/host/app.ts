import * as vscode from 'vscode';
import type { CancelAll } from '../account/cancelAll/cancelAll.ts';
import type { ExportQuery } from '../account/export/exportPlan.ts';
import { PartialExports } from '../account/export/partialExports.ts';
import { ActiveAccount } from '../account/session/activeAccount.ts';
import { LearnedConventionsByProfile } from '../account/session/learnedConventionsStore.ts';
import { RateLimits } from '../account/session/rateLimits.ts';
import { DisposableOwner, type Disposable } from '../base/disposable.ts';
import { createMachineClock } from './shared/machineClock.ts';
import { systemClock } from '../base/time.ts';
import { addAnalysis } from './analysis/shownAnalysis.ts';
import { AlertNotifications } from './alerts/alertNotifications.ts';
import { createCancelAll } from './cancelAll/cancelAllCommand.ts';
import { ReceiptFiles } from './cancelAll/receiptFiles.ts';
import { ReceiptPanels } from './cancelAll/receiptPanels.ts';
import { runAndReportErrors } from './text/commandErrors.ts';
import {
  createCommandHandlers,
  type CommandDependencies,
  type CommandHandler,
} from './commandHandlers.ts';
import { ConnectionReports } from './connectionReport/connectionReports.ts';
import { commands, type CommandId } from './shared/contributions.ts';
import { ExportCommand } from './export/exportCommand.ts';
import { findId, type IdContext } from './ids/findId.ts';
import { IdLinks } from './ids/idLinks.ts';
import { LedgerFeature } from './ledger/ledgerFeature.ts';
import { Log, logRejection } from './shared/log.ts';
import { addOverview } from './overview/overviewPanels.ts';
import { Documents, type OpenDocuments } from './webview/documents.ts';
import { storedTableChoices } from './webview/tableChoices.ts';
import { TablePanels } from './tables/panels.ts';
import { PollInterval } from './pollInterval.ts';
import { AccountConnection } from './profiles/accountConnection.ts';
import { CredentialStore } from './profiles/credentialStore.ts';
import {
  type ProfileContext,
  findNewlyMissingCredentials,
  offerToReenterCredentials,
} from './profiles/openProfile.ts';
import { PracticeExchange } from './profiles/practiceExchange.ts';
import { AccountReconciliation } from './reconciliation/accountReconciliation.ts';
import { showContradictions, ContradictionMemory } from './reconciliation/contradictionMemory.ts';
import { addReconciliationPage } from './reconciliation/document.ts';
import { createRealValuesConfirmation, DisplayState } from './settings/displayState.ts';
import { RiskAssessment } from './settings/riskAssessment.ts';
import { Ledgers } from '../ledger/ledgers.ts';
import { storedRow, type StoredRows } from './reconciliation/storedRows.ts';
import { settingValue } from './settings/settingValues.ts';
import { SettingWarnings } from './settings/settingWarnings.ts';
import { StatementCommand } from './statement/statementCommand.ts';
import { StatusItem } from './status/statusItem.ts';
import type { ValueStorage } from '../base/storedValue.ts';
import { AccountTree } from './trees/accountTree.ts';
import { colorLiveAccounts } from './trees/accountHead.ts';
import { assetsView, lockedOrdersView, positionsView } from './trees/accountViews.ts';
import type { LazyAccountTrees } from './trees/lazyTree.ts';
import { RowCommands } from './trees/rowCommands.ts';
import { WhenContext } from './whenContext.ts';

/**
 * The composition root: builds everything once and disposes of it. Commands change the account of
 * this window (`active`); trees, status bar and panels show it.
 */
export class App extends DisposableOwner implements CommandDependencies {
  readonly log = this.add(new Log());
  readonly active = this.add(new ActiveAccount());
  readonly risk = this.add(new RiskAssessment());
  readonly display: DisplayState;
  readonly positions: AccountTree;
  readonly assets: AccountTree;
  readonly lockedOrders: AccountTree;
  readonly statusItem: StatusItem;
  readonly practice: PracticeExchange;
  readonly connection: AccountConnection;
  readonly profileContext: ProfileContext & { readonly reports: ConnectionReports };
  readonly receipts: ReceiptFiles;
  readonly receiptPanels: ReceiptPanels;
  readonly cancelAll: CancelAll;
  readonly exportCommand: ExportCommand;
  readonly ledger: LedgerFeature;
  readonly statements: StatementCommand;
  readonly panels: TablePanels;
  readonly documents: Documents;
  readonly overview: OpenDocuments;
  readonly reconciliation: OpenDocuments;
  readonly analysis: OpenDocuments;
  readonly rowCommands: RowCommands;
  readonly findId: CommandHandler;
  private readonly handlers: Readonly<Record<CommandId, CommandHandler>>;

  constructor(context: vscode.ExtensionContext, lazyTrees: LazyAccountTrees) {
    super();
    const { active, log, risk } = this;
    const { globalState, workspaceState } = context;
    const display = this.add(new DisplayState(globalState));
    this.display = display;
    const shown = { active, display, risk };
    this.positions = this.add(new AccountTree(lazyTrees.positions, positionsView(), shown));
    this.assets = this.add(new AccountTree(lazyTrees.assets, assetsView(), shown));
    this.lockedOrders = this.add(
      new AccountTree(lazyTrees.lockedOrders, lockedOrdersView(), shown),
    );
    this.add(colorLiveAccounts());
    this.statusItem = this.add(new StatusItem(shown));
    this.practice = this.add(new PracticeExchange(context.asAbsolutePath('dist/practice.cjs')));
    const store = this.add(new CredentialStore(context));
    this.connection = this.createConnection(context, store);
    const partials = new PartialExports({
      folder: storageFolder(context, 'exports'),
      clock: systemClock,
    });
    const { extensionUri } = context;
    const { connection } = this;
    const confirmRealValues = createRealValuesConfirmation(display);
    const run = (id: CommandId): void => void this.run(id, undefined);
    const documents = new Documents({ extensionUri, active, display, log, confirmRealValues, run });
    this.documents = this.add(documents);
    this.ledger = this.add(
      new LedgerFeature(documents, {
        active,
        display,
        log,
        globalState,
        confirmRealValues,
        folder: storageFolder(context, 'ledgers'),
        workerFile: context.asAbsolutePath('dist/ledgerWorker.cjs'),
      }),
    );
    this.profileContext = {
      connection,
      credentialStore: store,
      partialExports: partials,
      ledgers: this.ledger.profileLedgers,
      display,
      reports: this.add(new ConnectionReports(documents, { connection, display })),
    };
    this.receipts = new ReceiptFiles(storageFolder(context, 'receipts'));
    const { receipts } = this;
    const choices = storedTableChoices(globalState, workspaceState);
    const receiptOptions = { display, confirmRealValues, receipts, choices };
    this.receiptPanels = new ReceiptPanels(documents, receiptOptions);
    this.cancelAll = this.add(createCancelAll(this));
    const writtenBy = extensionNameAndVersion(context);
    const ledger = this.ledger.shown;
    this.exportCommand = this.add(
      new ExportCommand({ active, ledger, partials, display, confirmRealValues, log, writtenBy }),
    );
    const { profileLedgers } = this.ledger;
    this.statements = new StatementCommand({
      profileLedgers,
      display,
      confirmRealValues,
      writtenBy,
      log,
    });
    const exportRows = (subject: ExportQuery): void => {
      void runAndReportErrors(this, commands.exportTable, () => this.exportCommand.export(subject));
    };
    this.panels = this.add(
      new TablePanels({
        extensionUri,
        active,
        ledger,
        display,
        confirmRealValues,
        log,
        exportRows,
        choices,
      }),
    );
    const reconciliation = this.add(this.createReconciliation(globalState));
    this.overview = addOverview(documents, { ...shown, choices, reconciliation, ledger, log });
    const showStored = (rows: StoredRows): void =>
      this.panels.show(rows.table, rows.filters, rows.startAt, true);
    const reconciled = { active, display, reconciliation, showStored };
    this.reconciliation = addReconciliationPage(documents, reconciled);
    this.analysis = addAnalysis(documents, {
      ...{ active, ledger, display, log, showStored, clock: systemClock },
      ...{ layout: choices.layout('analysis'), fill: this.ledger.fill },
      isSupported: Ledgers.isSupported(),
    });
    const idLinks: IdContext = {
      ledger: this.ledger.shown,
      display,
      log,
      show: (record) => showStored(storedRow(record)),
    };
    this.add(new IdLinks(idLinks));
    this.findId = (argument) => findId(idLinks, argument);
    const trees = [this.positions, this.assets, this.lockedOrders];
    this.rowCommands = new RowCommands({ trees, panels: this.panels, confirmRealValues });
    this.handlers = createCommandHandlers(this);
    this.add(new WhenContext(this));
    this.startBackgroundWork(trees, globalState);
    this.restore().catch((error: unknown) => log.failure('opening the account', error));
  }

  /** Opens the account of this window, then offers to enter credentials that VS Code lost. */
  async restore(): Promise<void> {
    await this.connection.restore();
    const missing = await findNewlyMissingCredentials(this.profileContext.credentialStore);
    const offer = offerToReenterCredentials(this.profileContext, missing);
    logRejection(this.log, 'entering missing credentials', offer);
  }

  /** Runs a command. Failures are shown and logged, never thrown. */
  run(id: CommandId, argument: unknown): Promise<void> {
    return runAndReportErrors(this, id, () => this.handlers[id](argument));
  }

  private add<T extends Disposable>(item: T): T {
    return this.disposables.add(item);
  }

  private createConnection(
    context: vscode.ExtensionContext,
    store: CredentialStore,
  ): AccountConnection {
    const { active, practice, display, log } = this;
    const { workspaceState } = context;
    const rateLimits = this.add(
      new RateLimits({
        folder: storageFolder(context, 'rateLimits'),
        clock: systemClock,
        share: () => settingValue('marginDesk.weightShare'),
        onProblem: (error) => log.failure('sharing the rate-limit file', error),
      }),
    );
    const learnedConventions = new LearnedConventionsByProfile({
      storage: context.globalState,
      clock: systemClock,
      onProblem: (error) => log.failure('storing learned API conventions', error),
    });
    return this.add(
      new AccountConnection({
        active,
        practice,
        credentialStore: store,
        rateLimits,
        learnedConventions,
        workspaceState,
        display,
        log,
      }),
    );
  }

  private createReconciliation(globalState: ValueStorage): AccountReconciliation {
    const { active, log } = this;
    return new AccountReconciliation({
      ledger: this.ledger.shown,
      memory: new ContradictionMemory(globalState),
      clock: systemClock,
      log,
      isShown: () => this.reconciliation.visible,
      mayRead: () => settingValue('marginDesk.ledger.keepCurrent'),
      alert: (contradictions) =>
        logRejection(log, 'showing an alert', showContradictions(active, contradictions)),
    });
  }

  /** Polling, alerts, and warnings about settings. */
  private startBackgroundWork(trees: readonly AccountTree[], globalState: ValueStorage): void {
    const { active, display, risk, log } = this;
    const alerts = { active, display, globalState, clock: createMachineClock(), risk, log };
    this.add(new SettingWarnings(log));
    this.add(
      new PollInterval({ active, views: [...trees.map(({ view }) => view), this.overview] }),
    );
    this.add(new AlertNotifications(alerts));
  }
}

/** A folder in the extension's storage, shared by all windows. */
function storageFolder({ globalStorageUri }: vscode.ExtensionContext, name: string): string {
  return vscode.Uri.joinPath(globalStorageUri, name).fsPath;
}

/** Extension and version: exported files name what wrote them. */
function extensionNameAndVersion({ extension }: vscode.ExtensionContext): string {
  const { displayName, version } = extension.packageJSON as Record<string, string>;
  return `${displayName} ${version}`;
}
