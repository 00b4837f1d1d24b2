import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { commands, views, type CommandId } from '../shared/contributions.ts';
import { t } from '../shared/translate.ts';
import { historyLabel } from '../text/historyLabel.ts';

type Entry = {
  readonly command: CommandId;
  readonly label: string;
  readonly icon: string;
  readonly description?: string;
};

/** The view that opens the four histories, what the ledger makes of them, and the three reference tables. */
export class RecordsTree implements Disposable, vscode.TreeDataProvider<Entry> {
  private readonly view = vscode.window.createTreeView<Entry>(views.records, {
    treeDataProvider: this,
  });

  getTreeItem({ command, label, icon, description }: Entry): vscode.TreeItem {
    const item = new vscode.TreeItem(label);
    item.id = command;
    item.iconPath = new vscode.ThemeIcon(icon);
    item.command = { command, title: label };
    if (description !== undefined) item.description = description;
    return item;
  }

  getChildren(entry?: Entry): Entry[] {
    return entry ? [] : entries();
  }

  dispose(): void {
    this.view.dispose();
  }
}

function entries(): Entry[] {
  return [
    { command: commands.openOrderHistory, label: historyLabel('orders'), icon: 'history' },
    { command: commands.openTradeHistory, label: historyLabel('trades'), icon: 'arrow-swap' },
    {
      command: commands.openLiquidationHistory,
      label: historyLabel('lots'),
      icon: 'flame',
      description: t('exchange-wide'),
    },
    {
      command: commands.openTransactionHistory,
      label: historyLabel('transactions'),
      icon: 'list-ordered',
    },
    { command: commands.openLedger, label: t('Ledger'), icon: 'database' },
    { command: commands.openReconciliation, label: t('Reconciliation'), icon: 'checklist' },
    { command: commands.openAnalysis, label: t('Analysis'), icon: 'graph-line' },
    { command: commands.openExchangeInformation, label: t('Exchange Information'), icon: 'info' },
    { command: commands.openLeverageRules, label: t('Leverage Rules'), icon: 'law' },
    { command: commands.openFeeTiers, label: t('Fee Tiers'), icon: 'layers' },
  ];
}
