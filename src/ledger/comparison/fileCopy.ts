import {
  type BigIntStats,
  copyFileSync,
  existsSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { secondMs } from '../../base/time.ts';

/** Why the file of a bot cannot be compared. */
export type BotFileProblem =
  | 'missing'
  | 'forbidden'
  /** Its writer left no moment in which it could be copied. */
  | 'busy'
  | 'tooLarge'
  /** No database, table or lines of objects. */
  | 'foreign'
  | 'broken'
  /** The table or the columns that were chosen are gone. */
  | 'changed';

export class BotFileError extends Error {
  override readonly name = 'BotFileError';
  readonly problem: BotFileProblem;

  constructor(problem: BotFileProblem, options?: ErrorOptions) {
    super(problem, options);
    this.problem = problem;
  }
}

/** More is no text in memory, and takes too long to copy. */
const mostBytes = 500_000_000;
/** Clocks of file systems may be this coarse: a file that changed later may change unseen. */
const quietMs = 20;
const pauseMs = 5;
const mostMs = 15 * secondMs;
/** What SQLite keeps beside a database until it is in it. SQLite creates its shared memory again from these. */
const endings = ['', '-wal', '-journal'] as const;

/**
 * Runs `work` with a copy of a file and of what belongs to it, as they were at one moment. No lock is taken: nobody
 * who writes the file is refused, and the file stays as it is, also on a disk that cannot be written.
 */
export function withCopy<Result>(file: string, work: (copy: string) => Result): Result {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'margin-desk-'));
  try {
    const copy = path.join(folder, 'copy');
    copyAtOneMoment(fileOfLink(file), copy);
    return work(copy);
  } catch (error) {
    throw asBotFileError(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** SQLite keeps a log beside the file itself, not beside a link to it. */
export function fileOfLink(file: string): string {
  return existsSync(file) ? realpathSync(file) : file;
}

function copyAtOneMoment(file: string, copy: string): void {
  const startedAt = performance.now();
  while (performance.now() - startedAt < mostMs) {
    const before = stateOf(file);
    if (Math.abs(Date.now() - before.changedAt) >= quietMs) {
      copyAll(file, copy);
      if (stateOf(file).text === before.text) return;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
  throw new BotFileError('busy');
}

function copyAll(file: string, copy: string): void {
  for (const ending of endings) {
    rmSync(`${copy}${ending}`, { force: true });
    if (!existsSync(`${file}${ending}`)) continue;
    try {
      copyFileSync(`${file}${ending}`, `${copy}${ending}`);
    } catch (error) {
      // A log may be gone since: then the state is another one.
      if (ending === '') throw error;
    }
  }
}

function stateOf(file: string): { readonly text: string; readonly changedAt: number } {
  const states = endings.map((ending): BigIntStats | undefined =>
    statSync(`${file}${ending}`, { bigint: true, throwIfNoEntry: ending === '' }),
  );
  const [main] = states;
  if (main && !main.isFile()) throw new BotFileError('foreign');
  if (states.some((state) => (state?.size ?? 0n) > mostBytes)) throw new BotFileError('tooLarge');
  const text = states.map((state) => `${state?.ino} ${state?.size} ${state?.mtimeNs}`).join();
  return { text, changedAt: Math.max(...states.map((state) => Number(state?.mtimeMs ?? 0n))) };
}

const systemProblems: Readonly<Record<string, BotFileProblem>> = {
  ENOENT: 'missing',
  EACCES: 'forbidden',
  EPERM: 'forbidden',
  EBUSY: 'busy',
};

/** SQLite’s result codes of a file that is none of its own, or damaged. */
const brokenCodes: ReadonlySet<unknown> = new Set([11, 26]);

function asBotFileError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof BotFileError || !('code' in error))
    return error;
  const options = { cause: error };
  if ('errcode' in error)
    return brokenCodes.has(Number(error.errcode) & 0xff)
      ? new BotFileError('broken', options)
      : error;
  const problem = systemProblems[String(error.code)];
  return problem ? new BotFileError(problem, options) : error;
}
