import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/activeAccount.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { statusItems, views } from '../contributions.ts';
import type { DisplayState } from '../displayState.ts';
import type { RiskState } from '../riskState.ts';
import { onDidChangeStatusBar, statusBarSetting } from '../settings.ts';
import { aloud } from '../words.ts';
import { statusHover } from './statusHover.ts';
import type { Alarm } from './standing.ts';
import { statusWords } from './statusWords.ts';

export type EquityStatusOptions = {
  readonly active: ActiveAccount;
  readonly display: DisplayState;
  readonly risk: RiskState;
};

/** The status-bar item: environment, equity, upl and danger; hidden while there is no account at all. */
export class EquityStatus implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly options: EquityStatusOptions;
  private place = statusBarSetting();
  private drawn: string | undefined;
  private shown = this.create();

  constructor(options: EquityStatusOptions) {
    this.options = options;
    const { active, display, risk } = options;
    const { onDidChange, onDidWait } = active;
    for (const event of [onDidChange, onDidWait, display.onDidChange, risk.onDidChange])
      this.disposables.add(event(() => this.draw()));
    this.disposables.add(onDidChangeStatusBar(() => this.move()));
    this.draw();
  }

  get item(): vscode.StatusBarItem {
    return this.shown;
  }

  dispose(): void {
    this.shown.dispose();
    this.disposables.dispose();
  }

  private create(): vscode.StatusBarItem {
    const { Left, Right } = vscode.StatusBarAlignment;
    const item =
      this.place === 'left'
        ? vscode.window.createStatusBarItem(statusItems.equityOnTheLeft, Left, 100)
        : vscode.window.createStatusBarItem(statusItems.equity, Right, 100);
    item.name = vscode.l10n.t('Margin Desk Equity');
    item.command = `${views.positions}.focus`;
    return item;
  }

  /** An item keeps its side as long as it lives, and VS Code remembers the side by the id beyond that. */
  private move(): void {
    this.place = statusBarSetting();
    this.shown.dispose();
    this.shown = this.create();
    this.drawn = undefined;
    this.draw();
  }

  /** Each assignment reaches the window: only what is new is assigned. */
  private draw(): void {
    const { active, display, risk } = this.options;
    const words =
      this.place === 'hidden' ? undefined : statusWords(active.state, display.current, risk);
    const drawn = JSON.stringify(words ?? null);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    if (!words) {
      this.item.hide();
      return;
    }
    this.item.text = words.text;
    this.item.accessibilityInformation = { label: aloud(words.spoken) };
    this.item.tooltip = statusHover(words, active.state.kind === 'open');
    this.item.backgroundColor = background(words.alarm);
    this.item.show();
  }
}

function background(alarm: Alarm): vscode.ThemeColor | undefined {
  switch (alarm) {
    case 'none':
      return undefined;
    case 'warning':
      return new vscode.ThemeColor('statusBarItem.warningBackground');
    case 'error':
      return new vscode.ThemeColor('statusBarItem.errorBackground');
    default:
      return alarm satisfies never;
  }
}
