import { existsSync } from 'node:fs';
import path from 'node:path';
import { runToEnd } from './childProcess.ts';
import { PlainFailure } from './script.ts';

/** Whether a program is on the PATH. */
function isOnPath(program: string): boolean {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return folders.some((folder) => existsSync(path.join(folder, program)));
}

/** Fails, and says what to install, if a program that a test uses is not there; as root on Debian it is installed. */
export async function ensureOnDebian(program: string, packageName: string): Promise<void> {
  if (isOnPath(program)) return;
  await installOnDebian(packageName, `Install ${program} for these tests.`);
}

/** Installs a package as root on Debian; elsewhere fails with what to do. */
export async function installOnDebian(packageName: string, whatToDo: string): Promise<void> {
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0)
    throw new PlainFailure(`${whatToDo} On Debian: apt-get install ${packageName}`);
  console.log(`Installing ${packageName} with apt-get.`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', packageName]]) {
    const { code, output } = await runToEnd('apt-get', args, { env });
    const last = output.trim().split('\n').at(-1);
    if (code !== 0) throw new PlainFailure(`${whatToDo} (apt-get: ${last})`);
  }
}
