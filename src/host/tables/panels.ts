import * as v from 'valibot';
import * as vscode from 'vscode';
import type { ExportQuery } from '../../account/export/exportPlan.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { GridCommand } from '../../protocol/gridMessages.ts';
import {
  tableStateSchema,
  type TableFilters,
  type TableName,
  type TableState,
} from '../../protocol/table.ts';
import { contextKeys, panels } from '../shared/contributions.ts';
import { logRejection } from '../shared/log.ts';
import { createPanel } from '../webview/webviewPage.ts';
import {
  panelKey,
  panelTitle,
  TablePanel,
  type PanelIdentity,
  type TablePanelOptions,
} from './panel.ts';
import type { StartAt } from './panelState.ts';
import { createTableDefinition } from './tables.ts';
type TablePanelsOptions = Omit<TablePanelOptions, 'openTable'>;

/**
 * The table panels of this window, opened by a command or restored after a reload: one for each table,
 * and one more for each symbol whose rows a command showed.
 */
export class TablePanels implements Disposable, vscode.WebviewPanelSerializer {
  private readonly options: TablePanelsOptions;
  private readonly open = new Map<string, TablePanel>();

  constructor(options: TablePanelsOptions) {
    this.options = options;
  }

  /**
   * Opens a table, or reveals its open panel. `filters` replace all filters of the panel; with a symbol
   * it is the panel of that symbol. `startAt` names the row to scroll to.
   */
  show(name: TableName, filters?: TableFilters, startAt?: StartAt): void {
    const panel = this.reveal(name, filters);
    if (filters) panel.applyFilters(filters, startAt);
  }

  /** The same with the rows of the ledger, and the details of the row that `startAt` names. */
  showStored(name: TableName, filters: TableFilters, startAt: StartAt | undefined): void {
    this.reveal(name, filters).applyFilters(filters, startAt, true);
  }

  /** What an export of the rows of the active panel reads; undefined if it shows no history. */
  get activeExportSubject(): ExportQuery | undefined {
    const { rows } = this.activePanel() ?? {};
    return rows?.state.query ? rows.exportSubject(rows.state.query.filters) : undefined;
  }

  /** Passes a menu command to the panel in front. */
  runInActive(command: GridCommand): void {
    this.activePanel()?.command(command);
  }

  /** After a reload. The page requests the rows of its last query again. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, saved: unknown): Promise<void> {
    const state = v.safeParse(tableStateSchema, saved);
    if (state.success) this.restore(panel, state.output);
    else panel.dispose();
    return Promise.resolve();
  }

  /** The window closes: the queries of its panels stay, unlike those of a panel that the user closes. */
  dispose(): void {
    const panels = [...this.open.values()];
    this.open.clear();
    for (const panel of panels) panel.dispose();
  }

  private reveal(name: TableName, filters: TableFilters | undefined): TablePanel {
    const scope = typeof filters?.symbol === 'string' ? filters.symbol : '';
    const open = this.open.get(panelKey({ table: name, scope }));
    open?.panel.reveal();
    return open ?? this.create(name, scope, filters);
  }

  private restore(panel: vscode.WebviewPanel, { table, scope = '' }: TableState): void {
    const key = panelKey({ table, scope });
    if (this.open.has(key)) {
      panel.dispose();
      return;
    }
    this.adopt(panel, { table, scope, restored: this.options.queries(key).get() });
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

  private create(table: TableName, scope: string, filters: TableFilters | undefined): TablePanel {
    const unrestored = this.unrestoredTabs(panelTitle(createTableDefinition(table), filters));
    const panel = this.adopt(createPanel(panels.table), { table, scope });
    const closing = vscode.window.tabGroups.close(unrestored);
    logRejection(this.options.log, 'closing an unrestored panel', closing);
    return panel;
  }

  /**
   * After a reload, VS Code restores a hidden panel only when the user selects its tab, and an extension cannot
   * restore it: a new panel replaces such a tab of the same title. None if an open panel has that title:
   * nothing tells its tab from the others.
   */
  private unrestoredTabs(title: string): vscode.Tab[] {
    if ([...this.open.values()].some(({ panel }) => panel.title === title)) return [];
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    return tabs.filter(
      ({ input, label }) =>
        input instanceof vscode.TabInputWebview &&
        input.viewType.endsWith(panels.table) &&
        label === title,
    );
  }

  private adopt(panel: vscode.WebviewPanel, identity: PanelIdentity): TablePanel {
    const key = panelKey(identity);
    const own = new TablePanel(panel, identity, {
      ...this.options,
      openTable: (other, filters, startAt) => this.show(other, filters, startAt),
    });
    this.open.set(key, own);
    panel.onDidChangeViewState(() => this.setContext());
    panel.onDidDispose(() => {
      if (this.open.get(key) === own) this.forget(key);
      own.dispose();
      this.setContext();
    });
    this.setContext();
    return own;
  }

  private forget(key: string): void {
    const { queries, log } = this.options;
    this.open.delete(key);
    logRejection(log, 'forgetting a query', queries(key).set(undefined));
  }
}
