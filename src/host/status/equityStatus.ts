import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/activeAccount.ts';
import type { AccountState, Snapshot } from '../../account/accountStore.ts';
import { environmentLabel, type Profile } from '../../account/profile.ts';
import { cleanText } from '../../base/cleanText.ts';
import { plain } from '../../base/decimal.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { glance, grouped, unknownValue, utcTime } from '../../base/format.ts';
import { statusItems, views } from '../contributions.ts';
import { lockedSides } from '../lockedWords.ts';
import { fieldsMarkdown } from '../safeMarkdown.ts';
import { sentenceFor } from '../words.ts';

/** The status-bar item: environment and equity; hidden while no account is open. */
export class EquityStatus implements Disposable {
  private readonly disposables = new DisposableStore();
  readonly item = this.disposables.add(
    vscode.window.createStatusBarItem(statusItems.equity, vscode.StatusBarAlignment.Right, 100),
  );
  private readonly active: ActiveAccount;

  constructor(active: ActiveAccount) {
    this.active = active;
    this.item.name = vscode.l10n.t('Margin Desk Equity');
    this.item.command = `${views.positions}.focus`;
    this.disposables.add(active.onDidChange(() => this.draw()));
    this.draw();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private draw(): void {
    const { state } = this.active;
    if (state.kind !== 'open') {
      this.item.hide();
      return;
    }
    const { profile, store } = state.session;
    const drawn = drawStatus(profile, store.state);
    this.item.text = drawn.text;
    this.item.tooltip = drawn.tooltip;
    this.item.accessibilityInformation = { label: drawn.spoken };
    this.item.backgroundColor = store.state.failure
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
    this.item.show();
  }
}

function drawStatus(profile: Profile, { snapshot, failure }: AccountState) {
  const environment = environmentLabel(profile);
  const icon = failure ? '$(warning)' : '$(graph-line)';
  const equity = snapshot ? grouped(glance(snapshot.account.equity)) : unknownValue;
  const unit = snapshot ? unitOf(snapshot) : '';
  const stale = failure && snapshot ? ` · ${utcTime(String(snapshot.asOf)).slice(11, 19)} UTC` : '';
  const full = snapshot ? `${plain(snapshot.account.equity)}${unit}` : vscode.l10n.t('unknown');
  return {
    text: `${icon} ${environment} ${equity}${statusText(unit)}${stale}`,
    spoken: vscode.l10n.t('{0}, {1}, equity {2}', cleanText(profile.name), environment, full),
    tooltip: fieldsMarkdown(`${profile.name} · ${environment}`, [
      ...(failure ? [[vscode.l10n.t('problem'), sentenceFor(failure)] as const] : []),
      ['equity', full],
      ...(snapshot ? summary(snapshot) : []),
    ]),
  };
}

/** The interface gives equity no unit: one is shown only when a single asset is a margin asset. */
function unitOf({ account }: Snapshot): string {
  const margins = account.assets.filter(({ isMargin }) => isMargin);
  return margins.length === 1 && margins[0] ? ` ${cleanText(margins[0].name, 12)}` : '';
}

function summary({ account, asOf }: Snapshot): [string, string][] {
  return [
    ['upl', plain(account.upl)],
    ...account.orders.map((locked): [string, string] => [
      vscode.l10n.t('open orders in {0}', locked.symbol),
      lockedSides(locked),
    ]),
    [vscode.l10n.t('as of'), utcTime(String(asOf))],
  ];
}

/** The status bar draws `$(name)` as an icon: a server's text must not. */
function statusText(text: string): string {
  return text.replaceAll('$(', '(');
}
