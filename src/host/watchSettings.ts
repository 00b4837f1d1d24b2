import * as vscode from 'vscode';
import { alertKinds, type AlertKind } from '../account/alerts/alerts.ts';
import type { Disposable } from '../base/disposable.ts';
import { settingRanges, settings } from './contributions.ts';
import { userValue, type SettingKey } from './userValue.ts';

type RangedKey = keyof typeof settingRanges;

/** How many seconds lie between two reads of the account while the window has the focus, and has not. */
export function pollSecondsSetting(isFocused: boolean): number {
  return rangedSetting(
    isFocused ? 'marginDesk.pollSeconds.focused' : 'marginDesk.pollSeconds.unfocused',
  );
}

/** How many percent equity may fall in a day before that is worth an alert. */
export function equityFallSetting(): number {
  return rangedSetting('marginDesk.alerts.equityFallPercent');
}

/** The setting that switches a kind of alert. */
export const alertSettings = {
  positions: 'marginDesk.alerts.positions',
  liquidations: 'marginDesk.alerts.liquidations',
  equity: 'marginDesk.alerts.equity',
  connection: 'marginDesk.alerts.connection',
} as const satisfies Record<AlertKind, SettingKey>;

/** Whether a kind of alert is wanted; anything but true or false counts as the default. */
export function alertSetting(kind: AlertKind): boolean {
  const value = userValue(alertSettings[kind]);
  return typeof value === 'boolean' ? value : settings[alertSettings[kind]];
}

/** Whether any alert is wanted. */
export function hasAlertsSetting(): boolean {
  return alertKinds.some(alertSetting);
}

/** The settings whose value is none that they take, so that their default counts. */
export function settingsOutOfRange(): readonly RangedKey[] {
  return (Object.keys(settingRanges) as RangedKey[]).filter((key) => !isInRange(key));
}

function rangedSetting(key: RangedKey): number {
  return isInRange(key) ? (userValue(key) as number) : settings[key];
}

function isInRange(key: RangedKey): boolean {
  const value = userValue(key);
  const [least, most] = settingRanges[key];
  return typeof value === 'number' && value >= least && value <= most;
}

/** Any setting by which the account is read or alerts are shown. */
export function onDidChangeWatching(listener: () => void): Disposable {
  const sections = ['marginDesk.pollSeconds', 'marginDesk.alerts'];
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (sections.some((section) => change.affectsConfiguration(section))) listener();
  });
}
