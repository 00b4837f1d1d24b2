import * as vscode from 'vscode';
import { DisposableOwner, type Disposable } from '../base/disposable.ts';
import type { App } from './app.ts';
import { commands, panels, views, activeProfileKey } from './shared/contributions.ts';
import { userSetting } from './settings/settingValues.ts';
import { t } from './shared/translate.ts';
import { LazyTree, type LazyAccountTrees } from './trees/lazyTree.ts';
import { RecordsTree } from './trees/recordsTree.ts';

type PanelOwner = {
  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> | void;
};

/** What restores the panels of each kind after a reload. */
const panelOwners: Readonly<Record<keyof typeof panels, (app: App) => PanelOwner>> = {
  table: (app) => app.panels,
  document: (app) => app.documents,
};

/**
 * Registers everything that VS Code may call from activation on: commands, views, panels restored
 * after a reload. The app is loaded by the first of these calls, or right after activation if this
 * window has an account to open. A window without one loads nothing else.
 */
export class Bootstrap extends DisposableOwner {
  private readonly load: () => Promise<App>;
  private loadedApp: Promise<App> | undefined;

  constructor(context: vscode.ExtensionContext, load: (trees: LazyAccountTrees) => Promise<App>) {
    super();
    const add = <T extends Disposable>(item: T): T => this.disposables.add(item);
    const createTree = (id: string) => add(new LazyTree(id, () => this.app()));
    const trees = {
      positions: createTree(views.positions),
      assets: createTree(views.assets),
      lockedOrders: createTree(views.lockedOrders),
    };
    this.load = async () => add(await load(trees));
    add(new RecordsTree());
    for (const id of Object.values(commands))
      add(
        vscode.commands.registerCommand(id, async (argument: unknown) =>
          (await this.app()).run(id, argument),
        ),
      );
    for (const name of Object.keys(panels) as (keyof typeof panels)[])
      add(
        vscode.window.registerWebviewPanelSerializer(panels[name], {
          deserializeWebviewPanel: async (panel, state: unknown) =>
            panelOwners[name](await this.app()).deserializeWebviewPanel(panel, state),
        }),
      );
    const start = setImmediate(() => {
      if (hasConfiguredAccount(context.workspaceState)) this.app().catch(showStartFailure);
    });
    add({ dispose: () => clearImmediate(start) });
  }

  /** The app, loaded once. */
  app(): Promise<App> {
    this.loadedApp ??= this.load();
    return this.loadedApp;
  }
}

/** Only for the load right after activation: a command or view that waits for the app reports the failure itself. */
function showStartFailure(): Thenable<unknown> {
  return vscode.window.showErrorMessage(
    t('Margin Desk could not start. Reload the window or reinstall the extension.'),
  );
}

/** Whether there is an account to open, or a profile whose credentials may be missing. */
function hasConfiguredAccount(workspaceState: vscode.Memento): boolean {
  const profiles = userSetting('marginDesk.profiles');
  return (
    workspaceState.get(activeProfileKey) !== undefined ||
    userSetting('marginDesk.defaultProfile') !== '' ||
    (typeof profiles === 'object' && profiles !== null && Object.keys(profiles).length > 0)
  );
}
