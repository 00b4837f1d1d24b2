import * as vscode from 'vscode';
import { settings } from './contributions.ts';

export type SettingKey = keyof typeof settings;

/**
 * The person's own value of a setting. Values of a workspace or folder are not looked at: no
 * repository may choose what an account talks to.
 */
export function userValue(key: SettingKey): unknown {
  const inspected = vscode.workspace.getConfiguration().inspect(key);
  return inspected?.globalValue ?? settings[key];
}
