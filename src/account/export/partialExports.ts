import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Disposable } from '../../base/disposable.ts';
import { systemClock, dayMs, type Clock } from '../../base/time.ts';
import { systemErrorCode, withFileErrors } from './exportFileError.ts';
import type { ExportPlan } from './exportPlan.ts';
import {
  exportNameOf,
  hasLiveLock,
  isStateFile,
  PartialFile,
  partialPaths,
  type PartialPaths,
} from './partialFile.ts';
import { initialProgress, parseProgress, type SavedProgress } from './progress.ts';

/** `state` is the path of the state when it was found. */
type PartialLocation = { readonly paths: PartialPaths; readonly state: string };
type ResumablePartial = { readonly kind: 'resumable' } & PartialLocation & SavedProgress;

/** What was found of an unfinished export: nothing, something unreadable, or something to resume. */
export type FoundPartial =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'damaged' } & PartialLocation)
  | ResumablePartial;

/** How long an unfinished export is kept. */
const retentionMs = dayMs;
const cleanupIntervalMs = 3_600_000;
/** A lock this old is from an earlier process with the same id. */
const maxLockAgeMs = 7 * dayMs;

type PartialExportsOptions = {
  /** Only this user may read it. All windows share it. */
  readonly folder: string;
  readonly clock: Clock;
};

type CleanupHandlers = {
  /** Called with the number of removed exports, unless it is 0. */
  readonly onRemoved: (count: number) => void;
  readonly onError: (error: unknown) => void;
};

/** The unfinished exports of this user. A process locks an export by renaming its state. */
export class PartialExports {
  private readonly options: PartialExportsOptions;

  constructor(options: PartialExportsOptions) {
    this.options = options;
  }

  /** The newest export with the plan's key that can be resumed. One that another window runs cannot. */
  async find(plan: ExportPlan): Promise<FoundPartial> {
    const files = (await this.files()).filter((file) => file.startsWith(planPrefix(plan)));
    const found = await Promise.all(files.filter(isStateFile).map((file) => this.inspect(file)));
    const resumable = found.filter((one) => one.kind === 'resumable');
    const [newest] = resumable.toSorted((a, b) => b.savedAt - a.savedAt);
    return newest ?? found.find(({ kind }) => kind === 'damaged') ?? { kind: 'none' };
  }

  async start(plan: ExportPlan): Promise<PartialFile> {
    const { folder, clock } = this.options;
    await withFileErrors('partial', () => mkdir(folder, { recursive: true, mode: 0o700 }));
    const paths = partialPaths(folder, `${planPrefix(plan)}${crypto.randomUUID()}`);
    return PartialFile.create(paths, clock, initialProgress(plan.range, clock.now()));
  }

  /** Resumes an export from its last saved row; undefined if another window has locked it. */
  async resume(found: ResumablePartial): Promise<PartialFile | undefined> {
    if (!(await this.lock(found))) return undefined;
    const { lockedState, unlockedState } = found.paths;
    let file: PartialFile | undefined;
    try {
      // Another window may have saved rows since it was found.
      const current = await this.read(found.paths, lockedState);
      if (current.kind === 'resumable')
        file = await PartialFile.resume(current.paths, this.options.clock, current.progress);
      return file;
    } finally {
      if (!file) await rename(lockedState, unlockedState).catch(() => undefined);
    }
  }

  /** Removes an unfinished export, unless another window has locked it. */
  async discard(found: PartialLocation): Promise<void> {
    const { rows, columns, lockedState } = found.paths;
    if (await this.lock(found))
      await this.remove([rows, columns, lockedState].map((file) => path.basename(file)));
  }

  /** Removes all of a profile's exports. One that runs fails when it is saved next. */
  async removeOfProfile(profile: string): Promise<void> {
    const files = await this.files();
    await this.remove(files.filter((file) => file.startsWith(profilePrefix(profile))));
  }

