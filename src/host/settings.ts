import * as vscode from 'vscode';
import { alertKinds, type AlertKind } from '../account/alerts/alerts.ts';
import type { Disposable } from '../base/disposable.ts';
import { SentenceError } from '../base/sentenceError.ts';
import { isTimeZone } from '../base/timeZone.ts';
import { fetchers, type FetcherName } from '../exchange/fetch.ts';
import { settings, settingRanges } from './contributions.ts';

type SettingKey = keyof typeof settings;

/**
 * The person's own value of a setting. Values of a workspace or folder are not looked at: no
 * repository may choose what an account talks to.
 */
function userValue(key: SettingKey): unknown {
  const inspected = vscode.workspace.getConfiguration().inspect(key);
  return inspected?.globalValue ?? settings[key];
}

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

/** Whether the status bar shows the account. */
export function isStatusBarShownSetting(): boolean {
  const key = 'marginDesk.statusBarAlignment';
  return vscode.workspace.getConfiguration().inspect(key)?.globalValue !== 'hidden';
}

/** Any setting by which the account is read or alerts are shown. */
export function onDidChangeWatching(listener: () => void): Disposable {
  const sections = ['pollSeconds', 'alerts', 'statusBarAlignment'].map(
    (name) => `marginDesk.${name}`,
  );
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (sections.some((section) => change.affectsConfiguration(section))) listener();
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
