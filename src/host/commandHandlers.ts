import * as vscode from 'vscode';
import type { CancelAll } from '../account/cancelAll/cancelAll.ts';
import type { ActiveAccount } from '../account/session/activeAccount.ts';
import { ExchangeError } from '../exchange/exchangeError.ts';
import type { CopyFormat, GridCommand } from '../protocol/gridMessages.ts';
import type { TableName } from '../protocol/table.ts';
import { deleteReceipts, type ReceiptPanels } from './cancelAll/receiptPanels.ts';
import type { ReceiptFiles } from './cancelAll/receiptFiles.ts';
import {
  views,
  walkthroughs,
  commands,
  tableCommands,
  type CommandId,
} from './shared/contributions.ts';
import type { ExportCommand } from './export/exportCommand.ts';
import { askSubject } from './export/exportQuestions.ts';
import type { LedgerFeature } from './ledger/ledgerFeature.ts';
import { copySelectedText } from './webview/gridRequests.ts';
import type { Documents, OpenDocuments } from './webview/documents.ts';
import type { TablePanels } from './tables/panels.ts';
import type { AccountConnection } from './profiles/accountConnection.ts';
import { addProfile } from './profiles/addProfile.ts';
import { editProfile, explainReadOnly, removeProfile } from './profiles/editProfile.ts';
import { importProfiles } from './profiles/importProfiles.ts';
import {
  switchProfile,
  tryPractice,
  type ProfileContext,
  setCredentials,
} from './profiles/openProfile.ts';
import type { PracticeExchange } from './profiles/practiceExchange.ts';
import { showConnectionReport, testConnection } from './profiles/testConnection.ts';
import { verifyStatementFolder, type StatementCommand } from './statement/statementCommand.ts';
import { toggleZeroAssets, type RowCommands } from './trees/rowCommands.ts';
import type { Services } from './settings/services.ts';

/**
 * Reads the account now, or retries opening one that failed. A failure of the exchange is shown by the
 * views and the status bar.
 */
async function refreshAccount(active: ActiveAccount, connection: AccountConnection): Promise<void> {
  const { state } = active;
  const session = await (state.kind === 'failed' ? connection.open(state.name) : active.session());
  await vscode.window.withProgress({ location: { viewId: views.positions } }, async () => {
    try {
      await session.refresh();
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
    }
  });
}

async function openWalkthrough(): Promise<void> {
  await vscode.commands.executeCommand(
    'workbench.action.openWalkthrough',
    `margin-desk.margin-desk#${walkthroughs.firstMinutes}`,
  );
}

export type CommandDependencies = Pick<Services, 'active' | 'display' | 'log'> & {
  readonly practice: PracticeExchange;
  readonly profileContext: ProfileContext;
  readonly receipts: ReceiptFiles;
  readonly receiptPanels: ReceiptPanels;
  readonly cancelAll: CancelAll;
  readonly panels: TablePanels;
  readonly documents: Documents;
  readonly overview: OpenDocuments;
  readonly exportCommand: ExportCommand;
  readonly ledger: LedgerFeature;
  readonly statements: StatementCommand;
  readonly reconciliation: OpenDocuments;
  readonly analysis: OpenDocuments;
  readonly rowCommands: RowCommands;
  /** Shows the row of an id of the ledger. */
  readonly findId: CommandHandler;
};

/** Called with the menu's item if the command was run from a context menu. */
export type CommandHandler = (argument: unknown) => Promise<void> | void;

