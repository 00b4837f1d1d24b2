import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { commands, panels, views } from './contributions.ts';
import type { App } from './app.ts';
import { activeProfileKey } from './profiles/activeProfileKey.ts';
import type { AccountNode } from './trees/row.ts';
import { RecordsTree } from './trees/recordsTree.ts';
import { TreePlace } from './trees/treePlace.ts';
import { userValue } from './userValue.ts';

/** The views of the account, which stand before anybody draws them. */
export type AccountPlaces = Readonly<
  Record<'positions' | 'assets' | 'lockedOrders', TreePlace<AccountNode>>
>;

/**
 * All that VS Code may call from activation on: commands, views, panels of before a reload. The app
 * behind it is loaded by the first of these calls, or right after activation where this window has
 * an account to open; a window that never had one pays for nothing else.
 */
export class Entrance implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly load: () => Promise<App>;
  private loading: Promise<App> | undefined;

  constructor(context: vscode.ExtensionContext, load: (places: AccountPlaces) => Promise<App>) {
    const add = <T extends Disposable>(item: T): T => this.disposables.add(item);
    const place = (view: string) => add(new TreePlace<AccountNode>(view, () => this.app()));
    const places = {
      positions: place(views.positions),
      assets: place(views.assets),
      lockedOrders: place(views.lockedOrders),
    };
    this.load = async () => add(await load(places));
    add(new RecordsTree());
    for (const id of Object.values(commands))
      add(
        vscode.commands.registerCommand(id, async (argument: unknown) =>
          (await this.app()).run(id, argument),
        ),
      );
    add(
      vscode.window.registerWebviewPanelSerializer(panels.table, {
        deserializeWebviewPanel: async (panel, state: unknown) =>
          (await this.app()).panels.deserializeWebviewPanel(panel, state),
      }),
    );
    const start = setImmediate(() => {
      if (isUsed(context.workspaceState)) this.app().catch(sayItFailed);
    });
    add({ dispose: () => clearImmediate(start) });
  }

  /** The app behind; loaded once. */
  app(): Promise<App> {
    this.loading ??= this.load();
    return this.loading;
  }

  dispose(): void {
    this.disposables.dispose();
  }
}

/** Nobody waits for it at the start; a command or view that does says so itself. */
function sayItFailed(): Thenable<unknown> {
  return vscode.window.showErrorMessage(
    vscode.l10n.t('Margin Desk could not start: reload the window, or install it anew.'),
  );
}

/** Whether there is an account to open, or credentials of a profile that may be missed. */
function isUsed(memory: vscode.Memento): boolean {
  const profiles = userValue('marginDesk.profiles');
  return (
    memory.get(activeProfileKey) !== undefined ||
    userValue('marginDesk.defaultProfile') !== '' ||
    (typeof profiles === 'object' && profiles !== null && Object.keys(profiles).length > 0)
  );
}
