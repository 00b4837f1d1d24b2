import * as vscode from 'vscode';
import { ActiveAccount } from '../account/session/activeAccount.ts';
import { DisposableOwner } from '../base/disposable.ts';
import { systemClock } from '../base/time.ts';
import { registerAgents } from './agents/agents.ts';
import { registerAlerts } from './alerts/alertNotifications.ts';
import { registerPositionDetails } from './analysis/positionDetails.ts';
import { registerAnalysis } from './analysis/shownAnalysis.ts';
import { Today } from './analysis/today.ts';
import { registerBots } from './bots/bots.ts';
import { registerCancelAll } from './cancelAll/cancelAllCommand.ts';
import type { ReceiptFiles } from './cancelAll/receiptFiles.ts';
import { registerComparisons } from './comparison/comparisons.ts';
import { registerReports } from './connectionReport/connectionReports.ts';
import { registerExport } from './export/exportCommand.ts';
import type { CommandHandler, FeatureContext } from './feature/context.ts';
import { registerIds } from './ids/idLinks.ts';
import { registerLedger } from './ledger/ledgerFeature.ts';
import { registerOverview } from './overview/overviewPanels.ts';
import { registerConnection } from './profiles/accountConnection.ts';
import { registerProfiles } from './profiles/profileCommands.ts';
import { registerReconciliation } from './reconciliation/document.ts';
import { storedRow, type StoredRows } from './reconciliation/storedRows.ts';
import { createRealValuesConfirmation, DisplayState } from './settings/displayState.ts';
import { RiskAssessment } from './settings/riskAssessment.ts';
import type { CommandId } from './shared/contributions.ts';
import { Log } from './shared/log.ts';
import { registerStatements } from './statement/statementCommand.ts';
import { registerStatusItem } from './status/statusItem.ts';
import { registerTables, type TablePanels } from './tables/panels.ts';
import { runAndReportErrors } from './text/commandErrors.ts';
import type { AccountTree } from './trees/accountTree.ts';
import type { LazyTree } from './trees/lazyTree.ts';
import { registerTrees } from './trees/rowCommands.ts';
import { Documents, type OpenDocuments } from './webview/documents.ts';
import { OpeningSnapshots } from './webview/snapshot.ts';
import { storedTableChoices } from './webview/tableChoices.ts';
import { registerWindow } from './window.ts';

/**
 * The composition root: registers the features of this window once, each with the context and what it needs of
 * earlier ones, and disposes of them. A command without a feature that handles it does not compile.
 */
export class App extends DisposableOwner {
  readonly log = this.disposables.add(new Log());
  readonly active = this.disposables.add(new ActiveAccount());
  readonly risk = this.disposables.add(new RiskAssessment());
  readonly display: DisplayState;
  readonly documents: Documents;
  readonly connection: ReturnType<typeof registerConnection>;
  readonly ledger: ReturnType<typeof registerLedger>;
  readonly positions: AccountTree;
  readonly assets: AccountTree;
  readonly lockedOrders: AccountTree;
  readonly receipts: ReceiptFiles;
  readonly agents: ReturnType<typeof registerAgents>;
  readonly overview: OpenDocuments;
  readonly panels: TablePanels;
  readonly statusItem: ReturnType<typeof registerStatusItem>;
  /** Opens the account of this window, then offers to enter credentials that VS Code lost. */
  readonly restore: () => Promise<void>;
  private readonly handlers: Readonly<Record<CommandId, CommandHandler>>;

  constructor(extension: vscode.ExtensionContext, positions: LazyTree) {
    super();
    const context = this.createContext(extension);
    const { display, documents, log } = context;
    this.display = display;
    this.documents = documents;
    this.connection = registerConnection(context, extension);
    this.ledger = registerLedger(context);
    const { ledgers, profileLedgers, shown, fill } = this.ledger;
    const exports = registerExport(context, shown);
    const showStored = ({ table, filters, startAt }: StoredRows): void =>
      this.panels.show(table, filters, startAt, true);
    const position = registerPositionDetails(context, { ledger: shown, showStored });
    const tables = registerTables(context, {
      ...{ ledger: shown, exportRows: exports.start, openPosition: position.showOf },
    });
    this.panels = tables.panels;
    const trees = registerTrees(context, positions, this.panels);
    this.positions = trees.positions;
    this.assets = trees.assets;
    this.lockedOrders = trees.lockedOrders;
    const cancelAll = registerCancelAll(context);
    this.receipts = cancelAll.receipts;
    const reconciliation = registerReconciliation(context, shown, showStored);
    const today = context.add(new Today({ ...context, ledger: shown, clock: systemClock }));
    const overview = registerOverview(context, shown, reconciliation.current, today);
    this.overview = overview.page;
    const profiles = registerProfiles(context, this.connection, {
      ...{ profileLedgers, exports: exports.exports },
      reports: registerReports(context, this.connection),
      showOverview: () => this.overview.show('', true),
    });
    this.restore = profiles.restore;
    const analysis = registerAnalysis(context, {
      ...{ ledger: shown, fill, showStored, showPosition: position.show },
    });
    this.agents = registerAgents(context, {
      ...{ ledger: shown, profileLedgers, showStored, showAnalysis: analysis.choose },
      fileOf: (id) => ledgers.fileOf(id),
    });
    this.handlers = {
      ...this.ledger.commands,
      ...exports.commandsFor(this.panels),
      ...tables.commands,
      ...trees.commands,
      ...cancelAll.commands,
      ...registerBots(context),
      ...reconciliation.commands,
      ...overview.commands,
      ...profiles.commands,
      ...registerStatements(context, profileLedgers),
      ...analysis.commands,
      ...this.agents.commands,
      ...registerComparisons(context, { ledger: shown, profileLedgers, fill, showStored }),
      ...registerIds(context, { ledger: shown, show: (record) => showStored(storedRow(record)) }),
      ...registerWindow(context, [...trees.views, this.overview]),
    };
    this.statusItem = registerStatusItem(context, today);
    registerAlerts(context);
    this.restore().catch((error: unknown) => log.failure('opening the account', error));
  }

  /** Runs a command. Failures are shown and logged, never thrown. */
  run(id: CommandId, argument: unknown): Promise<void> {
    return runAndReportErrors(this, id, () => this.handlers[id](argument));
  }

  private createContext(extension: vscode.ExtensionContext): FeatureContext {
    const { active, risk, log, disposables } = this;
    const { extensionUri, globalState, workspaceState, globalStorageUri } = extension;
    const { displayName, version } = extension.extension.packageJSON as Record<string, string>;
    const add: FeatureContext['add'] = (item) => disposables.add(item);
    const display = add(new DisplayState(globalState));
    const confirmRealValues = createRealValuesConfirmation(display);
    const run = (id: CommandId): void => void this.run(id, undefined);
    const openings = add(new OpeningSnapshots({ active, display }));
    const services = { active, display, log, confirmRealValues, extensionUri, openings };
    return {
      ...{ ...services, risk, globalState, workspaceState, add },
      documents: add(new Documents({ ...services, run })),
      choices: storedTableChoices(globalState, workspaceState),
      writtenBy: `${displayName} ${version}`,
      version: version ?? '',
      storageFolder: (name) => vscode.Uri.joinPath(globalStorageUri, name).fsPath,
      file: (name) => extension.asAbsolutePath(name),
    };
  }
}
