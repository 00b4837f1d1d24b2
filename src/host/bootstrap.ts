import * as vscode from 'vscode';
import { DisposableOwner } from '../base/disposable.ts';
import type { App } from './app.ts';
import { activeProfileKey, panels, views, type CommandId } from './shared/contributions.ts';
import { userSetting } from './settings/userSetting.ts';
import { t } from './shared/translate.ts';
import { LazyTree } from './trees/lazyTree.ts';

type PanelOwner = {
  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> | void;
};

/** What restores the panels of each kind after a reload. */
const panelOwners: Readonly<Record<keyof typeof panels, (app: App) => PanelOwner>> = {
  table: (app) => app.panels,
  document: (app) => app.documents,
};

/**
 * Registers everything that VS Code may call before there is an account: commands, the view of positions, panels
 * restored after a reload. The app is loaded by the first of these calls, or right after activation if
 * this window has an account to open. A window without one loads nothing else.
 */
export class Bootstrap extends DisposableOwner {
  private readonly load: (positions: LazyTree) => Promise<App>;
  private loadedApp: Promise<App> | undefined;
  private createdPositions: LazyTree | undefined;

  constructor(context: vscode.ExtensionContext, load: (positions: LazyTree) => Promise<App>) {
    super();
    this.load = load;
    for (const id of contributedCommands(context))
      this.disposables.add(
        vscode.commands.registerCommand(id, async (argument: unknown) =>
          (await this.app()).run(id, argument),
        ),
      );
    const start = setImmediate(() => this.start(context));
    this.disposables.add({ dispose: () => clearImmediate(start) });
  }

  /** Right after activation, which every window waits for: VS Code keeps a view, and a panel, for what comes. */
  private start({ workspaceState }: vscode.ExtensionContext): void {
    this.positions();
    for (const name of Object.keys(panels) as (keyof typeof panels)[])
      this.disposables.add(
        vscode.window.registerWebviewPanelSerializer(panels[name], {
          deserializeWebviewPanel: async (panel, state: unknown) =>
            panelOwners[name](await this.app()).deserializeWebviewPanel(panel, state),
        }),
      );
    if (hasConfiguredAccount(workspaceState)) this.app().catch(showStartFailure);
  }

  /** The app, loaded once. */
  app(): Promise<App> {
    this.loadedApp ??= this.load(this.positions()).then((app) => this.disposables.add(app));
    return this.loadedApp;
  }

  private positions(): LazyTree {
    this.createdPositions ??= this.disposables.add(new LazyTree(views.positions, () => this.app()));
    return this.createdPositions;
  }
}

/** A unit test compares them with the commands of `contributions.ts`, which the app has. */
function contributedCommands({ extension }: vscode.ExtensionContext): readonly CommandId[] {
  const { contributes } = extension.packageJSON as {
    contributes: { commands: readonly { command: CommandId }[] };
  };
  return contributes.commands.map(({ command }) => command);
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
