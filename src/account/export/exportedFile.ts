import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { cp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { openStart } from '../../base/interval.ts';
import { unverifiableFilters } from '../../exchange/history/filterRules.ts';
import type { ParquetPart } from './columns/parquetParts.ts';
import type { ExportRecord } from './exportFields.ts';
import { withFileErrors } from './exportFileError.ts';
import type { ExportPlan } from './exportPlan.ts';
import type { RowSerializer } from './exportFormats.ts';
import type { ExportResult } from './progress.ts';

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
export function exportMeta(plan: ExportPlan, result: ExportResult, file: ExportedFile): string {
  const { profile, environment, origin, operation, filters, format } = plan;
  const { range, source, startedAt, rows, badRecords, unmatched, reads } = result;
  const { completeness, reason } = result.end;
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

/** Writes rows as text, and resolves once they are on the disk. */
export async function writeText(
  target: string,
  serializer: RowSerializer,
  pieces: AsyncIterable<readonly ExportRecord[]>,
  onRows: (rows: number) => void,
): Promise<void> {
  const file = await open(target, 'wx', 0o600);
  try {
    await file.appendFile(serializer.header);
    let rows = 0;
    for await (const piece of pieces) {
      const texts = piece.map((record, index) => serializer.row(record, rows + index === 0));
      await file.appendFile(texts.join(''));
      onRows((rows += piece.length));
    }
    await file.appendFile(serializer.footer);
    await file.datasync();
  } finally {
    await file.close();
  }
}

export function digestsOf(
  source: string,
  parts: readonly ParquetPart[] | undefined,
): Promise<Digests> {
  return withFileErrors('storage', async () => {
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
 * Moves a finished file or folder and its meta file to their places, replacing files that are there. No name ever has
 * half a file. If the file cannot be moved, this rejects with ExportFileError, and the target and its meta file stay as
 * they were.
 */
export function moveIntoPlace(source: string, meta: string, target: string): Promise<void> {
  const metaTarget = metaFileName(target);
  return withFileErrors('target', async () => {
    try {
      await rename(source, target);
      await rename(meta, metaTarget);
    } catch (error) {
      const isOtherDisk = error instanceof Error && 'code' in error && error.code === 'EXDEV';
      if (!isOtherDisk) throw error;
      await withCopy(source, target, (file) =>
        withCopy(meta, metaTarget, async (metaFile) => {
          await rename(file, target);
          await rename(metaFile, metaTarget);
        }),
      );
    }
  });
}

/** A file or folder cannot be renamed to another disk: there its copy is. */
async function withCopy(
  source: string,
  target: string,
  use: (copy: string) => Promise<void>,
): Promise<void> {
  const copy = `${target}.${crypto.randomUUID().slice(0, 8)}.part`;
  try {
    await cp(source, copy, { recursive: true, errorOnExist: true, force: false });
    for (const file of await filesIn(copy)) await flush(file);
    await use(copy);
  } finally {
    await rm(copy, { recursive: true, force: true });
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
