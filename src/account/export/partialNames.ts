import { createHash } from 'node:crypto';
import path from 'node:path';
import type { ExportPlan } from './exportPlan.ts';
import type { PartialPaths } from './partialFile.ts';

/**
 * The files of an unfinished export are `<name>.rows`, and `<name>.json` for how far it came; while
 * a process works on it that is `<name>.<process id>.held`. A name holds no dot.
 */

/** The end of a state's name, held or not. */
const stateEnd = /\.(?:json|(\d+)\.held)$/;

export function pathsOf(folder: string, name: string): PartialPaths {
  const file = path.join(folder, name);
  return { rows: `${file}.rows`, held: `${file}.${process.pid}.held`, free: `${file}.json` };
}

export function isState(file: string): boolean {
  return stateEnd.test(file);
}

/** The process that holds, or held, the export of which this is the state. */
export function holderOf(file: string): number | undefined {
  const [, pid] = stateEnd.exec(file) ?? [];
  return pid === undefined ? undefined : Number(pid);
}

/** The name of the export that a file belongs to. */
export function nameOf(file: string): string {
  return file.replace(/\..*$/, '');
}

/** How the names of all exports of a profile begin. */
export function ownerOf(profile: string): string {
  return `${createHash('sha256').update(profile).digest('hex').slice(0, 16)}-`;
}

/** How the names of all exports begin that could go on as this plan says. */
export function familyOf({ profile, key }: Pick<ExportPlan, 'profile' | 'key'>): string {
  return `${ownerOf(profile)}${key.slice(0, 24)}-`;
}
