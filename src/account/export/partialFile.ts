import { access, open, rename, rm, truncate, writeFile, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../base/time.ts';
import { systemErrorCode, withFileErrors } from './exportFileError.ts';
import { initialProgress, serializeProgress, type Progress } from './progress.ts';

/** Account data: only its user may read it. */
const mode = 0o600;

/** How much of the reading a killed process may lose: steps are quick, and a state can be long. */
const saveIntervalMs = 2000;

/** The files of an unfinished export: its rows and its state, whose name says whether a process works on it. */
export type PartialPaths = {
  readonly rows: string;
  /** The file or folder of columns that is made of the rows once all are read, in formats that are. */
  readonly columns: string;
  /** The process that renamed `unlockedState` to this works on the export. */
  readonly lockedState: string;
  readonly unlockedState: string;
};

/**
 * The files of an unfinished export are `<name>.rows`, `<name>.columns`, and its state `<name>.json`, or
 * `<name>.<process id>.locked` while a process works on it, and `….locked.draft` while that is written. A name has
 * no dot.
 */
const stateSuffix = /\.(?:json|(\d+)\.locked)$/;

export function partialPaths(folder: string, name: string): PartialPaths {
  const file = path.join(folder, name);
  return {
    rows: `${file}.rows`,
    columns: `${file}.columns`,
    lockedState: `${file}.${process.pid}.locked`,
    unlockedState: `${file}.json`,
  };
}

export function isStateFile(file: string): boolean {
  return stateSuffix.test(file);
}

/** Whether this is the state of an export that a process locked which still runs, or another with its id. */
export function hasLiveLock(stateFile: string): boolean {
  const [, pid] = stateSuffix.exec(stateFile) ?? [];
  if (pid === undefined) return false;
  try {
    return process.kill(Number(pid), 0);
  } catch (error) {
    return systemErrorCode(error) === 'EPERM';
  }
}

export function exportNameOf(file: string): string {
  return file.replace(/\..*$/, '');
}

/**
 * The rows of an unfinished export on disk. Rows are appended before they are counted, so that the saved
 * state is valid whenever the process ends. Every method rejects with ExportFileError if the disk
 * fails.
 */
export class PartialFile {
  readonly paths: PartialPaths;
  private readonly handle: FileHandle;
  private readonly clock: Clock;
  private recorded: Progress;
  private saved: Progress;
  private savedAt: number;

  private constructor(paths: PartialPaths, handle: FileHandle, clock: Clock, progress: Progress) {
    this.paths = paths;
    this.handle = handle;
    this.clock = clock;
    this.recorded = progress;
    this.saved = progress;
    this.savedAt = clock.now();
  }

  /** Creates the files of a new export. */
  static create(paths: PartialPaths, clock: Clock, progress: Progress): Promise<PartialFile> {
    return withFileErrors('partial', async () => {
      await writeFile(paths.rows, '', { mode, flag: 'wx' });
      await writeFile(paths.lockedState, serializeProgress({ progress, savedAt: clock.now() }), {
        mode,
      });
      return PartialFile.resume(paths, clock, progress);
    });
  }

  /** Opens a locked export at its saved progress: rows that were appended after it are cut off. */
  static resume(paths: PartialPaths, clock: Clock, progress: Progress): Promise<PartialFile> {
    return withFileErrors('partial', async () => {
      await truncate(paths.rows, progress.bytes);
      return new PartialFile(paths, await open(paths.rows, 'a', mode), clock, progress);
    });
  }

  get progress(): Progress {
    return this.recorded;
  }

  /** Appends text and resolves to its length in bytes. It counts once it is recorded. */
  append(text: string): Promise<number> {
    const bytes = Buffer.from(text);
    return withFileErrors('partial', async () => {
      await this.handle.appendFile(bytes);
      return bytes.length;
    });
  }

  /** Drops all rows. */
  async startOver(): Promise<void> {
    await this.save(initialProgress(this.recorded.range, this.clock.now()));
    await this.dropUnrecorded();
  }

  /** Cuts off what was appended since the progress was recorded. */
  dropUnrecorded(): Promise<void> {
    return withFileErrors('partial', () => this.handle.truncate(this.recorded.bytes));
  }

  /** Records the progress. It is saved every two seconds, and on release. */
  async record(progress: Progress): Promise<void> {
    if (this.clock.now() - this.savedAt >= saveIntervalMs) await this.save(progress);
    else this.recorded = progress;
  }

  /** Records the progress and saves it, after its rows are on the disk. */
  save(progress: Progress): Promise<void> {
    return withFileErrors('partial', async () => {
      this.recorded = progress;
      await this.handle.datasync();
      await this.write();
      [this.saved, this.savedAt] = [progress, this.clock.now()];
    });
  }

  /** Saves the recorded progress and unlocks the export, so that it can be resumed. */
  async release(): Promise<void> {
    try {
      if (this.saved !== this.recorded) await this.save(this.recorded);
    } finally {
      await withFileErrors('partial', () => this.handle.close());
      await withFileErrors('partial', () =>
        rename(this.paths.lockedState, this.paths.unlockedState),
      );
    }
  }

  /** Closes the file of rows, ready to be moved, and resolves to its length in bytes. */
  close(): Promise<number> {
    return withFileErrors('partial', async () => {
      await this.handle.datasync();
      const { size } = await this.handle.stat();
      await this.handle.close();
      return size;
    });
  }

  /** Deletes what is left after the file was moved to its target: rows first, as a state without them counts as none. */
  delete(): Promise<void> {
    return withFileErrors('partial', async () => {
      for (const file of [this.paths.rows, this.paths.lockedState]) await rm(file, { force: true });
    });
  }

  /**
   * Replaces the state as a whole: half a state would lose the rows. An export that was removed in the
   * meantime is not created again.
   */
  private async write(): Promise<void> {
    const { lockedState } = this.paths;
    const draft = `${lockedState}.draft`;
    await access(lockedState);
    const saved = { progress: this.recorded, savedAt: this.clock.now() };
    await writeFile(draft, serializeProgress(saved), { mode });
    await rename(draft, lockedState);
  }
}
