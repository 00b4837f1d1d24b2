import * as vscode from 'vscode';
import { settings } from '../shared/contributions.ts';

export type SettingKey = keyof typeof settings;

/**
 * The user's value of a setting. Workspace and folder values are ignored: a repository must not choose
 * which server an account talks to. Alone in its file: the bootstrap needs it before the app is loaded.
 */
export function userSetting(key: SettingKey): unknown {
  const inspected = vscode.workspace.getConfiguration().inspect(key);
  return inspected?.globalValue ?? settings[key];
}