  /** Removes exports that are older than 24 hours and not locked, and resolves to their number. */
  async removeExpired(): Promise<number> {
    const files = await this.files();
    const locked = await filterAsync(files, (file) => this.isLocked(file));
    const lockedExports = new Set(locked.map(exportNameOf));
    const unlocked = files.filter((file) => !lockedExports.has(exportNameOf(file)));
    const expired = await filterAsync(unlocked, (file) => this.isExpired(file));
    await this.remove(expired);
    return new Set(expired.map(exportNameOf)).size;
  }

  /** Removes expired exports now and every hour, until disposed. */
  removeExpiredHourly({ onRemoved, onError }: CleanupHandlers): Disposable {
    let stopTimer = (): void => undefined;
    const run = (): void => {
      stopTimer = this.options.clock.after(cleanupIntervalMs, run);
      this.removeExpired().then((count) => {
        if (count > 0) onRemoved(count);
      }, onError);
    };
    run();
    return { dispose: () => stopTimer() };
  }

  /** Only one of several windows can rename the state. */
  private lock({ paths, state }: PartialLocation): Promise<boolean> {
    return withFileErrors('partial', async () => {
      try {
        await rename(state, paths.lockedState);
        return true;
      } catch (error) {
        if (systemErrorCode(error) !== 'ENOENT') throw error;
        return false;
      }
    });
  }

  private async inspect(file: string): Promise<FoundPartial> {
    if (await this.isLocked(file)) return { kind: 'none' };
    const { folder } = this.options;
    return this.read(partialPaths(folder, exportNameOf(file)), path.join(folder, file));
  }

  private async read(paths: PartialPaths, state: string): Promise<FoundPartial> {
    const text = await readFile(state, 'utf8').catch(() => undefined);
    if (text === undefined) return { kind: 'none' };
    const saved = parseProgress(text);
    if (!saved) return { kind: 'damaged', paths, state };
    if (this.options.clock.now() - saved.savedAt > retentionMs) return { kind: 'none' };
    const size = (await statOf(paths.rows))?.size;
    // Its rows were moved to their target, and the process ended before it deleted the state.
    if (size === undefined && saved.progress.end) return { kind: 'none' };
    const isDamaged = size === undefined || size < saved.progress.bytes;
    return isDamaged
      ? { kind: 'damaged', paths, state }
      : { kind: 'resumable', paths, state, ...saved };
  }

  /** Whether a process works on it. A lock from before the machine started belongs to an earlier process. */
  private async isLocked(file: string): Promise<boolean> {
    if (!hasLiveLock(file)) return false;
    const stats = await statOf(path.join(this.options.folder, file));
    const machineStartedAt = systemClock.now() - os.uptime() * 1000;
    const validSince = Math.max(machineStartedAt, this.options.clock.now() - maxLockAgeMs);
    return stats !== undefined && stats.mtimeMs > validSince;
  }

  private async isExpired(file: string): Promise<boolean> {
    const stats = await statOf(path.join(this.options.folder, file));
    return stats !== undefined && this.options.clock.now() - stats.mtimeMs > retentionMs;
  }

  private remove(files: readonly string[]): Promise<void> {
    return withFileErrors('partial', async () => {
      for (const file of files)
        await rm(path.join(this.options.folder, file), { recursive: true, force: true });
    });
  }

  private files(): Promise<string[]> {
    return withFileErrors('partial', () =>
      readdir(this.options.folder).catch((error: unknown) => {
        if (systemErrorCode(error) === 'ENOENT') return [];
        throw error;
      }),
    );
  }
}

function statOf(file: string): Promise<Stats | undefined> {
  return stat(file).catch(() => undefined);
}

async function filterAsync<Item>(items: readonly Item[], is: (item: Item) => Promise<boolean>) {
  const answers = await Promise.all(items.map(is));
  return items.filter((_item, index) => answers[index]);
}

/** The start of the names of a profile's exports. */
export function profilePrefix(profile: string): string {
  return `${createHash('sha256').update(profile).digest('hex').slice(0, 16)}-`;
}

/** The start of the names of the exports that this plan can resume. */
function planPrefix({ profile, key }: ExportPlan): string {
  return `${profilePrefix(profile)}${key.slice(0, 24)}-`;
}
