import * as vscode from 'vscode';
import { alertsOff } from './userSettings.ts';

/** Writes a setting of the person as VS Code does; undefined removes it. */
export async function writeUserSetting(key: string, value: unknown): Promise<void> {
  const target = vscode.ConfigurationTarget.Global;
  await vscode.workspace.getConfiguration().update(key, value, target);
}

/** Switches every kind of alert on or off. */
export async function switchAlerts(areOn: boolean): Promise<void> {
  for (const key of Object.keys(alertsOff)) await writeUserSetting(key, areOn);
}
