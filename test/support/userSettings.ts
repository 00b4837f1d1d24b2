import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AlertKind } from '../../src/account/alerts/alerts.ts';
import type { alertSettingKeys } from '../../src/host/settings/settings.ts';

export type Settings = Readonly<Record<string, unknown>>;

/** A VS Code that shows the extension and nothing that gets in its way. */
export const quietSettings: Settings = {
  'chat.disableAIFeatures': true,
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.editor.useModal': 'off',
  'update.mode': 'none',
  'extensions.ignoreRecommendations': true,
  'telemetry.telemetryLevel': 'off',
  'git.openRepositoryInParentFolders': 'never',
};

/** No alerts: the practice exchange's prices move, and a test of something else counts its messages. */
export const alertsOff: Settings = {
  'marginDesk.alerts.positions': false,
  'marginDesk.alerts.liquidations': false,
  'marginDesk.alerts.equity': false,
  'marginDesk.alerts.connection': false,
} satisfies Readonly<Record<(typeof alertSettingKeys)[AlertKind], false>>;

/**
 * Puts settings into a VS Code's user folder (`<…>/User`) before it starts: it does not notice later
 * edits. What it wrote there itself in an earlier run stays, `settings` win over that.
 */
export async function writeUserSettings(userFolder: string, settings: Settings): Promise<void> {
  const earlier = await readSettings(path.join(userFolder, 'settings.json'));
  await changeSettings(userFolder, { ...quietSettings, ...earlier, ...settings });
}

/** Merges settings into the `settings.json` of `folder`. */
export async function changeSettings(folder: string, settings: Settings): Promise<void> {
  const file = path.join(folder, 'settings.json');
  await mkdir(folder, { recursive: true });
  const all = { ...(await readSettings(file)), ...settings };
  await writeFile(file, `${JSON.stringify(all, null, 2)}\n`);
}

async function readSettings(file: string): Promise<Settings> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Settings;
  } catch {
    return {};
  }
}
