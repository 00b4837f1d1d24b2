import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { commands, statusItems, views } from '../shared/contributions.ts';
import { onDidChangeSetting } from '../settings/settings.ts';
import { settingValue } from '../settings/settingValues.ts';
import { t } from '../shared/translate.ts';
import { hoverTable, type HoverLink } from '../text/hoverTable.ts';
import { screenReaderText } from '../text/messageText.ts';
import type { StatusLevel } from './statusFields.ts';
import { statusContent } from './statusText.ts';
import type { Services } from '../settings/services.ts';

function statusLinks({ state }: ActiveAccount): readonly HoverLink[] {
  const canWrite = state.kind === 'open' && !state.session.profile.readOnly;
  return [
    { title: t('Account Overview'), command: commands.openOverview },
    { title: t('Refresh Account'), command: commands.refresh },
    canWrite
      ? { title: t('Cancel All Open Orders…'), command: commands.cancelAllOrders }
      : { title: t('Switch Profile…'), command: commands.switchProfile },
  ];
}

const alignmentKey = 'marginDesk.statusBarAlignment';

type StatusItemOptions = Pick<Services, 'active' | 'display' | 'risk'>;

/** The status bar item: environment, equity, upl and risk. Hidden while no account is open. */
export class StatusItem implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly options: StatusItemOptions;
  private alignment = settingValue(alignmentKey);
  private lastContent: string | undefined;
  item = this.create();

  constructor(options: StatusItemOptions) {
    this.options = options;
    const { active, display, risk } = options;
    for (const { onDidChange } of [active, display, risk])
      this.disposables.add(onDidChange(this.update));
    this.disposables.add(onDidChangeSetting([alignmentKey], () => this.recreate()));
    this.update();
  }

  dispose(): void {
    this.item.dispose();
    this.disposables.dispose();
  }

  private create(): vscode.StatusBarItem {
    const { Left, Right } = vscode.StatusBarAlignment;
    const item =
      this.alignment === 'left'
        ? vscode.window.createStatusBarItem(statusItems.equityOnTheLeft, Left, 100)
        : vscode.window.createStatusBarItem(statusItems.equity, Right, 100);
    item.name = t('Margin Desk Equity');
    item.command = `${views.positions}.focus`;
    return item;
  }

  /** VS Code cannot move an item, and remembers its side by id. */
  private recreate(): void {
    this.alignment = settingValue(alignmentKey);
    this.item.dispose();
    this.item = this.create();
    this.lastContent = undefined;
    this.update();
  }

  /** Assigns only what changed: each assignment is a message to the window. */
  private readonly update = (): void => {
    const { active, display, risk } = this.options;
    const current = display.latest();
    const content =
      this.alignment === 'hidden' ? undefined : statusContent(active.state, current, risk);
    const json = JSON.stringify(content ?? null);
    if (json === this.lastContent) return;
    this.lastContent = json;
    if (!content) {
      this.item.hide();
      return;
    }
    this.item.text = content.text;
    this.item.accessibilityInformation = { label: screenReaderText(content.screenReaderLabel) };
    this.item.tooltip = hoverTable({ ...content.hover, links: statusLinks(active) });
    this.item.backgroundColor = backgroundColor(content.level);
    this.item.show();
  };
}

function backgroundColor(level: StatusLevel): vscode.ThemeColor | undefined {
  return level === 'none' ? undefined : new vscode.ThemeColor(`statusBarItem.${level}Background`);
}
