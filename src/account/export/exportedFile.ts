import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { cp, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openStart } from '../../base/interval.ts';
import { unverifiableFilters } from '../../exchange/history/filterRules.ts';
import type { ParquetPart } from './columns/parquetParts.ts';
import { withFileErrors, systemErrorCode } from './exportFileError.ts';
import type { ExportPlan } from './exportPlan.ts';
import { exportCompleteness, type Progress } from './progress.ts';

/** Of the file; of a folder, those of its files, by their paths in it. */
type Digests = {
  readonly sha256?: string;
  readonly parts?: readonly (ParquetPart & { readonly sha256: string })[];
};

type ExportedFile = Digests & {
  readonly path: string;
  /** The type of each column, in formats where a column has one. */
  readonly columns: Readonly<Record<string, string>> | undefined;
  readonly endedAt: number;
  /** The name and version of the extension. */
  readonly writtenBy: string;
};

/** The text of the `.meta.json` beside an exported file: what the file has, and whether it is complete. */
export function exportMeta(plan: ExportPlan, progress: Progress, file: ExportedFile): string {
  const { profile, environment, origin, operation, filters, format } = plan;
  const { range, source, startedAt, rows, badRecords, unmatched, reads } = progress;
  const { completeness, reason } = exportCompleteness(progress);
  const meta = {
    file: path.basename(file.path),
    sha256: file.sha256,
    parts: file.parts,
    format,
    columns: file.columns,
    rows,
    completeness,
    reason,
    profile,
    environment,
    origin,
    source,
    operation,
    filters,
    range: { from: range.from === openStart ? null : iso(range.from), toExclusive: iso(range.to) },
    zone: 'UTC',
    startedAt: iso(startedAt),
    endedAt: iso(file.endedAt),
    reads,
    badRecords,
    unmatched,
    unverifiedFilters: unverifiableFilters(operation, filters),
    writtenBy: file.writtenBy,
  };
  return `${JSON.stringify(meta, null, 2)}\n`;
}

export function digestsOf(
  source: string,
  parts: readonly ParquetPart[] | undefined,
): Promise<Digests> {
  return withFileErrors('partial', async () => {
    if (!parts) return { sha256: await sha256OfFile(source) };
    const hashed: NonNullable<Digests['parts']>[number][] = [];
    for (const part of parts)
      hashed.push({ ...part, sha256: await sha256OfFile(path.join(source, part.file)) });
    return { parts: hashed };
  });
}

export async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

function iso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

export function metaFileName(file: string): string {
  return `${file}.meta.json`;
}

/**
 * Moves a finished file or folder to its target, replacing a file that is there, and writes its meta file. Neither name
 * ever has half a file. If the file cannot be moved, this rejects with ExportFileError, and the source,
 * the target and its meta file stay as they were.
 */
export function moveIntoPlace(source: string, target: string, meta: string): Promise<void> {
  const metaFile = metaFileName(target);
  return withFileErrors('target', () =>
    writeAtomically(metaFile, async (draft) => {
      await writeFile(draft, meta, { mode: 0o600, flag: 'wx', flush: true });
      await move(source, target);
    }),
  );
}

/** A file or folder cannot be renamed to another disk: there it is copied. */
async function move(source: string, target: string): Promise<void> {
  try {
    await rename(source, target);
  } catch (error) {
    if (systemErrorCode(error) !== 'EXDEV') throw error;
    await writeAtomically(target, async (draft) => {
      await cp(source, draft, { recursive: true, errorOnExist: true, force: false });
      for (const file of await filesIn(draft)) await flush(file);
    });
    await rm(source, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** The file itself, or all files of a folder. */
async function filesIn(source: string): Promise<readonly string[]> {
  if (!(await stat(source)).isDirectory()) return [source];
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a file under a temporary name beside its own, then renames it. */
async function writeAtomically(
  file: string,
  write: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = `${file}.${crypto.randomUUID().slice(0, 8)}.part`;
  try {
    await write(draft);
    await rename(draft, file);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
