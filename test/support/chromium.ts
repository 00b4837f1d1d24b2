import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { installOnDebian } from './debian.ts';
import { PlainFailure } from './script.ts';

/** Debian's Chromium without a window: it draws VS Code in seven eighths of the CPU time. */
const headlessShell = 'chromium-headless-shell';
const onPath = [
  headlessShell,
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
];
const onMac = ['Chromium', 'Google Chrome', 'Microsoft Edge'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);
const onWindows = [
  'Chromium\\Application\\chrome.exe',
  'Google\\Chrome\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const howToInstall =
  'These tests need a Chromium: install Chromium or Google Chrome, or name its program in the variable CHROMIUM.';

/** A headless Chromium. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: await ensureChromium(), args: flags });
}

/** The program of a Chromium-like browser on this machine: `CHROMIUM`, the usual places, the PATH. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env.CHROMIUM) return env.CHROMIUM;
  return usualPlaces(env).find((place) => existsSync(place));
}

/** The same program; on Debian as root it is installed if there is none. */
export async function ensureChromium(): Promise<string> {
  const found = findChromium();
  if (found === undefined) await installOnDebian(headlessShell, howToInstall);
  const program = found ?? findChromium();
  if (!program || !existsSync(program)) throw new PlainFailure(howToInstall);
  return program;
}

function usualPlaces(env: NodeJS.ProcessEnv): string[] {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const folders = ['/usr/bin', ...(env.PATH ?? '').split(path.delimiter).filter(Boolean)];
  const programs = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA]
    .filter((folder) => folder !== undefined)
    .flatMap((folder) => onWindows.map((name) => `${folder}\\${name}`));
  const linked = onPath.flatMap((name) =>
    folders.map((folder) => path.join(folder, name + suffix)),
  );
  return [...linked, ...onMac, ...programs];
}
