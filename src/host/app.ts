import * as vscode from 'vscode';
import { ActiveAccount } from '../account/activeAccount.ts';
import { singleFlight } from '../base/singleFlight.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { cancelAllOrders } from './commands/cancelAllOrders.ts';
import { refresh } from './commands/refresh.ts';
import { tryPractice } from './commands/tryPractice.ts';
import { registerCommand } from './commandBoundary.ts';
import { commands, contextKeys } from './contributions.ts';
import { Log } from './log.ts';
import { TablePanels } from './panels/tablePanels.ts';
import { Accounts } from './profiles/accounts.ts';
import { PracticeExchange } from './profiles/practice.ts';
import { EquityStatus } from './status/equityStatus.ts';
import { PositionsTree } from './trees/positionsTree.ts';

/**
 * The composition root: builds everything once and owns its end. The account of this window
 * (`active`) stands in the middle; commands change it, trees, status and panels draw it.
 */
export class App implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly log = this.disposables.add(new Log());
  readonly active = this.disposables.add(new ActiveAccount());
  readonly positions = this.disposables.add(new PositionsTree(this.active));
  readonly equity = this.disposables.add(new EquityStatus(this.active));
  readonly accounts: Accounts;

  constructor(context: vscode.ExtensionContext) {
    const add = <T extends Disposable>(item: T): T => this.disposables.add(item);
    const practice = add(new PracticeExchange(context.asAbsolutePath('dist/practice.cjs')));
    this.accounts = new Accounts(this.active, practice, context.workspaceState, this.log);
    const panels = add(new TablePanels(context.extensionUri, this.active, this.log));
    this.registerCommands(panels);
    add(this.active.onDidChange(() => this.setContext()));
    this.active.setFocused(vscode.window.state.focused);
    add(vscode.window.onDidChangeWindowState(({ focused }) => this.active.setFocused(focused)));
    this.accounts
      .restore()
      .catch((error: unknown) => this.log.failure('opening the account', error));
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private registerCommands(panels: TablePanels): void {
    const cancelOnce = singleFlight(() => cancelAllOrders(this.active, this.log));
    const runs = {
      [commands.tryPractice]: () => tryPractice(this.accounts),
      [commands.refresh]: () => refresh(this.active),
      [commands.openOrderHistory]: () => panels.showOrders(),
      [commands.cancelAllOrders]: cancelOnce,
      [commands.showLog]: () => this.log.show(),
    };
    for (const id of Object.values(commands))
      this.disposables.add(registerCommand(this.log, id, runs[id]));
  }

  private setContext(): void {
    const hasAccount = this.active.state.kind !== 'closed';
    void vscode.commands.executeCommand('setContext', contextKeys.hasAccount, hasAccount);
  }
}
