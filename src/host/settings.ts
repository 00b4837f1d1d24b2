import * as vscode from 'vscode';
import { riskLimits, type RiskLimits } from '../account/risk.ts';
import type { Disposable } from '../base/disposable.ts';
import { SentenceError } from '../base/sentenceError.ts';
import type { FetcherName } from '../exchange/fetch.ts';
import { settingValue, type StatusBarPlace } from './settingRules.ts';
import { userValue, type SettingKey } from './userValue.ts';

/** A change of any of these settings, or of one below these sections. */
export function onDidChangeSetting(sections: readonly string[], listener: () => void): Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (sections.some((section) => change.affectsConfiguration(section))) listener();
  });
}

/** Who carries the requests. */
export function httpSetting(): FetcherName {
  return settingValue('marginDesk.http');
}

/** The profile that a new window opens; empty for none. */
export function defaultProfileSetting(): string {
  return settingValue('marginDesk.defaultProfile');
}

/** The part of each limit that the desk may take, in (0, 1]. */
export function weightShareSetting(): number {
  return settingValue('marginDesk.weightShare');
}

/** `local`, `UTC` or an IANA name. */
export function timeZoneSetting(): string {
  return settingValue('marginDesk.timeZone');
}

export function onDidChangeTimeZone(listener: () => void): Disposable {
  return onDidChangeSetting(['marginDesk.timeZone'], listener);
}

/** From which distances on a position is near or critical; undefined where the values make no sense. */
export function riskLimitsSetting(): RiskLimits | undefined {
  return riskLimits(userValue('marginDesk.nearPercent'), userValue('marginDesk.criticalPercent'));
}

export function onDidChangeRiskLimits(listener: () => void): Disposable {
  return onDidChangeSetting(['marginDesk.nearPercent', 'marginDesk.criticalPercent'], listener);
}

/** Whether assets of which nothing is there are left out. */
export function hidesZeroAssetsSetting(): boolean {
  return settingValue('marginDesk.hideZeroAssets');
}

export function onDidChangeHidesZeroAssets(listener: () => void): Disposable {
  return onDidChangeSetting(['marginDesk.hideZeroAssets'], listener);
}

/** Where the status item stands, if it does. */
export function statusBarSetting(): StatusBarPlace {
  return settingValue('marginDesk.statusBarAlignment');
}

export function onDidChangeStatusBar(listener: () => void): Disposable {
  return onDidChangeSetting(['marginDesk.statusBarAlignment'], listener);
}

/** Whether a cancel-all of real money is confirmed by typing the profile's name. */
export function confirmByTypingSetting(): boolean {
  return settingValue('marginDesk.confirmByTyping');
}

/** The profiles by name, as they are written; of any shape. */
export function profilesSetting(): unknown {
  return userValue('marginDesk.profiles');
}

export function onDidChangeProfiles(listener: () => void): Disposable {
  return onDidChangeSetting(['marginDesk.profiles'], listener);
}

/** Writes a setting of the person; undefined removes it. Rejects with a sentence when VS Code cannot. */
export async function writeSetting(key: SettingKey, value: unknown): Promise<void> {
  const target = vscode.ConfigurationTarget.Global;
  try {
    await vscode.workspace.getConfiguration().update(key, value, target);
  } catch (cause) {
    const sentence = vscode.l10n.t(
      'VS Code could not write your settings: mend or save settings.json, then try again.',
    );
    throw new SentenceError(sentence, { cause });
  }
}
