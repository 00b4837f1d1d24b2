import * as v from 'valibot';
import * as vscode from 'vscode';
import type { ExportSubject } from '../../account/export/exportPlan.ts';
import type { Disposable } from '../../base/disposable.ts';
import { tableStateSchema, type TableFilters, type TableName } from '../../protocol/table.ts';
import { inBackground } from '../background.ts';
import { contextKeys, panels } from '../contributions.ts';
import { tableByName } from './tableByName.ts';
import type { StartAt } from './panelRows.ts';
import { TablePanel, type TablePanelOptions } from './tablePanel.ts';

/** The table panels of this window: one a table, opened by a command or brought back after a reload. */
export class TablePanels implements Disposable, vscode.WebviewPanelSerializer {
  private readonly options: TablePanelOptions;
  private readonly open = new Map<TableName, TablePanel>();

  constructor(options: TablePanelOptions) {
    this.options = options;
  }

  /**
   * Shows a table; a panel that is open already comes to the front. With `filters`, by parameter
   * name, it shows the rows that match these and no others of an earlier time, from `startAt` on.
   */
  show(name: TableName, filters?: TableFilters, startAt?: StartAt): void {
    const open = this.open.get(name);
    open?.reveal();
    const panel = open ?? this.create(name);
    if (filters) panel.begin(filters, startAt);
  }

  /** What an export of the rows of the active panel reads; undefined where none shows rows of a history. */
  get activeSubject(): ExportSubject | undefined {
    return this.activePanel()?.subject;
  }

  /** After a reload: the page has kept its own query and asks for it again. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, kept: unknown): Promise<void> {
    const state = v.safeParse(tableStateSchema, kept);
    if (!state.success || this.open.has(state.output.table)) panel.dispose();
    else this.adopt(panel, state.output.table);
    return Promise.resolve();
  }

  dispose(): void {
    for (const panel of this.open.values()) panel.dispose();
  }

  /** An action of the editor's title is for histories only. */
  private setContext(): void {
    const isHistory = this.activePanel()?.canExport ?? false;
    const set = vscode.commands.executeCommand(
      'setContext',
      contextKeys.historyIsActive,
      isHistory,
    );
    inBackground(this.options.log, 'setting a context key', set);
  }

  private activePanel(): TablePanel | undefined {
    return [...this.open.values()].find((panel) => panel.isActive);
  }

  private create(name: TableName): TablePanel {
    const asleep = sleepingTabs(tableByName(name).title);
    const panel = this.adopt(createPanel(), name);
    const closing = vscode.window.tabGroups.close(asleep);
    inBackground(this.options.log, 'closing a panel of before the reload', closing);
    return panel;
  }

  private adopt(panel: vscode.WebviewPanel, name: TableName): TablePanel {
    const own = new TablePanel(panel, name, this.options);
    this.open.set(name, own);
    panel.onDidChangeViewState(() => this.setContext());
    panel.onDidDispose(() => {
      if (this.open.get(name) === own) this.open.delete(name);
      own.dispose();
      this.setContext();
    });
    this.setContext();
    return own;
  }
}

/**
 * After a reload VS Code brings a hidden panel back only when a person looks at it, and lets nobody
 * else wake it: such a tab of the same table gives way to the new panel.
 */
function sleepingTabs(title: string): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(
      ({ input, label }) =>
        input instanceof vscode.TabInputWebview &&
        input.viewType.endsWith(panels.table) &&
        (label === title || label.startsWith(`${title} · `)),
    );
}

function createPanel(): vscode.WebviewPanel {
  const column = vscode.window.activeTextEditor?.viewColumn ?? vscode.ViewColumn.Active;
  return vscode.window.createWebviewPanel(panels.table, '', column);
}
