import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/activeAccount.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { statusItems, views } from '../contributions.ts';
import type { DisplayState } from '../displayState.ts';
import { fieldsMarkdown } from '../safeMarkdown.ts';
import { aloud } from '../words.ts';
import { statusWords } from './statusWords.ts';

/** The status-bar item: environment, equity and upl; hidden while there is no account at all. */
export class EquityStatus implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly active: ActiveAccount;
  private readonly display: DisplayState;
  readonly item = this.disposables.add(
    vscode.window.createStatusBarItem(statusItems.equity, vscode.StatusBarAlignment.Right, 100),
  );

  constructor(active: ActiveAccount, display: DisplayState) {
    this.active = active;
    this.display = display;
    this.item.name = vscode.l10n.t('Margin Desk Equity');
    this.item.command = `${views.positions}.focus`;
    this.disposables.add(active.onDidChange(() => this.draw()));
    this.disposables.add(display.onDidChange(() => this.draw()));
    this.draw();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private draw(): void {
    const drawn = statusWords(this.active.state, this.display.current);
    if (!drawn) {
      this.item.hide();
      return;
    }
    this.item.text = drawn.text;
    this.item.accessibilityInformation = { label: aloud(drawn.spoken) };
    this.item.tooltip = fieldsMarkdown(drawn.title, drawn.fields);
    this.item.backgroundColor = drawn.isProblem
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
    this.item.show();
  }
}
