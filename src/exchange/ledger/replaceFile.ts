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
/** Nobody takes a lock sooner than `staleMs`: within half of that it was certainly not lost. */
const safeMs = staleMs / 2;
const patienceMs = 10_000;

/** Thrown when a lock could not be had in time. */
class LockBusyError extends Error {
  override readonly name = 'LockBusyError';
}

/**
 * Replaces a file by the text that `next` gives, as one step that no other process can come between:
 * the text is written into a lock that only one can create, and the lock is renamed to the file. A
 * lock that stays for two seconds is a dead one's and is taken away, so that `next` does all it does
 * at one go. It is called again when the lock was lost all the same.
 */
export async function replaceFile(file: string, next: () => string): Promise<void> {
  const lock = `${file}.lock`;
  const deadline = performance.now() + patienceMs;
  while (!replaces(file, lock, await create(lock, deadline), next)) await pause();
}

function replaces(file: string, lock: string, descriptor: number, next: () => string): boolean {
  const takenAt = performance.now();
  const isSafe = (): boolean => performance.now() - takenAt < safeMs;
  try {
    writeFileSync(descriptor, next());
    if (!isSafe() || !isStill(lock, descriptor)) return false;
  } catch (error) {
    rmSync(lock, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  if (moves(lock, file)) return isSafe();
  rmSync(lock, { force: true });
  return false;
}

/** Waits until the lock can be created; takes away one that is there and stays the same for too long. */
async function create(lock: string, deadline: number): Promise<number> {
  let seen: string | undefined;
  let seenAt = 0;
  for (;;) {
    const descriptor = created(lock);
    if (descriptor !== undefined) return descriptor;
    const now = performance.now();
    const identity = identityOf(lock);
    if (identity === undefined || identity !== seen) [seen, seenAt] = [identity, now];
    else if (now - seenAt > staleMs) takeAway(lock);
    if (now > deadline) throw new LockBusyError();
    await pause();
  }
}

const pause = (): Promise<void> => setTimeout(1 + Math.random() * 3);

function created(lock: string): number | undefined {
  try {
    return openSync(lock, 'wx', 0o600);
  } catch (error) {
    if (isHeld(error)) return undefined;
    throw error;
  }
}

/** Renamed before it is removed: only one of many can, and its owner can no more rename it to the file. */
function takeAway(lock: string): void {
  const aside = `${lock}.${crypto.randomUUID()}`;
  if (moves(lock, aside)) rmSync(aside, { force: true });
}

/** False when there is nothing to move any more, or somebody holds it. */
function moves(from: string, to: string): boolean {
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

function isStill(file: string, descriptor: number): boolean {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats?.ino === fstatSync(descriptor, { bigint: true }).ino;
}

/** Windows says `EPERM` or `EBUSY` of a file that is about to go, or that somebody reads. */
function isHeld(error: unknown): boolean {
  return ['EEXIST', 'EPERM', 'EBUSY'].includes(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
