import * as vscode from 'vscode';
import type { ActiveAccount } from '../account/session/activeAccount.ts';
import { DisposableOwner } from '../base/disposable.ts';
import type { FeatureContext } from './feature/context.ts';
import { alertKinds, isAlertEnabled, onDidChangeSetting } from './settings/settings.ts';
import {
  settingValue,
  isValidSetting,
  settingRules,
  type ValidatedKey,
} from './settings/settingValues.ts';
import { userSetting } from './settings/userSetting.ts';
import { commands, contextKeys, settings, walkthroughs } from './shared/contributions.ts';
import { setContextKey } from './shared/contextKey.ts';
import type { Services } from './settings/services.ts';
import { logRejection, type Log } from './shared/log.ts';
import { riskLimitsSetting } from './settings/riskAssessment.ts';
import { t } from './shared/translate.ts';

/** What keeps this window as its settings, its account and its focus say; the commands about the window itself. */
export function registerWindow(context: FeatureContext, views: PollIntervalOptions['views']) {
  const { active, display, log, add } = context;
  add(new WhenContext(context));
  add(new SettingWarnings(log));
  add(new PollInterval({ active, views }));
  return {
    [commands.togglePrivacy]: () => display.togglePrivacy(),
    [commands.showAllDigits]: () => display.toggleDigits(),
    [commands.openWalkthrough]: () => openWalkthrough(log),
    [commands.showLog]: () => log.show(),
  };
}

async function openWalkthrough(log: Log): Promise<void> {
  setContextKey(log, contextKeys.walkthroughIsOpen, false);
  await vscode.commands.executeCommand(
    'workbench.action.openWalkthrough',
    `margin-desk.margin-desk#${walkthroughs.firstMinutes}`,
  );
  setContextKey(log, contextKeys.walkthroughIsOpen, true);
}

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

type WhenContextOptions = Pick<Services, 'active' | 'display' | 'log'>;

/** Keeps the context keys for `when` clauses up to date. */
class WhenContext extends DisposableOwner {
  private readonly options: WhenContextOptions;
  private readonly lastValues = new Map<string, boolean>();

  constructor(options: WhenContextOptions) {
    super();
    this.options = options;
    for (const { onDidChange } of [options.active, options.display])
      this.disposables.add(onDidChange(() => this.update()));
    this.update();
  }

  private update(): void {
    const { state } = this.options.active;
    const { hasAccount, isReadOnly, isConnected, isPractice, privacy } = contextKeys;
    this.setKey(hasAccount, state.kind !== 'closed');
    const profile = state.kind === 'open' ? state.session.profile : undefined;
    this.setKey(isReadOnly, profile?.readOnly === true);
    this.setKey(isPractice, profile?.environment === 'practice');
    const isRead = state.kind === 'open' && state.session.store.state.snapshot !== undefined;
    this.setKey(isConnected, isRead && profile?.environment !== 'practice');
    this.setKey(privacy, this.options.display.current.settings.hidesMoney);
  }

  /** Sets only what changed: each call is a message to the window. */
  private setKey(key: Parameters<typeof setContextKey>[1], value: boolean): void {
    if (this.lastValues.get(key) === value) return;
    this.lastValues.set(key, value);
    setContextKey(this.options.log, key, value);
  }
}

/** Warns about invalid settings, once for each value. */
class SettingWarnings extends DisposableOwner {
  private readonly log: Log;
  private reported: ReadonlySet<string> = new Set();

  constructor(log: Log) {
    super();
    this.log = log;
    this.disposables.add(onDidChangeSetting(['marginDesk'], () => this.reportNewProblems()));
    this.reportNewProblems();
  }

  private reportNewProblems(): void {
    const problems = [...invalidSettings(), ...invalidRiskLimits()];
    for (const { key, message } of problems) if (!this.reported.has(key)) this.showWarning(message);
    this.reported = new Set(problems.map(({ key }) => key));
  }

  private showWarning(message: string): void {
    logRejection(this.log, 'warning about a setting', vscode.window.showWarningMessage(message));
  }
}

/** `key` identifies the setting and its value. */
type SettingProblem = { readonly key: string; readonly message: string };

function invalidSettings(): readonly SettingProblem[] {
  const keys = (Object.keys(settingRules) as ValidatedKey[]).filter((key) => !isValidSetting(key));
  return keys.map((key) => ({
    key: JSON.stringify([key, userSetting(key)]),
    message: settingRules[key].warning(key),
  }));
}

/** Each percentage can be valid alone and the two invalid together. */
function invalidRiskLimits(): readonly SettingProblem[] {
  if (riskLimitsSetting()) return [];
  const keys = ['marginDesk.criticalPercent', 'marginDesk.nearPercent'] as const;
  const message = t(
    'The settings marginDesk.criticalPercent and marginDesk.nearPercent must be above 0 and at most 100, and the first must not exceed the second. Using {0} and {1}.',
    ...keys.map((key) => settings[key]),
  );
  return [{ key: JSON.stringify(keys.map((key) => [key, userSetting(key)])), message }];
}
