import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { spawnOwned } from './childProcess.ts';
import type { WeightProcessOptions } from './weightProcess.ts';

const script = path.join(import.meta.dirname, 'weightProcess.ts');

/** One window of a user as a process of its own. */
export type WeightProcess = {
  /** Ends it as a crash does, in the middle of what it does. */
  kill(): Promise<void>;
  /** Has it cancel all; milliseconds from the confirmation until the DELETE was sent, or NaN. */
  cancel(): Promise<number>;
};

/** Starts one and waits until it reads. */
export async function startWeightProcess(options: WeightProcessOptions): Promise<WeightProcess> {
  const args = [script, JSON.stringify(options)];
  const child = spawnOwned(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error('the process has no pipes');
  const lines = createInterface(stdout);
  await once(lines, 'line');
  return {
    kill: () => kill(child),
    cancel: async () => {
      const line = once(lines, 'line') as Promise<[string]>;
      stdin.write('\n');
      return Number((await line)[0]);
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
