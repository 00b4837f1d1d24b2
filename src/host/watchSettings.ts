import { alertKinds, type AlertKind } from '../account/alerts/alerts.ts';
import type { Disposable } from '../base/disposable.ts';
import { settingValue } from './settingRules.ts';
import { onDidChangeSetting } from './settings.ts';
import type { SettingKey } from './userValue.ts';

/** How many seconds lie between two reads of the account while the window has the focus, and has not. */
export function pollSecondsSetting(isFocused: boolean): number {
  return settingValue(
    isFocused ? 'marginDesk.pollSeconds.focused' : 'marginDesk.pollSeconds.unfocused',
  );
}

/** How many percent equity may fall in a day before that is worth an alert. */
export function equityFallSetting(): number {
  return settingValue('marginDesk.alerts.equityFallPercent');
}

/** The setting that switches a kind of alert. */
export const alertSettings = {
  positions: 'marginDesk.alerts.positions',
  liquidations: 'marginDesk.alerts.liquidations',
  equity: 'marginDesk.alerts.equity',
  connection: 'marginDesk.alerts.connection',
} as const satisfies Record<AlertKind, SettingKey>;

/** Whether a kind of alert is wanted. */
export function alertSetting(kind: AlertKind): boolean {
  return settingValue(alertSettings[kind]);
}

/** Whether any alert is wanted. */
export function hasAlertsSetting(): boolean {
  return alertKinds.some(alertSetting);
}

/** Any setting by which the account is read or alerts are shown. */
export function onDidChangeWatching(listener: () => void): Disposable {
  return onDidChangeSetting(['marginDesk.pollSeconds', 'marginDesk.alerts'], listener);
}
