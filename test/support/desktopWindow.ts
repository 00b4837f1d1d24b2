import { readFile, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { endAll, sendSignal } from './childProcess.ts';

/**
 * Ends the VS Code whose window process, detached from the command that started it, wrote its pid to
 * `lockFile` after `startedAt`. An older file is another run's, whose window is left alone.
 */
export async function endWindow(lockFile: string, startedAt: number): Promise<void> {
  const pid = await newPid(lockFile, startedAt);
  if (pid !== undefined) await endAll((signal) => sendSignal(pid, signal), 10_000);
}

/** Waits a little for the file: VS Code may be stopped while it is just starting. */
async function newPid(lockFile: string, startedAt: number): Promise<number | undefined> {
  const deadline = startedAt + 5000;
  for (;;) {
    const pid = await pidIn(lockFile, startedAt);
    if (pid !== undefined || Date.now() > deadline) return pid;
    await setTimeout(50);
  }
}

async function pidIn(lockFile: string, startedAt: number): Promise<number | undefined> {
  try {
    // File times may be a few milliseconds behind the clock.
    if ((await stat(lockFile)).mtimeMs < startedAt - 100) return undefined;
    const pid = Number(await readFile(lockFile, 'utf8'));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
