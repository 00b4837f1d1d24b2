import * as vscode from 'vscode';
import type { AlertKind } from '../../account/alerts/alerts.ts';
import type { Disposable } from '../../base/disposable.ts';
import { UserFacingError } from '../../base/errors.ts';
import { t } from '../shared/translate.ts';
import { settingValue } from './settingValues.ts';
import type { SettingKey } from './userSetting.ts';

/** A setting, or the start of its key before a dot. */
type SettingSection<Key extends string = SettingKey> = Key extends `${infer Start}.${infer Rest}`
  ? Start | `${Start}.${SettingSection<Rest>}`
  : Key;

/** Listens to changes of these settings, or of settings below these sections. */
export function onDidChangeSetting(
  sections: readonly SettingSection[],
  listener: () => void,
): Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (sections.some((section) => change.affectsConfiguration(section))) listener();
  });
}

/** Writes a user setting; undefined removes it. Rejects with a UserFacingError if VS Code cannot write it. */
export async function writeSetting(key: SettingKey, value: unknown): Promise<void> {
  const target = vscode.ConfigurationTarget.Global;
  try {
    await vscode.workspace.getConfiguration().update(key, value, target);
  } catch (cause) {
    const sentence = t(
      'VS Code could not write your settings. Fix or save settings.json, then try again.',
    );
    throw new UserFacingError(sentence, { cause });
  }
}

/** The setting that turns a kind of alert on. */
export const alertSettingKeys = {
  positions: 'marginDesk.alerts.positions',
  liquidations: 'marginDesk.alerts.liquidations',
  equity: 'marginDesk.alerts.equity',
  connection: 'marginDesk.alerts.connection',
} as const satisfies Record<AlertKind, SettingKey>;

export const alertKinds = Object.keys(alertSettingKeys) as readonly AlertKind[];

export function isAlertEnabled(kind: AlertKind): boolean {
  return settingValue(alertSettingKeys[kind]);
}
