import { access, open, rename, rm, truncate, writeFile, type FileHandle } from 'node:fs/promises';
import type { Clock } from '../../base/clock.ts';
import { onDisk } from './exportFileError.ts';
import { savedText, type Progress } from './progress.ts';

/** Account data: nobody else on this machine reads it. */
const mode = 0o600;

/** How much reading a killed process may cost: the state of a crowded moment is long, and steps are quick. */
const savedEveryMs = 2000;

/** Where an export is kept: its rows, and how far it came, under one name while it runs and another while not. */
export type PartialPaths = {
  readonly rows: string;
  /** While a process works on it: who has renamed `free` to this holds the export. */
  readonly held: string;
  readonly free: string;
};

/**
 * The rows of an unfinished export on disk. Rows are added first and counted afterwards, so that
 * whatever ends the process, what was saved last is there. Every method rejects with ExportFileError
 * where the disk fails.
 */
export class PartialFile {
  readonly paths: PartialPaths;
  private readonly handle: FileHandle;
  private readonly clock: Clock;
  private known: Progress;
  private saved: Progress;
  private savedAt: number;

  private constructor(paths: PartialPaths, handle: FileHandle, clock: Clock, known: Progress) {
    this.paths = paths;
    this.handle = handle;
    this.clock = clock;
    this.known = known;
    this.saved = known;
    this.savedAt = clock.now();
  }

  /** Begins an export that nobody else knows of. */
  static begin(paths: PartialPaths, clock: Clock, progress: Progress): Promise<PartialFile> {
    return onDisk('partial', async () => {
      await writeFile(paths.rows, '', { mode, flag: 'wx' });
      await writeFile(paths.held, savedText({ progress, savedAt: clock.now() }), { mode });
      return PartialFile.goOn(paths, clock, progress);
    });
  }

  /** Opens an export that is held, at `progress`; what was written after it was saved is cut off. */
  static goOn(paths: PartialPaths, clock: Clock, progress: Progress): Promise<PartialFile> {
    return onDisk('partial', async () => {
      await truncate(paths.rows, progress.bytes);
      return new PartialFile(paths, await open(paths.rows, 'a', mode), clock, progress);
    });
  }

  /** As it was recorded last. */
  get progress(): Progress {
    return this.known;
  }

  /** Adds text after everything that was added before; it counts once it is recorded. */
  append(text: string): Promise<number> {
    const bytes = Buffer.from(text);
    return onDisk('partial', async () => {
      await this.handle.appendFile(bytes);
      return bytes.length;
    });
  }

  /** Records how far the export has come; saved every two seconds, and when it is put down. */
  async record(progress: Progress): Promise<void> {
    if (this.clock.now() - this.savedAt >= savedEveryMs) await this.save(progress);
    else this.known = progress;
  }

  /** Records how far the export has come and saves that, once all of its rows are on the disk. */
  save(progress: Progress): Promise<void> {
    return onDisk('partial', async () => {
      this.known = progress;
      await this.handle.datasync();
      await this.write();
      [this.saved, this.savedAt] = [progress, this.clock.now()];
    });
  }

  /** Saves what was recorded and puts the export down: whoever asks for it next may go on with it. */
  async putDown(): Promise<void> {
    try {
      if (this.saved !== this.known) await this.save(this.known);
    } finally {
      await onDisk('partial', () => this.handle.close());
      await onDisk('partial', () => rename(this.paths.held, this.paths.free));
    }
  }

  /** Ends with the rows as they are, on the disk, to be taken away by their path; gives their length in bytes. */
  close(): Promise<number> {
    return onDisk('partial', async () => {
      await this.handle.datasync();
      const { size } = await this.handle.stat();
      await this.handle.close();
      return size;
    });
  }

  /** Forgets how far it came: its rows have gone where they belong. */
  forget(): Promise<void> {
    return onDisk('partial', () => rm(this.paths.held, { force: true }));
  }

  /**
   * As a whole or not at all: a state that is half written would lose the rows. Where somebody
   * removed the export meanwhile, it does not come back.
   */
  private async write(): Promise<void> {
    const { held } = this.paths;
    const draft = `${held}.draft`;
    await access(held);
    const saved = { progress: this.known, savedAt: this.clock.now() };
    await writeFile(draft, savedText(saved), { mode });
    await rename(draft, held);
  }
}
