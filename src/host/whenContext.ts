import * as vscode from 'vscode';
import type { ActiveAccount } from '../account/session/activeAccount.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { contextKeys } from './shared/contributions.ts';
import { logRejection, type Log } from './shared/log.ts';
import type { DisplayState } from './settings/displayState.ts';

type WhenContextOptions = {
  readonly active: ActiveAccount;
  readonly display: DisplayState;
  readonly log: Log;
};

/** Keeps the context keys for `when` clauses up to date. */
export class WhenContext implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly options: WhenContextOptions;
  private readonly lastValues = new Map<string, boolean>();

  constructor(options: WhenContextOptions) {
    this.options = options;
    for (const { onDidChange } of [options.active, options.display])
      this.disposables.add(onDidChange(() => this.update()));
    this.update();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private update(): void {
    const { state } = this.options.active;
    const { hasAccount, isReadOnly, privacy } = contextKeys;
    this.setKey(hasAccount, state.kind !== 'closed');
    this.setKey(isReadOnly, state.kind === 'open' && state.session.profile.readOnly);
    this.setKey(privacy, this.options.display.current.settings.hidesMoney);
  }

  /** Sets only what changed: each call is a message to the window. */
  private setKey(key: string, value: boolean): void {
    if (this.lastValues.get(key) === value) return;
    this.lastValues.set(key, value);
    const set = vscode.commands.executeCommand('setContext', key, value);
    logRejection(this.options.log, 'setting a context key', set);
  }
}
