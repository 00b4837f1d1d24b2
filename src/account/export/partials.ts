import type { Stats } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { systemClock, type Clock } from '../../base/clock.ts';
import { codeOf, onDisk } from './exportFileError.ts';
import type { ExportPlan } from './exportPlan.ts';
import { PartialFile, type PartialPaths } from './partialFile.ts';
import { familyOf, holderOf, isState, nameOf, ownerOf, pathsOf } from './partialNames.ts';
import { noProgress, parseSaved, type Saved } from './progress.ts';
import { dayMs } from '../../base/durations.ts';

/** What is left of an earlier export: nothing, something that cannot be read, or something to go on with. */
export type Kept =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'damaged' } & Found)
  | ({ readonly kind: 'kept' } & Found & Saved);

/** `state` is where the state lay when it was found. */
type Found = { readonly paths: PartialPaths; readonly state: string };

export type PartialsOptions = {
  /** Of this user alone, shared by all windows. */
  readonly folder: string;
  readonly clock: Clock;
};

/** How long an unfinished export is kept. */
export const keptMs = dayMs;

/** A process that was silent longer than any weekend asleep is another, which got its id. */
const heldMs = 7 * dayMs;

/** The unfinished exports of this user. One is worked on by who could rename its state to a name of its own. */
export class Partials {
  private readonly options: PartialsOptions;

  constructor(options: PartialsOptions) {
    this.options = options;
  }

  /** The newest export with the plan's key that can go on; one that runs in another window cannot. */
  async find(plan: ExportPlan): Promise<Kept> {
    const family = (await this.files()).filter((file) => file.startsWith(familyOf(plan)));
    const found = await Promise.all(family.filter(isState).map((file) => this.look(file)));
    const usable = found.filter((kept) => kept.kind === 'kept');
    const [newest] = usable.toSorted((a, b) => b.savedAt - a.savedAt);
    return newest ?? found.find(({ kind }) => kind === 'damaged') ?? { kind: 'none' };
  }

  /** Begins an export from its first row. */
  async start(plan: ExportPlan): Promise<PartialFile> {
    const { folder, clock } = this.options;
    await onDisk('partial', () => mkdir(folder, { recursive: true, mode: 0o700 }));
    const paths = pathsOf(folder, `${familyOf(plan)}${crypto.randomUUID()}`);
    return PartialFile.begin(paths, clock, noProgress(plan.range, clock.now()));
  }

  /**
   * Goes on with an export from the row that was saved last, also if that was after it was found;
   * undefined where another window took it meanwhile.
   */
  async resume(found: Extract<Kept, { kind: 'kept' }>): Promise<PartialFile | undefined> {
    if (!(await this.claim(found))) return undefined;
    const { held, free } = found.paths;
    let file: PartialFile | undefined;
    try {
      const kept = await this.read(found.paths, held);
      if (kept.kind === 'kept')
        file = await PartialFile.goOn(kept.paths, this.options.clock, kept.progress);
      return file;
    } finally {
      if (!file) await rename(held, free).catch(() => undefined);
    }
  }

  /** Removes what was kept of an export, unless another window took it meanwhile. */
  async discard(found: Found): Promise<void> {
    const { rows, held } = found.paths;
    if (await this.claim(found)) await this.remove([rows, held].map((file) => path.basename(file)));
  }

  /** Removes all of a profile's exports; one that runs fails when it would be saved next. */
  async removeOf(profile: string): Promise<void> {
    const files = await this.files();
    await this.remove(files.filter((file) => file.startsWith(ownerOf(profile))));
  }

  /**
   * Removes what was touched last more than 24 hours ago, unless a process works on it, and says how
   * many exports that were.
   */
  async sweep(): Promise<number> {
    const files = await this.files();
    const held = new Set((await filter(files, (file) => this.isHeld(file))).map(nameOf));
    const free = files.filter((file) => !held.has(nameOf(file)));
    const old = await filter(free, (file) => this.isOld(file));
    await this.remove(old);
    return new Set(old.map(nameOf)).size;
  }

  /** Only one of several windows can give it the name under which it is held. */
  private claim({ paths, state }: Found): Promise<boolean> {
    return onDisk('partial', async () => {
      try {
        await rename(state, paths.held);
        return true;
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error;
        return false;
      }
    });
  }

  private async look(file: string): Promise<Kept> {
    if (await this.isHeld(file)) return { kind: 'none' };
    const { folder } = this.options;
    return this.read(pathsOf(folder, nameOf(file)), path.join(folder, file));
  }

  private async read(paths: PartialPaths, state: string): Promise<Kept> {
    const text = await readFile(state, 'utf8').catch(() => undefined);
    if (text === undefined) return { kind: 'none' };
    const saved = parseSaved(text);
    if (!saved) return { kind: 'damaged', paths, state };
    const { progress, savedAt } = saved;
    if (this.options.clock.now() - savedAt > keptMs) return { kind: 'none' };
    const { size } = (await statOf(paths.rows)) ?? { size: undefined };
    // Its rows went where they belong, and the process ended before it could forget the rest.
    if (size === undefined && progress.end) return { kind: 'none' };
    if (size === undefined || size < progress.bytes) return { kind: 'damaged', paths, state };
    return { kind: 'kept', paths, state, progress, savedAt };
  }

  /** Whether the process lives that holds it: one that held it before this start of the machine is another. */
  private async isHeld(file: string): Promise<boolean> {
    const pid = holderOf(file);
    if (pid === undefined || !isAlive(pid)) return false;
    const stats = await statOf(path.join(this.options.folder, file));
    const machineStartedAt = systemClock.now() - os.uptime() * 1000;
    const heldSince = Math.max(machineStartedAt, this.options.clock.now() - heldMs);
    return stats !== undefined && stats.mtimeMs > heldSince;
  }

  private async isOld(file: string): Promise<boolean> {
    const stats = await statOf(path.join(this.options.folder, file));
    return stats !== undefined && this.options.clock.now() - stats.mtimeMs > keptMs;
  }

  private remove(files: readonly string[]): Promise<void> {
    return onDisk('partial', async () => {
      for (const file of files) await rm(path.join(this.options.folder, file), { force: true });
    });
  }

  private files(): Promise<string[]> {
    return onDisk('partial', async () => {
      try {
        return await readdir(this.options.folder);
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return [];
        throw error;
      }
    });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function statOf(file: string): Promise<Stats | undefined> {
  return stat(file).catch(() => undefined);
}

async function filter<Item>(items: readonly Item[], is: (item: Item) => Promise<boolean>) {
  const answers = await Promise.all(items.map(is));
  return items.filter((_item, index) => answers[index]);
}
