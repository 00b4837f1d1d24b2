import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { codeOf, onDisk } from './exportFileError.ts';
import type { ExportPlan } from './exportPlan.ts';
import { PartialFile, type PartialPaths } from './partialFile.ts';
import { noProgress, parseSaved, type Saved } from './progress.ts';

/** What is left of an earlier export: nothing, something that cannot be read, or something to go on with. */
export type Kept =
  | { readonly kind: 'none' }
  | { readonly kind: 'damaged'; readonly paths: PartialPaths }
  | ({ readonly kind: 'kept'; readonly paths: PartialPaths } & Pick<Saved, 'progress' | 'savedAt'>);

export type PartialsOptions = {
  /** Of this user alone, shared by all windows. */
  readonly folder: string;
  readonly clock: Clock;
};

/** How long an unfinished export is kept. */
export const keptMs = 24 * 3_600_000;
/** A process that saved nothing for longer is not at work, even if another has its number by now. */
const silentMs = 20 * 60_000;
const stateEnd = '.json';

/** The unfinished exports of this user. */
export class Partials {
  private readonly options: PartialsOptions;

  constructor(options: PartialsOptions) {
    this.options = options;
  }

  /** The newest export with the plan's key that can go on; one that runs in another window cannot. */
  async find({ key }: ExportPlan): Promise<Kept> {
    const names = await onDisk('partial', () => this.names());
    const states = names.filter((name) => name.startsWith(shortOf(key)) && name.endsWith(stateEnd));
    const found = await Promise.all(states.map((name) => this.look(name)));
    const usable = found.filter((kept) => kept.kind === 'kept');
    const [newest] = usable.toSorted((a, b) => b.savedAt - a.savedAt);
    return newest ?? found.find(({ kind }) => kind === 'damaged') ?? { kind: 'none' };
  }

  /** Begins an export from its first row. */
  async start({ key, range }: ExportPlan): Promise<PartialFile> {
    const { folder, clock } = this.options;
    await onDisk('partial', () => mkdir(folder, { recursive: true, mode: 0o700 }));
    const paths = this.pathsOf(`${shortOf(key)}-${crypto.randomUUID()}`);
    return PartialFile.open(paths, clock, noProgress(range, clock.now()));
  }

  /** Goes on with an export from its last saved row. */
  resume({ paths, progress }: Extract<Kept, { kind: 'kept' }>): Promise<PartialFile> {
    return PartialFile.open(paths, this.options.clock, progress);
  }

  /** Removes what was kept of an export. */
  discard({ rows, state }: PartialPaths): Promise<void> {
    return onDisk('partial', async () => {
      await rm(state, { force: true });
      await rm(rows, { force: true });
    });
  }

  /** Removes everything that was touched last more than 24 hours ago, and says how many exports that were. */
  async sweep(): Promise<number> {
    const old = await Promise.all((await this.names()).map((name) => this.removeIfOld(name)));
    return old.filter((name) => name?.endsWith(stateEnd)).length;
  }

  private async look(name: string): Promise<Kept> {
    const paths = this.pathsOf(name.slice(0, -stateEnd.length));
    const saved = parseSaved(await readFile(paths.state, 'utf8').catch(() => ''));
    if (!saved) return { kind: 'damaged', paths };
    const { progress, savedAt } = saved;
    const now = this.options.clock.now();
    if (now - savedAt > keptMs || isAtWork(saved, now)) return { kind: 'none' };
    const size = await sizeOf(paths.rows);
    if (size < progress.bytes) return { kind: 'damaged', paths };
    return { kind: 'kept', paths, progress, savedAt };
  }

  private async removeIfOld(name: string): Promise<string | undefined> {
    const file = path.join(this.options.folder, name);
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (this.options.clock.now() - mtimeMs <= keptMs) return undefined;
    await rm(file, { force: true });
    return name;
  }

  private async names(): Promise<string[]> {
    try {
      return await readdir(this.options.folder);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
  }

  private pathsOf(name: string): PartialPaths {
    const file = path.join(this.options.folder, name);
    return { rows: `${file}.rows`, state: `${file}${stateEnd}` };
  }
}

/** Long enough to tell exports apart, short enough for every file system. */
function shortOf(key: string): string {
  return key.slice(0, 24);
}

function isAtWork({ pid, savedAt }: Saved, now: number): boolean {
  return pid !== null && pid !== process.pid && now - savedAt < silentMs && isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => -1,
  );
}
