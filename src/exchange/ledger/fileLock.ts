import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const staleMs = 2000;
const patienceMs = 10_000;

/** Thrown when a lock could not be had in time. */
class LockBusyError extends Error {
  override readonly name = 'LockBusyError';
}

/**
 * A lock between processes: a file that one of them can create. Whoever holds it for two seconds is
 * taken for dead, so that work under it is short, done at one go, and asks `isOurs` before it commits.
 */
export async function withFileLock<T>(
  file: string,
  work: (isOurs: () => boolean) => T,
): Promise<T> {
  const token = crypto.randomUUID();
  await take(file, token);
  const isOurs = (): boolean => contentOf(file) === token;
  try {
    return work(isOurs);
  } finally {
    if (isOurs()) rmSync(file, { force: true });
  }
}

async function take(file: string, token: string): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!creates(file, token)) {
    removeStale(file);
    if (performance.now() > deadline) throw new LockBusyError();
    await setTimeout(1 + Math.random() * 3);
  }
}

function creates(file: string, token: string): boolean {
  try {
    writeFileSync(file, token, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Takes a stale lock away under a name of its own; one that proves fresh is put back. */
function removeStale(file: string): void {
  const seen = ageOf(file);
  if (seen === undefined || seen < staleMs) return;
  const aside = `${file}.${crypto.randomUUID()}`;
  try {
    renameSync(file, aside);
    if ((ageOf(aside) ?? staleMs) < staleMs) linkSync(aside, file);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(codeOf(error))) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/** How far its time is from ours, also when a clock was set back; undefined when it is gone. */
function ageOf(file: string): number | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats && Math.abs(Date.now() - stats.mtimeMs);
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
