import { open, rename, rm, truncate, writeFile, type FileHandle } from 'node:fs/promises';
import type { Clock } from '../../base/clock.ts';
import { onDisk } from './exportFileError.ts';
import { savedText, type Progress } from './progress.ts';

/** Account data: nobody else on this machine reads it. */
const mode = 0o600;

/** Where an export is kept while it runs: its rows, and beside them how far it came. */
export type PartialPaths = { readonly rows: string; readonly state: string };

/**
 * The rows of an unfinished export on disk. Rows are added first and counted afterwards, so that
 * whatever ends the process, what `save` recorded last is there. Every method rejects with
 * ExportFileError where the disk fails.
 */
export class PartialFile {
  readonly paths: PartialPaths;
  private readonly handle: FileHandle;
  private readonly clock: Clock;
  private known: Progress;

  private constructor(paths: PartialPaths, handle: FileHandle, clock: Clock, known: Progress) {
    this.paths = paths;
    this.handle = handle;
    this.clock = clock;
    this.known = known;
  }

  /** Opens an export at `progress`; what was written after it was saved is cut off. */
  static open(paths: PartialPaths, clock: Clock, progress: Progress): Promise<PartialFile> {
    return onDisk('partial', async () => {
      if (progress.bytes > 0) await truncate(paths.rows, progress.bytes);
      const handle = await open(paths.rows, progress.bytes > 0 ? 'a' : 'w', mode);
      const file = new PartialFile(paths, handle, clock, progress);
      await file.write(process.pid);
      return file;
    });
  }

  /** As it was saved last. */
  get progress(): Progress {
    return this.known;
  }

  /** Adds text after everything that was added before; it counts once `save` has recorded it. */
  append(text: string): Promise<number> {
    const bytes = Buffer.from(text);
    return onDisk('partial', async () => {
      await this.handle.appendFile(bytes);
      return bytes.length;
    });
  }

  /** Records how far the export has come, once all of its rows are on the disk. */
  save(progress: Progress): Promise<void> {
    return onDisk('partial', async () => {
      await this.handle.datasync();
      this.known = progress;
      await this.write(process.pid);
    });
  }

  /** Puts the export down: whoever asks for it next may go on with it. */
  async putDown(): Promise<void> {
    await this.handle.close();
    await onDisk('partial', () => this.write(null));
  }

  /** Ends with the rows as they are, to be taken away by their path. */
  close(): Promise<void> {
    return onDisk('partial', () => this.handle.close());
  }

  /** Forgets how far it came: its rows have gone where they belong. */
  forget(): Promise<void> {
    return rm(this.paths.state, { force: true });
  }

  /** As a whole or not at all: a state that is half written would lose the rows. */
  private async write(pid: number | null): Promise<void> {
    const draft = `${this.paths.state}.draft`;
    const saved = { progress: this.known, savedAt: this.clock.now(), pid };
    await writeFile(draft, savedText(saved), { mode });
    await rename(draft, this.paths.state);
  }
}
