import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { endProcess, spawnOwned } from './childProcess.ts';
import { endWindow } from './desktopWindow.ts';
import { cleanEnvironment } from './npm.ts';
import { projectRoot } from './project.ts';
import { practiceWindow, type StartSession } from './startSession.ts';
import { writeUserSettings } from './userSettings.ts';

/** How long a VS Code that finds no display lives, at most. */
const stillbornMs = 3000;
/** Exit codes from here up tell of a signal. */
const endedBySignal = 128;

/** The `code` command on the PATH, if there is one. */
export function findDesktop(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const name = process.platform === 'win32' ? 'code.cmd' : 'code';
  const places = (env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return places.map((place) => path.join(place, name)).find(isExecutable);
}

/** Opens desktop VS Code on the checkout and waits until its window is closed; false when none opened. */
export async function openDesktop(code: string, session: StartSession): Promise<boolean> {
  const userData = path.join(session.folder, 'desktop');
  await writeUserSettings(path.join(userData, 'User'), session.settings);
  console.log('VS Code opens with Margin Desk. Close its window or press Ctrl+C to stop.');
  const startedAt = Date.now();
  const child = spawnCode(code, userData, session);
  const end = async (): Promise<void> => {
    await endProcess(child);
    await endWindow(path.join(userData, 'code.lock'), startedAt);
  };
  session.endings.push(end);
  const exitCode = await exitOf(child);
  // Ctrl-C reaches the command as well as this process, but not the window it opened.
  if (exitCode >= endedBySignal) await end();
  const opened = exitCode >= endedBySignal || (exitCode === 0 && stayed(startedAt));
  if (!opened) console.log('VS Code did not open a window, so it is served instead.');
  return opened;
}

/** If there is no display, VS Code ends at once, and calls that a success. */
function stayed(startedAt: number): boolean {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  const hasDisplay = process.platform !== 'linux' || Boolean(DISPLAY ?? WAYLAND_DISPLAY);
  return hasDisplay || Date.now() - startedAt > stillbornMs;
}

function spawnCode(code: string, userData: string, session: StartSession): ChildProcess {
  const onWindows = process.platform === 'win32';
  const flags = [
    `--user-data-dir=${userData}`,
    `--extensions-dir=${path.join(session.folder, 'desktop-extensions')}`,
    ...[projectRoot, practiceWindow].map((each) => `--extensionDevelopmentPath=${each}`),
    '--new-window',
    '--wait',
    session.workspace,
  ];
  const words = [code, ...flags].map((word) => (onWindows ? `"${word}"` : word));
  const [command = code, ...args] = words;
  return spawnOwned(command, args, { env: cleanEnvironment(), stdio: 'inherit', shell: onWindows });
}

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((ended) => {
    child.once('error', () => ended(1));
    child.once('exit', (code) => ended(code ?? endedBySignal));
  });
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
