import * as vscode from 'vscode';
import { riskLimits, type RiskLimits } from '../account/risk.ts';
import type { Disposable } from '../base/disposable.ts';
import { SentenceError } from '../base/sentenceError.ts';
import { isTimeZone } from '../base/timeZone.ts';
import { fetchers, type FetcherName } from '../exchange/fetch.ts';
import { settings } from './contributions.ts';
import { userValue, type SettingKey } from './userValue.ts';

const statusBarPlaces = ['left', 'right', 'hidden'] as const;
export type StatusBarPlace = (typeof statusBarPlaces)[number];

/** Who carries the requests; a value that is none of the offered ones counts as the default. */
export function httpSetting(): FetcherName {
  const value = userValue('marginDesk.http');
  return typeof value === 'string' && Object.hasOwn(fetchers, value)
    ? (value as FetcherName)
    : settings['marginDesk.http'];
}

/** The profile that a new window opens; empty for none. */
export function defaultProfileSetting(): string {
  const value = userValue('marginDesk.defaultProfile');
  return typeof value === 'string' ? value : '';
}

/** The part of each limit that the desk may take, in (0, 1]; anything else counts as the default. */
export function weightShareSetting(): number {
  const value = userValue('marginDesk.weightShare');
  const isShare = typeof value === 'number' && value > 0 && value <= 1;
  return isShare ? value : settings['marginDesk.weightShare'];
}

/** `local`, `UTC` or an IANA name; undefined where the value is none of these. */
export function timeZoneSetting(): string | undefined {
  const value = userValue('marginDesk.timeZone');
  const isKnown = value === 'local' || (typeof value === 'string' && isTimeZone(value));
  return isKnown ? value : undefined;
}

export function onDidChangeTimeZone(listener: () => void): Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration('marginDesk.timeZone')) listener();
  });
}

/** From which distances on a position is near or critical; undefined where the values make no sense. */
export function riskLimitsSetting(): RiskLimits | undefined {
  return riskLimits(userValue('marginDesk.nearPercent'), userValue('marginDesk.criticalPercent'));
}

export function onDidChangeRiskLimits(listener: () => void): Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    const keys = ['marginDesk.nearPercent', 'marginDesk.criticalPercent'];
    if (keys.some((key) => change.affectsConfiguration(key))) listener();
  });
}

/** Whether assets of which nothing is there are left out. */
export function hidesZeroAssetsSetting(): boolean {
  return userValue('marginDesk.hideZeroAssets') === true;
}

export function onDidChangeHidesZeroAssets(listener: () => void): Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration('marginDesk.hideZeroAssets')) listener();
  });
}

/** Where the status item stands, if it does; what is none of the offered places counts as the default. */
export function statusBarSetting(): StatusBarPlace {
  const value = userValue('marginDesk.statusBarAlignment');
  return (
    statusBarPlaces.find((place) => place === value) ?? settings['marginDesk.statusBarAlignment']
  );
}

export function onDidChangeStatusBar(listener: () => void): Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration('marginDesk.statusBarAlignment')) listener();
  });
}

/** Whether a cancel-all of real money is confirmed by typing the profile's name. */
export function confirmByTypingSetting(): boolean {
  return userValue('marginDesk.confirmByTyping') === true;
}

/** The profiles by name, as they are written; of any shape. */
export function profilesSetting(): unknown {
  return userValue('marginDesk.profiles');
}

export function onDidChangeProfiles(listener: () => void): Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration('marginDesk.profiles')) listener();
  });
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
