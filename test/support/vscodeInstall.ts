import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
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

/** The `server-main.js` of a served VS Code, installed from npm on first use: about 15 s and 150 MB. */
export async function installVsCode(version = currentCodeServer): Promise<string> {
  const folder = await installed(`code-server-${version}`, async (unfinished) => {
    await npmInstall(unfinished, '--save-exact', `code-server@${version}`);
    await npmInstall(vscodeOf(unfinished));
    await useSpdlogStandIn(vscodeOf(unfinished));
    await trim(vscodeOf(unfinished));
  });
  return path.join(vscodeOf(folder), 'out/server-main.js');
}

/** A Node of this exact version for this system, installed from npm on first use; gives its executable. */
export async function installNode(version: string): Promise<string> {
  const isWindows = process.platform === 'win32';
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
  const folder = await installed(`node-${version}`, (unfinished) =>
    npmInstall(unfinished, '--save-exact', `${name}@${version}`),
  );
  return path.join(folder, 'node_modules', name, isWindows ? 'bin/node.exe' : 'bin/node');
}

/**
 * The folder of an npm project of its own, made by `install` on first use. It appears whole or not at all, so
 * that a broken install is never used.
 */
async function installed(
  name: string,
  install: (unfinished: string) => Promise<void>,
): Promise<string> {
  const folder = path.join(cacheFolder, name);
  if (existsSync(folder)) return folder;
  console.log(`Installing ${name} for the tests.`);
  await mkdir(cacheFolder, { recursive: true });
  const unfinished = await mkdtemp(path.join(cacheFolder, 'unfinished-'));
  try {
    await writeFile(path.join(unfinished, 'package.json'), '{ "private": true }\n');
    await install(unfinished);
    await rename(unfinished, folder).catch((error: unknown) => {
      // If another process was faster, its install is as good.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return folder;
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
