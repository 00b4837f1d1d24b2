import * as vscode from 'vscode';
import type { HistoryName } from '../../api/operations.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { TableName } from '../../protocol/table.ts';
import { commands, views, type CommandId } from '../shared/contributions.ts';
import { t } from '../shared/translate.ts';
import { tableCommands } from '../tables/tableCommands.ts';
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
    ...tableEntries({
      orders: { label: historyLabel('orders'), icon: 'history' },
      trades: { label: historyLabel('trades'), icon: 'arrow-swap' },
      lots: { label: historyLabel('lots'), icon: 'flame', description: t('exchange-wide') },
      transactions: { label: historyLabel('transactions'), icon: 'list-ordered' },
    } satisfies Rows<HistoryName>),
    { command: commands.openLedger, label: t('Ledger'), icon: 'database' },
    { command: commands.openReconciliation, label: t('Reconciliation'), icon: 'checklist' },
    { command: commands.openAnalysis, label: t('Analysis'), icon: 'graph-line' },
    { command: commands.openClosedPositions, label: t('Closed positions'), icon: 'archive' },
    ...tableEntries({
      exchangeInformation: { label: t('Exchange Information'), icon: 'info' },
      leverageRules: { label: t('Leverage Rules'), icon: 'law' },
      feeTiers: { label: t('Fee Tiers'), icon: 'layers' },
    } satisfies Rows<Exclude<TableName, HistoryName>>),
  ];
}

/** A row for each of these tables. */
type Rows<Name extends TableName> = Readonly<Record<Name, Omit<Entry, 'command'>>>;

function tableEntries(rows: Partial<Rows<TableName>>): Entry[] {
  return Object.entries(rows).map(([name, row]) => ({
    ...row,
    command: tableCommands[name as TableName],
  }));
}
