import type { ActiveAccount } from '../account/activeAccount.ts';
import { addProfile } from './commands/addProfile.ts';
import type { CancelAllOrders } from './commands/cancelAllOrders.ts';
import { clearCredentials } from './commands/clearCredentials.ts';
import { deleteReceipts } from './commands/deleteReceipts.ts';
import { editProfile } from './commands/editProfile.ts';
import type { TableExports } from './commands/exportTable.ts';
import { askSubject } from './commands/exportTableQuestions.ts';
import { importProfiles } from './commands/importProfiles.ts';
import { openWalkthrough } from './commands/openWalkthrough.ts';
import { refresh } from './commands/refresh.ts';
import { removeProfile } from './commands/removeProfile.ts';
import { toggleZeroAssets, type RowActions } from './commands/rowActions.ts';
import { setCredentials } from './commands/setCredentials.ts';
import { showConnectionReport } from './commands/showConnectionReport.ts';
import { showReceipts } from './commands/showReceipts.ts';
import { switchProfile } from './commands/switchProfile.ts';
import { testConnection } from './commands/testConnection.ts';
import { tryPractice } from './commands/tryPractice.ts';
import { commands, type CommandId } from './contributions.ts';
import type { DisplayState } from './displayState.ts';
import type { Documents } from './documents.ts';
import type { Log } from './log.ts';
import type { TablePanels } from './panels/tablePanels.ts';
import type { PracticeExchange } from './profiles/practice.ts';
import type { ProfileEnds } from './profiles/profileDesk.ts';
import type { ReceiptFiles } from './receipts/receiptFiles.ts';

export type CommandParts = {
  readonly active: ActiveAccount;
  readonly practice: PracticeExchange;
  readonly profiles: ProfileEnds;
  readonly documents: Documents;
  readonly display: DisplayState;
  readonly receipts: ReceiptFiles;
  readonly cancelAll: CancelAllOrders;
  readonly panels: TablePanels;
  readonly exports: TableExports;
  readonly rows: RowActions;
  readonly log: Log;
};

/** What a command does; from a menu it gets what the menu belongs to. */
export type CommandRun = (argument: unknown) => Promise<void> | void;

/** What each command does, by its id. */
export function commandRuns(parts: CommandParts): Readonly<Record<CommandId, CommandRun>> {
  const { active, practice, profiles, documents, display, receipts, panels, rows, log } = parts;
  const { accounts } = profiles;
  return {
    [commands.tryPractice]: () => tryPractice(active, accounts, practice),
    [commands.refresh]: () => refresh(active, accounts),
    [commands.openOrderHistory]: () => panels.show('orders'),
    [commands.openTradeHistory]: () => panels.show('trades'),
    [commands.openLiquidationHistory]: () => panels.show('lots'),
    [commands.openTransactionHistory]: () => panels.show('transactions'),
    [commands.openExchangeInformation]: () => panels.show('exchangeInformation'),
    [commands.openLeverageRules]: () => panels.show('leverageRules'),
    [commands.openFeeTiers]: () => panels.show('feeTiers'),
    [commands.exportTable]: async () => {
      const subject = panels.activeSubject ?? (await askSubject());
      if (subject) await parts.exports.export(subject);
    },
    [commands.cancelAllOrders]: () => parts.cancelAll.run(),
    [commands.showReceipts]: () => showReceipts(parts),
    [commands.deleteReceipts]: () => deleteReceipts(receipts, log),
    [commands.addProfile]: () => addProfile(profiles, documents),
    [commands.importProfiles]: () => importProfiles(display.current),
    [commands.editProfile]: () => editProfile(profiles),
    [commands.removeProfile]: () => removeProfile(profiles),
    [commands.switchProfile]: () => switchProfile(profiles),
    [commands.setCredentials]: () => setCredentials(profiles),
    [commands.clearCredentials]: () => clearCredentials(profiles),
    [commands.testConnection]: () => testConnection(profiles, documents),
    [commands.showConnectionReport]: () => showConnectionReport(profiles, documents),
    [commands.togglePrivacy]: () => display.togglePrivacy(),
    [commands.toggleZeroAssets]: toggleZeroAssets,
    [commands.copyValue]: (node) => rows.copyValue(node),
    [commands.copyRow]: (node) => rows.copyRow(node),
    [commands.openSymbolOrders]: (node) => rows.openHistory('orders', node),
    [commands.openSymbolTrades]: (node) => rows.openHistory('trades', node),
    [commands.openSymbolLots]: (node) => rows.openHistory('lots', node),
    [commands.openPositionLeverageRule]: (row) => rows.openLeverageRule(row),
    [commands.openWalkthrough]: openWalkthrough,
    [commands.showLog]: () => log.show(),
  };
}
