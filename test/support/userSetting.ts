import * as vscode from 'vscode';

/** Writes a setting of the person as VS Code does; undefined removes it. */
export async function writeUserSetting(key: string, value: unknown): Promise<void> {
  const target = vscode.ConfigurationTarget.Global;
  await vscode.workspace.getConfiguration().update(key, value, target);
}
