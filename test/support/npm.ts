import { runToEnd, type RunOptions } from './childProcess.ts';
import { projectRoot } from './project.ts';
import { PlainFailure } from './script.ts';

/** Settings that say how a registry is reached; everything else of the caller's npm stays out. */
const kept =
  /^npm_config_(registry|cache|userconfig|globalconfig|cafile|ca|.*proxy|strict_ssl|\/\/.*|@.*)$/i;

/** This process's environment without what an npm script, a VS Code terminal or a debugger put there. */
export function cleanEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const foreign = /^(npm_|VSCODE_|ELECTRON_|NODE_OPTIONS$|INIT_CWD$)/i;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !foreign.test(name)));
}

/** How npm is started here: the npm that runs this script, else the one on the PATH. */
export function npmCommand(env: NodeJS.ProcessEnv = process.env): [string, ...string[]] {
  const script = env.npm_execpath;
  if (script && /\.c?js$/.test(script)) return [process.execPath, script];
  return process.platform === 'win32' ? ['npm.cmd'] : ['npm'];
}

/** `npm install` in `folder` alone: no install scripts, no workspace, no setting of another project. */
export async function npmInstall(folder: string, ...names: string[]): Promise<void> {
  const [command, ...first] = npmCommand();
  const flags = ['--ignore-scripts', '--omit=dev', '--include=optional', '--global=false'];
  const quiet = ['--dry-run=false', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, output } = await runToEnd(
    command,
    [...first, 'install', ...flags, ...quiet, ...names],
    { cwd: folder, env: npmEnvironment(process.env), shell: command === 'npm.cmd' },
  );
  if (code !== 0) throw new Error(`npm install failed in ${folder}:\n${output}`);
}

/** Runs one of this project's npm scripts, with its arguments. */
export function runNpmScript(
  [name, ...args]: readonly [name: string, ...args: string[]],
  options: RunOptions = {},
): ReturnType<typeof runToEnd> {
  const [command, ...first] = npmCommand();
  const words = [...first, 'run', '--silent', name, '--', ...args];
  return runToEnd(command, words, {
    cwd: projectRoot,
    ...options,
    shell: command === 'npm.cmd',
  });
}

/** Set for what a run of tests starts: it has made the package and the build. */
export const madeVariable = 'MARGIN_DESK_MADE';

/** Runs a script that makes something, of which a person sees what it printed only when it fails. */
export async function make(name: 'package' | 'build'): Promise<void> {
  if (process.env[madeVariable] === '1') return;
  const { code, output } = await runNpmScript([name]);
  if (code !== 0) throw new PlainFailure(`npm run ${name}:\n${output.trimEnd()}`);
}

function npmEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const registry = Object.entries(env).filter(([name]) => kept.test(name));
  return { ...cleanEnvironment(env), ...Object.fromEntries(registry) };
}
