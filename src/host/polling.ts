import * as vscode from 'vscode';
import type { ActiveAccount } from '../account/activeAccount.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { onDidChangeStatusBar, statusBarSetting } from './settings.ts';
import { hasAlertsSetting, onDidChangeWatching, pollSecondsSetting } from './watchSettings.ts';

export type PollingParts = {
  readonly active: Pick<ActiveAccount, 'setIntervalMs'>;
  /** What shows the account beside the status bar. */
  readonly views: readonly Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>[];
};

/**
 * How far apart the account is read: by the settings and this window's focus while somebody may look
 * at it or wants to be alerted, else only when somebody asks. Panels ask for themselves.
 */
export class Polling implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly parts: PollingParts;

  constructor(parts: PollingParts) {
    this.parts = parts;
    const follow = (): void => this.follow();
    this.disposables.add(vscode.window.onDidChangeWindowState(follow));
    this.disposables.add(onDidChangeWatching(follow));
    this.disposables.add(onDidChangeStatusBar(follow));
    for (const view of parts.views) this.disposables.add(view.onDidChangeVisibility(follow));
    this.follow();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private follow(): void {
    const { active, views } = this.parts;
    const isShown = statusBarSetting() !== 'hidden' || views.some(({ visible }) => visible);
    const intervalMs = pollSecondsSetting(vscode.window.state.focused) * 1000;
    active.setIntervalMs(isShown || hasAlertsSetting() ? intervalMs : undefined);
  }
}
