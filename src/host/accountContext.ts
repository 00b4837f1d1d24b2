import * as vscode from 'vscode';
import type { ActiveAccount } from '../account/activeAccount.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { inBackground } from './background.ts';
import { contextKeys } from './contributions.ts';
import type { DisplayState } from './displayState.ts';
import type { Log } from './log.ts';
import { CredentialsNeededError } from './profiles/credentialsNeeded.ts';

export type AccountContextParts = {
  readonly active: ActiveAccount;
  readonly display: DisplayState;
  readonly log: Log;
};

/** Keeps the context keys that `when` clauses ask of the account and its display. */
export class AccountContext implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly parts: AccountContextParts;
  private readonly told = new Map<string, boolean>();

  constructor(parts: AccountContextParts) {
    this.parts = parts;
    for (const { onDidChange } of [parts.active, parts.display])
      this.disposables.add(onDidChange(() => this.tell()));
    this.tell();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /** Each key reaches the window: only what is new is told. */
  private tell(): void {
    const { state } = this.parts.active;
    const { needsCredentials, hasAccount, privacy } = contextKeys;
    const isAsking = state.kind === 'failed' && state.error instanceof CredentialsNeededError;
    this.tellKey(hasAccount, state.kind !== 'closed');
    this.tellKey(needsCredentials, isAsking);
    this.tellKey(privacy, this.parts.display.current.settings.hidesMoney);
  }

  private tellKey(key: string, value: boolean): void {
    if (this.told.get(key) === value) return;
    this.told.set(key, value);
    const set = vscode.commands.executeCommand('setContext', key, value);
    inBackground(this.parts.log, 'setting a context key', set);
  }
}