export function createCommandHandlers(
  dependencies: CommandDependencies,
): Readonly<Record<CommandId, CommandHandler>> {
  const { active, practice, profileContext, display, receipts, panels, rowCommands, log } =
    dependencies;
  const { connection } = profileContext;
  return {
    [commands.tryPractice]: async () => {
      const opened = tryPractice(active, connection, practice);
      // At once: it must not come in front of what is opened next.
      dependencies.overview.show('', true);
      await opened;
    },
    [commands.refresh]: () => refreshAccount(active, connection),
    [commands.openOverview]: () => void dependencies.overview.show(),
    ...tableCommandHandlers(panels),
    [commands.exportTable]: async () => {
      const subject = panels.activeExportSubject ?? (await askSubject());
      if (subject) await dependencies.exportCommand.export(subject);
    },
    ...ledgerCommandHandlers(dependencies),
    [commands.openReconciliation]: () => void dependencies.reconciliation.show(),
    [commands.openAnalysis]: () => void dependencies.analysis.show(),
    [commands.findId]: (argument) => dependencies.findId(argument),
    [commands.cancelAllOrders]: () => dependencies.cancelAll.run(),
    [commands.showReceipts]: () => dependencies.receiptPanels.pick(),
    [commands.deleteReceipts]: () => deleteReceipts(receipts),
    [commands.addProfile]: () => addProfile(profileContext),
    [commands.importProfiles]: () => importProfiles(display.current),
    [commands.editProfile]: () => editProfile(profileContext),
    [commands.explainReadOnly]: () => explainReadOnly(active),
    [commands.removeProfile]: () => removeProfile(profileContext),
    [commands.switchProfile]: () => switchProfile(profileContext),
    [commands.setCredentials]: () => setCredentials(profileContext),
    [commands.testConnection]: (name) => testConnection(profileContext, name),
    [commands.showConnectionReport]: () => showConnectionReport(profileContext),
    [commands.togglePrivacy]: () => display.togglePrivacy(),
    [commands.showAllDigits]: () => display.toggleDigits(),
    [commands.toggleZeroAssets]: toggleZeroAssets,
    [commands.copyValue]: (node) => rowCommands.copyValue(node),
    [commands.copyRow]: (node) => rowCommands.copyRow(node),
    [commands.openSymbolOrders]: (node) => rowCommands.openHistory('orders', node),
    [commands.openSymbolTrades]: (node) => rowCommands.openHistory('trades', node),
    [commands.openSymbolLots]: (node) => rowCommands.openHistory('lots', node),
    [commands.openPositionLeverageRule]: (row) => rowCommands.openLeverageRule(row),
    ...gridCommandHandlers(dependencies),
    [commands.openWalkthrough]: openWalkthrough,
    [commands.showLog]: () => log.show(),
  };
}

function tableCommandHandlers(panels: TablePanels) {
  const handlers = Object.entries(tableCommands).map(([name, command]) => [
    command,
    () => panels.show(name as TableName),
  ]);
  return Object.fromEntries(handlers) as Readonly<
    Record<(typeof tableCommands)[TableName], CommandHandler>
  >;
}

function ledgerCommandHandlers({ ledger, statements }: CommandDependencies) {
  return {
    [commands.openLedger]: () => ledger.show(),
    [commands.downloadHistory]: () => ledger.download.show(),
    [commands.writeStatement]: () => statements.write(),
    [commands.verifyStatement]: verifyStatementFolder,
    [commands.backUpLedger]: () => ledger.backUp(),
    [commands.restoreLedger]: () => ledger.restore(),
    [commands.deleteLedger]: () => ledger.delete(),
  };
}

/** The commands in the context menus of a page. It knows which cells are selected. */
function gridCommandHandlers({
  panels,
  documents,
}: Pick<CommandDependencies, 'panels' | 'documents'>) {
  const run = (command: GridCommand): void => {
    panels.runInActive(command);
    documents.command(command);
  };
  const copy =
    (format: CopyFormat, isRows = false) =>
    (): void =>
      run({ kind: 'copy', format, isRows });
  return {
    [commands.copyCells]: copy('tsv'),
    [commands.copyCellsWithHeaders]: copy('tsvWithHeaders'),
    [commands.copyGridRow]: copy('tsv', true),
    [commands.copyCellsAsJson]: copy('json', true),
    [commands.copyCellsAsMarkdown]: copy('markdown'),
    [commands.filterByValue]: () => run({ kind: 'filter' }),
    [commands.openTradesOfOrder]: () => run({ kind: 'openTrades' }),
    [commands.showRowDetails]: () => run({ kind: 'showDetails' }),
    [commands.sortColumn]: () => run({ kind: 'sortColumn' }),
    [commands.hideColumn]: () => run({ kind: 'hideColumn' }),
    [commands.fitColumn]: () => run({ kind: 'fitColumn' }),
    [commands.copySelectedText]: copySelectedText,
  };
}
