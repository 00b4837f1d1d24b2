import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';

/** Starts a process that ends with this one, however this one ends: signals and exceptions too. */
export function spawnOwned(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  const child = spawn(command, args, options);
  const end = (): void => void child.kill('SIGTERM');
  passSignalsThroughExit();
  process.once('exit', end);
  child.once('close', () => process.off('exit', end));
  return child;
}

/** The same for a process that starts others: they form a group, which ends as a whole. */
export function spawnOwnedGroup(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  const child = spawnOwned(command, args, { ...options, detached: hasGroups() });
  const end = (): void => void signalGroup(child, 'SIGTERM');
  process.once('exit', end);
  child.once('close', () => process.off('exit', end));
  return child;
}

/** A signal that nobody handles would end this process without its `exit` event, which ends owned processes. */
function passSignalsThroughExit(): void {
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    if (process.listenerCount(signal) === 0) process.on(signal, exitBySignal);
  }
}

function exitBySignal(_signal: NodeJS.Signals, number: number): never {
  process.exit(128 + number);
}

/** Asks a process to end and waits until it has; past `patienceMs` it is ended without asking. */
export function endProcess(child: ChildProcess, patienceMs = 10_000): Promise<void> {
  return endAll((signal) => isRunning(child) && child.kill(signal), patienceMs);
}

/** The same for a process started by `spawnOwnedGroup`, and all that it started. */
export function endGroup(child: ChildProcess, patienceMs = 10_000): Promise<void> {
  return endAll((signal) => signalGroup(child, signal), patienceMs);
}

/** Sends a signal; false if the process has ended. With 0 it only asks. */
export type SendSignal = (name: NodeJS.Signals | 0) => boolean;

/** Ends whatever `send` reaches, politely for `patienceMs`, and waits until it is gone. */
export async function endAll(send: SendSignal, patienceMs: number): Promise<void> {
  const deadline = Date.now() + patienceMs;
  send('SIGTERM');
  while (send(0) && Date.now() < deadline) await setTimeout(20);
  send('SIGKILL');
}

export type RunOptions = Omit<SpawnOptions, 'stdio'> & {
  /** Gets what the command prints as it comes. */
  readonly print?: (text: string) => void;
};

/** Runs a command to its end and gives its exit code, the signal that ended it, and everything it printed. */
export async function runToEnd(
  command: string,
  args: readonly string[],
  { print, ...options }: RunOptions = {},
): Promise<{ code: number; signal: NodeJS.Signals | null; output: string }> {
  const child = spawnOwned(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      print?.(text);
    });
  }
  const end = await new Promise<{ code: number; signal: NodeJS.Signals | null }>(
    (ended, failed) => {
      child.once('error', failed);
      child.once('close', (exitCode, signal) => ended({ code: exitCode ?? 1, signal }));
    },
  );
  return { ...end, output };
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

function hasGroups(): boolean {
  return process.platform !== 'win32';
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  return sendSignal(hasGroups() ? -child.pid : child.pid, signal);
}

/** `process.kill` that answers whether there was such a process. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
