import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { alertsOff } from './userSettings.ts';

/** Writes a setting of the person as VS Code does; undefined removes it. A write takes VS Code a while. */
export async function writeUserSetting(key: string, value: unknown): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  if (isDeepStrictEqual(configuration.inspect(key)?.globalValue, value)) return;
  await configuration.update(key, value, vscode.ConfigurationTarget.Global);
}

/** Switches every kind of alert on or off. */
export async function switchAlerts(areOn: boolean): Promise<void> {
  for (const key of Object.keys(alertsOff)) await writeUserSetting(key, areOn);
}
