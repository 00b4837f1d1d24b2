import type { ChildProcess } from 'node:child_process';
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { endGroup, runToEnd, spawnOwnedGroup } from './childProcess.ts';
import { cleanEnvironment } from './npm.ts';
import { writeUserSettings, type Settings } from './userSettings.ts';
import { installNode, installVsCode } from './vscodeInstall.ts';

export type ServerOptions = {
  /** Holds settings, state and logs; two running servers need two of them. */
  readonly dataDir: string;
  /** `<dataDir>/extensions` if it is not given. */
  readonly extensionsDir?: string;
  /** Another VS Code than the current one: its code-server, and the Node that runs it. */
  readonly release?: { readonly codeServer: string; readonly node: string };
  /** Reaches the extension host too. */
  readonly env?: NodeJS.ProcessEnv;
  readonly settings?: Settings;
  /** What the address must carry as `tkn`; without one the server lets everybody on this machine in. */
  readonly token?: string;
  /** Lets an address name a test suite to run. VS Code then shows no notification toasts. */
  readonly runsSuites?: boolean;
  /**
   * True: of the extensions that come with VS Code, only the themes are there. The others cost each window
   * a fifth of its time.
   */
  readonly onlyThemes?: boolean;
  /** The folder of one more extension, beside those that come with VS Code. */
  readonly besideBuiltIn?: string;
  /** The port, for a window that shall find again what it kept; any free one if it is not given. */
  readonly port?: number;
  /** True: a folder is restricted until it is trusted, as VS Code has it; else every folder is trusted. */
  readonly asksForTrust?: boolean;
};

/** A VS Code served on the loopback interface. */
export type VsCodeServer = {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Settles when the server has ended, however it did. */
  readonly ended: Promise<void>;
  /** Ends the server and its extension hosts, and waits until they are gone. */
  stop(): Promise<void>;
};

/** Starts a served VS Code, on any free port unless one is given; ready to be opened when this resolves. */
export async function startServer(options: ServerOptions): Promise<VsCodeServer> {
  const [node, main] = await programOf(options);
  await writeUserSettings(path.join(options.dataDir, 'data/User'), options.settings ?? {});
  const access = await accessFlags(options);
  const flags = ['--host', '127.0.0.1', '--port', String(options.port ?? 0)];
  if (options.onlyThemes || options.besideBuiltIn !== undefined)
    flags.push('--builtin-extensions-dir', await builtInFolder(main, options));
  if (!options.asksForTrust) flags.push('--disable-workspace-trust');
  if (options.runsSuites) flags.push('--enable-smoke-test-driver');
  const child = spawnOwnedGroup(node, [main, ...flags, ...commonFlags(options), ...access], {
    env: { ...cleanEnvironment(), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const port = await listeningPort(child);
  const url = `http://127.0.0.1:${port}`;
  return { url, port, pid: child.pid ?? 0, ended, stop: () => endGroup(child) };
}

/** Installs a packaged extension for a server that is started afterwards with the same folders. */
export async function installVsix(vsix: string, options: ServerOptions): Promise<void> {
  const [node, main] = await programOf(options);
  const args = [main, ...commonFlags(options), '--install-extension', vsix, '--force'];
  const { code, output } = await runToEnd(node, args, { env: cleanEnvironment() });
  if (code !== 0) throw new Error(`VS Code did not install ${vsix}:\n${output}`);
}

/** The Node and the script that serve VS Code. */
async function programOf({ release }: ServerOptions): Promise<[node: string, main: string]> {
  const main = await installVsCode(release?.codeServer);
  return [release ? await installNode(release.node) : process.execPath, main];
}

function commonFlags({ dataDir, extensionsDir }: ServerOptions): string[] {
  const extensions = extensionsDir ?? path.join(dataDir, 'extensions');
  const folders = ['--server-data-dir', dataDir, '--extensions-dir', extensions];
  return ['--accept-server-license-terms', '--telemetry-level', 'off', ...folders];
}

/** A folder with what comes with this VS Code, or its themes, and the extension beside them. */
async function builtInFolder(
  main: string,
  { dataDir, onlyThemes = false, besideBuiltIn }: ServerOptions,
): Promise<string> {
  const builtIn = path.join(path.dirname(main), '../extensions');
  const folder = path.join(dataDir, 'built-in');
  // An earlier run may have linked another VS Code.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const names = (await readdir(builtIn)).filter((name) => !onlyThemes || name.startsWith('theme-'));
  const linked = names.map((name) => path.join(builtIn, name));
  for (const extension of [...linked, ...[besideBuiltIn ?? []].flat()])
    await symlink(extension, path.join(folder, path.basename(extension)), 'junction');
  return folder;
}

async function accessFlags({ dataDir, token }: ServerOptions): Promise<string[]> {
  if (token === undefined) return ['--without-connection-token'];
  const file = path.join(dataDir, 'connection-token');
  await writeFile(file, token, { mode: 0o600 });
  return ['--connection-token-file', file];
}

/** Reads the port from the server's output, and goes on reading so that the server never waits for us. */
async function listeningPort(child: ChildProcess): Promise<number> {
  const printed: string[] = [];
  return new Promise((resolve, reject) => {
    const read = (line: string): void => {
      if (printed.length < 200) printed.push(line);
      const port = /Extension host agent listening on (\d+)/.exec(line)?.[1];
      if (port) resolve(Number(port));
    };
    for (const input of [child.stdout, child.stderr]) {
      if (input) createInterface({ input }).on('line', read);
    }
    child.once('error', reject);
    child.once('exit', () =>
      reject(new Error(`VS Code's server ended at its start:\n${printed.join('\n')}`)),
    );
  });
}
