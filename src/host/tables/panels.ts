import * as v from 'valibot';
import * as vscode from 'vscode';
import type { ExportQuery } from '../../account/export/exportPlan.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { CopyFormat, GridCommand } from '../../protocol/gridMessages.ts';
import { tableStateSchema, type TableFilters, type TableName } from '../../protocol/table.ts';
import type { CommandHandler, FeatureContext } from '../feature/context.ts';
import { commands, contextKeys, panels as panelTypes } from '../shared/contributions.ts';
import { setContextKey } from '../shared/contextKey.ts';
import { logRejection } from '../shared/log.ts';
import { copySelectedText } from '../webview/gridRequests.ts';
import { OpenPanels } from '../webview/openPanels.ts';
import { panelKey, panelTitle, TablePanel, type TablePanelOptions } from './panel.ts';
import type { StartAt } from './panelState.ts';
import { tableCommands } from './tableCommands.ts';
import { createTableDefinition } from './tables.ts';

type TablePanelsOptions = Omit<TablePanelOptions, 'openTable'>;

/** The tables, and the commands in the menus of panels, which know the cells that are selected. */
export function registerTables(
  context: FeatureContext,
  needs: Pick<TablePanelOptions, 'ledger' | 'exportRows' | 'openPosition'>,
) {
  const panels = context.add(new TablePanels({ ...context, ...needs }));
  return {
    panels,
    commands: {
      ...tableCommandHandlers(panels),
      ...gridCommands((command) => {
        panels.runInActive(command);
        context.documents.command(command);
      }),
    },
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

function gridCommands(run: (command: GridCommand) => void) {
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
    [commands.openPositionOfRow]: () => run({ kind: 'openPosition' }),
    [commands.showRowDetails]: () => run({ kind: 'showDetails' }),
    [commands.sortColumn]: () => run({ kind: 'sortColumn' }),
    [commands.hideColumn]: () => run({ kind: 'hideColumn' }),
    [commands.fitColumn]: () => run({ kind: 'fitColumn' }),
    [commands.copySelectedText]: copySelectedText,
  };
}

/**
 * The table panels of this window, opened by a command or restored after a reload: one for each table,
 * and one more for each symbol whose rows a command showed.
 */
export class TablePanels implements Disposable, vscode.WebviewPanelSerializer {
  private readonly options: TablePanelsOptions;
  private readonly open: OpenPanels<TablePanel>;

  constructor(options: TablePanelsOptions) {
    this.options = options;
    const { choices, log } = options;
    const openTable: TablePanelOptions['openTable'] = (...table) => this.show(...table);
    this.open = new OpenPanels({
      viewType: panelTypes.table,
      serve: (panel, key) => new TablePanel(panel, key, { ...options, openTable }),
      closed: (key) => logRejection(log, 'forgetting a query', choices.query(key).set(undefined)),
    });
    this.open.onDidChangeVisibility(() => this.setContext());
  }

  /**
   * Opens a table, or reveals its open panel. `filters` replace all filters of the panel; with a symbol
   * it is the panel of that symbol. `startAt` names the row to scroll to. `isOfStoredRow`: with the rows of
   * the ledger, and the details of that row.
   */
  show(name: TableName, filters?: TableFilters, startAt?: StartAt, isOfStoredRow = false): void {
    const panel = this.reveal(name, filters);
    if (filters) panel.applyFilters(filters, startAt, isOfStoredRow);
  }

  /** What an export of the rows of the active panel reads; undefined if it shows no history. */
  get activeExportSubject(): ExportQuery | undefined {
    const { rows } = this.open.active ?? {};
    return rows?.state.query ? rows.exportSubject(rows.state.query.filters) : undefined;
  }

  /** Passes a menu command to the panel in front. */
  runInActive(command: GridCommand): void {
    this.open.command(command);
  }

  /** After a reload. The page requests the rows of its last query again. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, saved: unknown): Promise<void> {
    const state = v.safeParse(tableStateSchema, saved);
    this.open.restore(panel, state.success ? panelKey(state.output) : undefined);
    return Promise.resolve();
  }

  dispose(): void {
    this.open.dispose();
  }

  private reveal(table: TableName, filters: TableFilters | undefined): TablePanel {
    const scope = typeof filters?.symbol === 'string' ? filters.symbol : '';
    const key = panelKey({ table, scope });
    const title = panelTitle(createTableDefinition(table), filters);
    const unrestored = this.open.get(key) ? [] : this.unrestoredTabs(title);
    const panel = this.open.show(key);
    const closing = vscode.window.tabGroups.close(unrestored);
    logRejection(this.options.log, 'closing an unrestored panel', closing);
    return panel;
  }

  /** The export action in the editor title is for histories only. */
  private setContext(): void {
    const isHistory = this.open.active?.table.kind === 'history';
    setContextKey(this.options.log, contextKeys.historyIsActive, isHistory);
  }

  /**
   * After a reload, VS Code restores a hidden panel only when the user selects its tab, and an extension cannot
   * restore it: a new panel replaces such a tab of the same title. None if an open panel has that title:
   * nothing tells its tab from the others.
   */
  private unrestoredTabs(title: string): vscode.Tab[] {
    if (this.open.all.some(({ panel }) => panel.title === title)) return [];
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    return tabs.filter(
      ({ input, label }) =>
        input instanceof vscode.TabInputWebview &&
        input.viewType.endsWith(panelTypes.table) &&
        label === title,
    );
  }
}
