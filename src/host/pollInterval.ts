import * as vscode from 'vscode';
import type { ActiveAccount } from '../account/session/activeAccount.ts';
import { DisposableOwner } from '../base/disposable.ts';
import { alertKinds, isAlertEnabled, onDidChangeSetting } from './settings/settings.ts';
import { settingValue } from './settings/settingValues.ts';

type PollIntervalOptions = {
  readonly active: Pick<ActiveAccount, 'setIntervalMs'>;
  /** What shows the account: views, and the overview. */
  readonly views: readonly Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>[];
};

const settingSections = [
  'marginDesk.pollSeconds',
  'marginDesk.alerts',
  'marginDesk.statusBarAlignment',
] as const;

/**
 * Sets how often the account is read: by the settings and the focus of this window while the status bar,
 * a view or the overview shows it or an alert is on, else only on request. Other panels send their own
 * requests.
 */
export class PollInterval extends DisposableOwner {
  private readonly options: PollIntervalOptions;

  constructor(options: PollIntervalOptions) {
    super();
    this.options = options;
    const update = (): void => this.update();
    this.disposables.add(vscode.window.onDidChangeWindowState(update));
    this.disposables.add(onDidChangeSetting(settingSections, update));
    for (const view of options.views) this.disposables.add(view.onDidChangeVisibility(update));
    this.update();
  }

  private update(): void {
    const { active, views } = this.options;
    const isNeeded =
      settingValue('marginDesk.statusBarAlignment') !== 'hidden' ||
      views.some(({ visible }) => visible) ||
      alertKinds.some(isAlertEnabled);
    const seconds = vscode.window.state.focused
      ? settingValue('marginDesk.pollSeconds.focused')
      : settingValue('marginDesk.pollSeconds.unfocused');
    active.setIntervalMs(isNeeded ? seconds * 1000 : undefined);
  }
}
