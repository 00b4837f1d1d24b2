import * as vscode from 'vscode';
import { historyNames } from '../../api/operations.ts';
import type { Disposable } from '../../base/disposable.ts';
import { referenceNames, type TableName } from '../../protocol/table.ts';
import { commands, views, type CommandId } from '../shared/contributions.ts';
import { t } from '../shared/translate.ts';
import { tableCommands, tableEntry, type TableEntry } from '../tables/tableCommands.ts';

type Entry = TableEntry & { readonly command: CommandId };

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
    ...historyNames.map(entryOf),
    { command: commands.openLedger, label: t('Ledger'), icon: 'database' },
    { command: commands.openReconciliation, label: t('Reconciliation'), icon: 'checklist' },
    { command: commands.openAnalysis, label: t('Analysis'), icon: 'graph-line' },
    { command: commands.openClosedPositions, label: t('Closed positions'), icon: 'archive' },
    ...referenceNames.map(entryOf),
  ];
}

function entryOf(table: TableName): Entry {
  return { ...tableEntry(table), command: tableCommands[table] };
}
