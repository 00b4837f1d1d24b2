import { existsSync } from 'node:fs';
import { cp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { installAtomically } from './installAtomically.ts';
import { npmInstall } from './npm.ts';
import { cacheFolder } from './project.ts';

/** The code-server package that carries the VS Code of the tests: VS Code 1.139.1. */
export const currentCodeServer = '4.139.1';

/** The lowest VS Code that the extension supports, 1.104, and the Node that its server wants. */
export const floor = { codeServer: '4.104.0', node: '22.23.3' };

const unusedModules = [
  '@github',
  '@microsoft/mxc-sdk',
  '@devcontainers',
  '@vscode/windows-process-tree',
  '@vscode/windows-registry',
  '@vscode/copilot-api',
  '@vscode/sandbox-runtime',
  '@vscode/tree-sitter-wasm',
];
const unusedExtensions =
  /^(copilot|mermaid-markdown-features|microsoft-authentication|typescript-language-features|ms-vscode\..*)$/;

/**
 * The `server-main.js` of a served VS Code, installed from npm on first use: about 15 s and 150 MB.
 * The folder appears whole or not at all, so that a broken install is never used.
 */
export async function installVsCode(version = currentCodeServer): Promise<string> {
  const folder = path.join(cacheFolder, `code-server-${version}`);
  if (!existsSync(folder)) await installInto(folder, version);
  return path.join(vscodeOf(folder), 'out/server-main.js');
}

async function installInto(folder: string, version: string): Promise<void> {
  console.log(`Installing VS Code (code-server ${version}) for the tests.`);
  await installAtomically(folder, async (unfinished) => {
    await npmInstall(unfinished, '--save-exact', `code-server@${version}`);
    await npmInstall(vscodeOf(unfinished));
    await useSpdlogStandIn(vscodeOf(unfinished));
    await trim(vscodeOf(unfinished));
  });
}

function vscodeOf(folder: string): string {
  return path.join(folder, 'node_modules/code-server/lib/vscode');
}

async function useSpdlogStandIn(vscode: string): Promise<void> {
  const standIn = path.join(import.meta.dirname, 'spdlogStandIn.cjs');
  await cp(standIn, path.join(vscode, 'node_modules/@vscode/spdlog/index.js'));
}

/** Leaves what these tests do not use out: maps, other systems' programs, a few heavy extensions. */
async function trim(vscode: string): Promise<void> {
  const extensions = path.join(vscode, 'extensions');
  const heavy = (await readdir(extensions)).filter((name) => unusedExtensions.test(name));
  const modules = path.join(vscode, 'node_modules');
  const maps = (await readdir(vscode, { recursive: true })).filter((name) => name.endsWith('.map'));
  const unused = [
    ...unusedModules.map((name) => path.join(modules, name)),
    ...heavy.map((name) => path.join(extensions, name)),
    ...maps.map((name) => path.join(vscode, name)),
    ...(await foreignFolders(path.join(modules, '@vscode/ripgrep-universal/bin'))),
    ...(await foreignFolders(path.join(modules, 'node-pty/prebuilds'))),
  ];
  await Promise.all(unused.map((place) => rm(place, { recursive: true, force: true })));
}

/** The folders named for another system, such as `win32-x64` on Linux; none if `folder` is missing. */
async function foreignFolders(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const names = await readdir(folder);
  const foreign = names.filter((name) => !name.startsWith(`${process.platform}-${process.arch}`));
  return foreign.map((name) => path.join(folder, name));
}
