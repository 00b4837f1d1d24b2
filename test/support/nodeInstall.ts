import { existsSync } from 'node:fs';
import path from 'node:path';
import { installAtomically } from './installAtomically.ts';
import { npmInstall } from './npm.ts';
import { cacheFolder } from './project.ts';

/** A Node of this exact version for this system, installed from npm on first use; gives its executable. */
export async function installNode(version: string): Promise<string> {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${system}-${process.arch}`;
  const folder = path.join(cacheFolder, `node-${version}`);
  if (!existsSync(folder)) {
    console.log(`Installing Node ${version} for the tests.`);
    await installAtomically(folder, (unfinished) =>
      npmInstall(unfinished, '--save-exact', `${name}@${version}`),
    );
  }
  const executable = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  return path.join(folder, 'node_modules', name, executable);
}
