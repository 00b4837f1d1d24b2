import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { commands, views, type CommandId } from '../contributions.ts';

type Table = {
  readonly command: CommandId;
  readonly label: string;
  readonly icon: string;
  readonly description?: string;
};

/** The view that opens the four histories and the three reference tables. */
export class RecordsTree implements Disposable, vscode.TreeDataProvider<Table> {
  private readonly view = vscode.window.createTreeView<Table>(views.records, {
    treeDataProvider: this,
  });

  getTreeItem({ command, label, icon, description }: Table): vscode.TreeItem {
    const item = new vscode.TreeItem(label);
    item.id = command;
    item.iconPath = new vscode.ThemeIcon(icon);
    item.command = { command, title: label };
    if (description !== undefined) item.description = description;
    return item;
  }

  getChildren(table?: Table): Table[] {
    return table ? [] : tables();
  }

  dispose(): void {
    this.view.dispose();
  }
}

function tables(): Table[] {
  const { t } = vscode.l10n;
  return [
    { command: commands.openOrderHistory, label: t('Order history'), icon: 'history' },
    { command: commands.openTradeHistory, label: t('Trade history'), icon: 'arrow-swap' },
    {
      command: commands.openLiquidationHistory,
      label: t('Liquidation auctions'),
      icon: 'flame',
      description: t('exchange-wide'),
    },
    { command: commands.openTransactionHistory, label: t('Transactions'), icon: 'list-ordered' },
    { command: commands.openExchangeInformation, label: t('Exchange information'), icon: 'info' },
    { command: commands.openLeverageRules, label: t('Leverage rules'), icon: 'law' },
    { command: commands.openFeeTiers, label: t('Fee tiers'), icon: 'layers' },
  ];
}
