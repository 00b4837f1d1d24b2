import {
  closeSync,
  fstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const staleMs = 2000;
/** No other process takes a lock away sooner than `staleMs`: for half of that, a lock is certainly ours. */
const safeMs = staleMs / 2;
const patienceMs = 10_000;

/** Thrown when the lock was not free in time. */
class LockBusyError extends Error {
  override readonly name = 'LockBusyError';
}

/**
 * Atomically replaces a file with the text that `next` returns; no other process replaces it at the
 * same time. The text is written to a lock, which only one process can create, and the lock is renamed
 * to the file. `next` must not wait for anything: a lock older than two seconds is assumed to be left
 * by a dead process and removed. `next` is called again if the lock is lost.
 */
export async function replaceFile(file: string, next: () => string): Promise<void> {
  const lock = `${file}.lock`;
  const deadline = performance.now() + patienceMs;
  while (!tryReplace(file, lock, await createLock(lock, deadline), next)) await pause();
}

function tryReplace(file: string, lock: string, descriptor: number, next: () => string): boolean {
  const createdAt = performance.now();
  const isSafe = (): boolean => performance.now() - createdAt < safeMs;
  try {
    writeFileSync(descriptor, next());
    if (!isSafe() || !isSameFile(lock, descriptor)) return false;
  } catch (error) {
    rmSync(lock, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  if (tryRename(lock, file)) return isSafe();
  rmSync(lock, { force: true });
  return false;
}

/** Waits until the lock can be created; removes one that stays the same for too long. */
async function createLock(lock: string, deadline: number): Promise<number> {
  let seen: string | undefined;
  let seenAt = 0;
  for (;;) {
    const descriptor = tryCreate(lock);
    if (descriptor !== undefined) return descriptor;
    const now = performance.now();
    const identity = identityOf(lock);
    if (identity === undefined || identity !== seen) [seen, seenAt] = [identity, now];
    else if (now - seenAt > staleMs) removeStale(lock);
    if (now > deadline) throw new LockBusyError();
    await pause();
  }
}

const pause = (): Promise<void> => setTimeout(1 + Math.random() * 3);

function tryCreate(lock: string): number | undefined {
  try {
    return openSync(lock, 'wx', 0o600);
  } catch (error) {
    if (isHeld(error)) return undefined;
    throw error;
  }
}

/** Renames it first: only one process can, and its owner can no longer rename it to the file. */
function removeStale(lock: string): void {
  const aside = `${lock}.${crypto.randomUUID()}`;
  if (tryRename(lock, aside)) rmSync(aside, { force: true });
}

/** False when the file is gone, or another process holds one of the two. */
function tryRename(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || isHeld(error)) return false;
    throw error;
  }
}

function identityOf(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.mtimeNs}`;
}

function isSameFile(file: string, descriptor: number): boolean {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats?.ino === fstatSync(descriptor, { bigint: true }).ino;
}

/** Windows says `EPERM` or `EBUSY` for a file that is about to go, or that another process reads. */
function isHeld(error: unknown): boolean {
  return ['EEXIST', 'EPERM', 'EBUSY'].includes(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
