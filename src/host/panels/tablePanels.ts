import * as v from 'valibot';
import * as vscode from 'vscode';
import type { ExportQuery } from '../../account/export/exportPlan.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { GridCommand } from '../../protocol/gridMessages.ts';
import { tableStateSchema, type TableFilters, type TableName } from '../../protocol/table.ts';
import { contextKeys, panels } from '../contributions.ts';
import { logRejection } from '../log.ts';
import type { TableDefinition } from './tableDefinition.ts';
import type { StartAt } from './tablePageReader.ts';
import { TablePanel, type TablePanelOptions } from './tablePanel.ts';
import { exchangeInformationTable } from './tables/exchangeInformationTable.ts';
import { feeTiersTable } from './tables/feeTiersTable.ts';
import { lotsTable, ordersTable, tradesTable, transactionsTable } from './tables/historyTables.ts';
import { leverageRulesTable } from './tables/leverageRulesTable.ts';

const tableFactories: Readonly<Record<TableName, () => TableDefinition>> = {
  orders: ordersTable,
  trades: tradesTable,
  lots: lotsTable,
  transactions: transactionsTable,
  exchangeInformation: exchangeInformationTable,
  leverageRules: leverageRulesTable,
  feeTiers: feeTiersTable,
};

/** The definition of a table in the display language. */
export function createTableDefinition(name: TableName): TableDefinition {
  return tableFactories[name]();
}

type TablePanelsOptions = Omit<TablePanelOptions, 'openTable'>;

/** The table panels of this window, one for each table: opened by a command or restored after a reload. */
export class TablePanels implements Disposable, vscode.WebviewPanelSerializer {
  private readonly options: TablePanelsOptions;
  private readonly open = new Map<TableName, TablePanel>();

  constructor(options: TablePanelsOptions) {
    this.options = options;
  }

  /**
   * Opens a table, or reveals its open panel. `filters` replace all filters of the table; `startAt`
   * names the row to scroll to.
   */
  show(name: TableName, filters?: TableFilters, startAt?: StartAt): void {
    const open = this.open.get(name);
    open?.panel.reveal();
    const panel = open ?? this.create(name);
    if (filters) panel.applyFilters(filters, startAt);
  }

  /** What an export of the rows of the active panel reads; undefined if it shows no history. */
  get activeExportSubject(): ExportQuery | undefined {
    return this.activePanel()?.pageReader.exportSubject;
  }

  /** Passes a menu command to the panel in front. */
  runInActive(command: GridCommand): void {
    this.activePanel()?.command(command);
  }

  /** After a reload. The page has saved its own query and requests its rows again. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, saved: unknown): Promise<void> {
    const state = v.safeParse(tableStateSchema, saved);
    if (!state.success || this.open.has(state.output.table)) panel.dispose();
    else this.adopt(panel, state.output.table);
    return Promise.resolve();
  }

  dispose(): void {
    for (const panel of this.open.values()) panel.dispose();
  }

  /** The export action in the editor title is for histories only. */
  private setContext(): void {
    const isHistory = this.activePanel()?.table.kind === 'history';
    const set = vscode.commands.executeCommand(
      'setContext',
      contextKeys.historyIsActive,
      isHistory,
    );
    logRejection(this.options.log, 'setting a context key', set);
  }

  private activePanel(): TablePanel | undefined {
    return [...this.open.values()].find(({ panel }) => panel.active);
  }

  private create(name: TableName): TablePanel {
    const unrestored = unrestoredTabs(createTableDefinition(name).title);
    const panel = this.adopt(createPanel(), name);
    const closing = vscode.window.tabGroups.close(unrestored);
    logRejection(this.options.log, 'closing an unrestored panel', closing);
    return panel;
  }

  private adopt(panel: vscode.WebviewPanel, name: TableName): TablePanel {
    const own = new TablePanel(panel, name, createTableDefinition(name), {
      ...this.options,
      openTable: (other, filters, startAt) => this.show(other, filters, startAt),
    });
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
 * After a reload, VS Code restores a hidden panel only when the user selects its tab, and an extension
 * cannot restore it. The new panel replaces such a tab of the same table.
 */
function unrestoredTabs(title: string): vscode.Tab[] {
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
