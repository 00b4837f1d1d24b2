import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { practiceEnvironment } from '../practiceTime.ts';
import { temporaryFolder } from '../project.ts';
import { alertsOff, type Settings } from '../userSettings.ts';
import { installVsix, startServer, type ServerOptions } from '../vscodeServer.ts';
import { packagedVsix } from '../vsix.ts';
import { leaveWindow, openWindow } from './browser.ts';

export type WorkbenchOptions = {
  /** Alerts are off unless these say otherwise. */
  readonly settings?: Settings;
  /** The folder to open; an empty one if it is not given. */
  readonly folder?: string;
  /** Reaches the extension host, whose practice exchange starts at `practiceStart` unless this says otherwise. */
  readonly env?: NodeJS.ProcessEnv;
  /** True: the folder is restricted until it is trusted. */
  readonly asksForTrust?: boolean;
  /** The folder of one more extension. */
  readonly beside?: string;
  /** The size of the window, in CSS pixels; 1280 by 800 if it is not given. */
  readonly viewport?: { readonly width: number; readonly height: number };
};

/** A VS Code window with the packaged extension installed, on a profile of its own. */
export type Workbench = {
  readonly page: Page;
  /** The folder that is open. */
  readonly folder: string;
  /** VS Code's own data: settings in `data/User`, logs in `data/logs`. */
  readonly dataDir: string;
  /** Ends VS Code, starts it again, and waits until the window shows the extension. */
  restart(): Promise<void>;
  /** Ends the window and its VS Code, and removes what they wrote. */
  close(): Promise<void>;
};

/** The windows of this process, for the picture of a failure. */
export const openPages = new Set<Page>();

/** Installs the packaged extension, starts VS Code and waits until the window shows the extension. */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const scratch = await temporaryFolder();
  const dataDir = path.join(scratch.path, 'data');
  const folder = options.folder ?? path.join(scratch.path, 'workspace');
  await mkdir(folder, { recursive: true });
  const window = await openWindow(options.viewport ?? { width: 1280, height: 800 });
  const { page, port } = window;
  const serverOptions = { ...(await serverOptionsOf(options)), dataDir, port };
  let server = await startServer(serverOptions);
  openPages.add(page);
  const show = async (): Promise<void> => {
    await page.goto(`${server.url}/?${new URLSearchParams({ folder }).toString()}`);
    await extensionShown(page);
  };
  const restart = async (): Promise<void> => {
    await server.stop();
    server = await startServer(serverOptions);
    await show();
  };
  const close = async (): Promise<void> => {
    openPages.delete(page);
    try {
      await leaveWindow(window);
    } finally {
      await server.stop();
      await scratch.remove();
    }
  };
  try {
    await show();
  } catch (error) {
    // A server that nobody stops would keep this process from ending.
    await close();
    throw error;
  }
  return { page, folder, dataDir, restart, close };
}

/** Waits until the window is drawn and knows what the extension contributes. */
export async function extensionShown(page: Page): Promise<void> {
  await page.locator('.activitybar [aria-label^="Margin Desk"]').first().waitFor();
}

async function serverOptionsOf({
  settings = {},
  env = {},
  asksForTrust = false,
  beside,
}: WorkbenchOptions): Promise<Omit<ServerOptions, 'dataDir'>> {
  return {
    extensionsDir: await installedPackage(),
    settings: { ...alertsOff, ...settings },
    env: { ...practiceEnvironment, ...env },
    asksForTrust,
    onlyThemes: true,
    ...(beside === undefined ? {} : { besideBuiltIn: beside }),
  };
}

let installed: Promise<string> | undefined;

/** The folder of extensions where this process installed the package. */
async function installedPackage(): Promise<string> {
  installed ??= install(await packagedVsix());
  return installed;
}

async function install(vsix: string): Promise<string> {
  const { path: dataDir } = await temporaryFolder();
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  await installVsix(vsix, { dataDir });
  return path.join(dataDir, 'extensions');
}
