import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { format } from 'node:util';
import type { Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { practiceEnvironment } from './practiceTime.ts';
import { temporaryFolder } from './project.ts';
import { PlainFailure } from './script.ts';
import { startServer, type ServerOptions, type VsCodeServer } from './vscodeServer.ts';

export type HostSuite = {
  /** The extension's folder. */
  readonly extension: string;
  /** The bundled suite: a CommonJS file that exports `run()`. */
  readonly suite: string;
  /** How long the whole run may take. */
  readonly deadlineMs: number;
  /** Another VS Code than the current one. */
  readonly release?: ServerOptions['release'];
  readonly onlyThemes?: ServerOptions['onlyThemes'];
  /** Reaches the extension host. */
  readonly env?: NodeJS.ProcessEnv;
  /** Installs what else the run needs, in the folder of VS Code's data, before VS Code starts. */
  readonly prepare?: (dataDir: string) => Promise<void>;
  readonly print: (text: string) => void;
};

/** What VS Code says of itself in this setting, and errors whose stack is its own page's. */
const noise = [
  'Could not locate the bindings file',
  'native-watchdog',
  'open-vsx.org',
  '[Service Worker] registration',
  'connection token (127.0.0.1',
  'Creating a socket (',
  '[reconnection-grace-time]',
  'Updating additional builtin extensions cache',
  '[AgentHost:',
  '[DefaultAccount]',
  'Creation of workbench contribution',
  '[AccountPolicyGate]',
  '/static/out/vs/',
];

/** Runs a suite in the extension host of a served VS Code with a fresh profile; gives VS Code's exit code. */
export async function runServedSuite(suite: HostSuite): Promise<number> {
  const folder = await temporaryFolder();
  const workspace = path.join(folder.path, 'workspace');
  await mkdir(workspace);
  const dataDir = path.join(folder.path, 'data');
  const { env = {}, release, onlyThemes = false } = suite;
  await suite.prepare?.(dataDir);
  const server = await startServer({
    dataDir,
    env: { ...practiceEnvironment, ...env },
    runsSuites: true,
    onlyThemes,
    ...(release ? { release } : {}),
  });
  try {
    return await runInBrowser(server, workspace, suite);
  } finally {
    await server.stop();
    await folder.remove();
  }
}

async function runInBrowser(
  server: VsCodeServer,
  workspace: string,
  suite: HostSuite,
): Promise<number> {
  const browser = await launchChromium();
  const stopWaiting = new AbortController();
  try {
    const page = await browser.newPage({
      viewport: { width: 500, height: 400 },
      reducedMotion: 'reduce',
    });
    const exit = await reportedExit(page, suite);
    const lost = lostHost(page, server, suite.deadlineMs, stopWaiting.signal);
    await Promise.race([page.goto(suiteAddress(server, workspace, suite)), lost]);
    return await Promise.race([exit.code, lost]);
  } finally {
    stopWaiting.abort();
    await browser.close();
  }
}

/**
 * VS Code calls these two functions of its page if it finds them: they are its way to run tests.
 * The promise inside settles with the exit code.
 */
async function reportedExit(page: Page, suite: HostSuite): Promise<{ code: Promise<number> }> {
  const exit = Promise.withResolvers<number>();
  await page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
    const text = format(...args);
    if (!noise.some((part) => text.includes(part))) suite.print(text);
  });
  await page.exposeFunction('codeAutomationExit', (code: number) => exit.resolve(code));
  return { code: exit.promise };
}

/** Rejects, with the sentence to print, when no exit code can come any more. */
async function lostHost(
  page: Page,
  server: VsCodeServer,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<never> {
  const reason = await Promise.race([
    setTimeout(deadlineMs, `did not finish within ${deadlineMs / 1000} s`, { signal }),
    server.ended.then(() => 'lost their VS Code: its server ended'),
    new Promise<string>((crashed) =>
      page.once('crash', () => crashed('lost their window: Chromium crashed')),
    ),
  ]);
  throw new PlainFailure(`The host tests ${reason}.`);
}

function suiteAddress(server: VsCodeServer, workspace: string, suite: HostSuite): string {
  const remote = (place: string): string => `vscode-remote://127.0.0.1:${server.port}${place}`;
  const payload = [
    ['extensionDevelopmentPath', remote(suite.extension)],
    ['extensionTestsPath', remote(suite.suite)],
    ['skipWelcome', 'true'],
  ];
  const query = new URLSearchParams({ folder: workspace, payload: JSON.stringify(payload) });
  return `${server.url}/?${query.toString()}`;
}
